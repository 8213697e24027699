// The lines of the log, made from what happened: gestures, captures, hands, chat.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createLines } from '../js/parts/log/lines.js';
import { happeningOf } from '../js/parts/log/history.js';
import { split } from '../js/parts/log/links.js';
import { isAddressed } from '../js/view/names.js';

/** @typedef {import('../js/types.js').Piece} Piece */

/** A kind of hands, and one of buttons. */
const HAND = 5;
const BUTTON = 6;

/**
 * A board on which x counts cells of 100: 100 is "1", 0 or less has no name. Beyond −1000 there are
 * zones.
 */
const words = {
  zone: (/** @type {{x: number}} */ { x }) => (x < -1000 ? `pit ${x / -1000}` : ''),
  cell: (/** @type {{x: number}} */ { x }) => (x > 0 ? String(x / 100) : ''),
  isHand: (/** @type {Piece} */ { kind }) => kind === HAND,
  isButton: (/** @type {Piece} */ { kind }) => kind === BUTTON,
  turnsUp: (/** @type {Piece|null} */ before, /** @type {Piece|null} */ after) =>
    after !== null && before?.face !== after.face,
};

/** @param {number} id @param {Partial<Piece>} [fields] @returns {Piece} */
const piece = (id, fields) => ({
  id, mark: 0, kind: 0, x: 0, y: 0, angle: 0, face: 0, z: '', zMark: 0, pinned: false,
  locked: false, holder: 0, owner: 0, ...fields,
});

/** A log to which things happen one second apart. */
function log() {
  const made = createLines(words);
  let at = 0;
  return {
    lines: made.lines,
    rename: made.rename,
    /**
     * @param {number} by
     * @param {string} op
     * @param {Piece|null} before
     * @param {Piece|null} after
     * @param {number} [later] in ms
     */
    did(by, op, before, after, later = 1000) {
      at += later;
      const { id } = /** @type {Piece} */ (after ?? before);
      return made.add({ at, by, op, piece: { id, before, after } });
    },
    /** @param {Omit<import('../js/parts/log/lines.js').Happening, 'at'>} h */
    add: (h) => made.add({ at, ...h }),
    /** Seat 2 carries a piece from one x to another one. @param {number} id @param {number} from
     * @param {number} to @param {number} [later] */
    carry(id, from, to, later = 1000) {
      const held = piece(id, { x: from, holder: 2 });
      this.did(2, 'grab', piece(id, { x: from }), held, later);
      return this.did(2, 'release', held, piece(id, { x: to }), 0);
    },
    /**
     * Seat 2 carries a piece to a place. Before it is let go, `by` moves another one off `cell`.
     * @param {number} id
     * @param {number} taken
     * @param {number} from
     * @param {number} to
     * @param {number} [by]
     * @param {number} [cell]
     */
    capture(id, taken, from, to, by = 2, cell = to) {
      const held = piece(id, { x: from, holder: 2 });
      this.did(2, 'grab', piece(id, { x: from }), held);
      this.did(by, 'move', piece(taken, { x: cell }), piece(taken, { x: -50 }), 0);
      return this.did(2, 'release', held, piece(id, { x: to }), 0);
    },
  };
}

test('T84 what the steps of a button do is one line with its press', () => {
  const l = log();
  const button = piece(3);
  l.did(2, 'run', button, button);
  l.add({ by: 2, op: 'shuffle', notice: { piece: piece(9), count: 52, to: 0 } });
  l.did(2, 'roll', piece(7), piece(7, { face: 4 }), 0);
  l.did(2, 'deal', piece(11), null, 0);
  assert.equal(l.lines.length, 1);
  assert.deepEqual([...l.lines[0].what.keys()], [3, 7, 11]);
  assert.equal(l.lines[0].what.get(7)?.isRolled, true);
  l.did(1, 'roll', piece(7), piece(7, { face: 2 }), 0);
  assert.equal(l.lines.length, 2, 'what somebody else does is another line');
  l.did(2, 'run', button, button);
  l.did(2, 'roll', piece(7), piece(7, { face: 1 }));
  assert.equal(l.lines.length, 4, 'so is what the same person does later');
});

test('T84 the line of a press says how many cards it dealt to each', () => {
  const l = log();
  const button = piece(3, { kind: BUTTON });
  const deal = (/** @type {number} */ count) =>
    l.add({ by: 2, op: 'deal', notice: { piece: piece(9), count, to: 0 } });
  l.did(2, 'run', button, button);
  deal(13);
  deal(13);
  assert.equal(l.lines[0].dealt, 13);
  deal(1);
  assert.equal(l.lines[0].dealt, 0, 'once more, and not as many');
  assert.equal(l.lines.length, 1);
});

test('T84 two presses are two lines, however soon one follows the other', () => {
  const l = log();
  const [one, other] = [piece(3, { kind: BUTTON }), piece(4, { kind: BUTTON })];
  l.did(2, 'run', one, one);
  l.did(2, 'draw', null, piece(6), 0);
  l.did(2, 'run', other, piece(4, { kind: BUTTON, face: 1 }), 0);
  l.did(2, 'run', other, other, 50);
  l.did(2, 'roll', piece(7), piece(7, { face: 4 }), 0);
  assert.deepEqual(l.lines.map(({ what }) => [...what.keys()]), [[3, 6, 4], [4, 7]]);
});

test('T84 the line of a press says which pieces it has turned up, but not those rolled', () => {
  const l = log();
  const button = piece(3);
  l.did(2, 'run', button, button);
  l.did(2, 'run', piece(4), piece(4, { face: 1 }), 0);
  l.did(2, 'run', piece(5), piece(5, { angle: 9000 }), 0);
  l.did(2, 'draw', null, piece(6), 0);
  l.did(2, 'roll', piece(7), piece(7, { face: 4 }), 0);
  const up = [...l.lines[0].what].filter(([, { isUp }]) => isUp).map(([id]) => id);
  assert.deepEqual(up, [4, 6]);
});

test('T87.8 the line of a press has the steps that were not done', () => {
  const l = log();
  const button = piece(3);
  const undone = (/** @type {number} */ count) => ({ piece: button, count, to: 0 });
  assert.equal(l.add({ by: 2, op: 'run', notice: undone(1) }), null, 'not without a press');
  l.did(2, 'run', button, button);
  l.add({ by: 2, op: 'run', notice: undone(2) });
  l.did(2, 'roll', piece(7), piece(7, { face: 4 }), 0);
  l.add({ by: 2, op: 'run', notice: undone(67) });
  assert.equal(l.lines.length, 1);
  assert.deepEqual(l.lines[0].undone, [2, 67]);
  assert.deepEqual([...l.lines[0].what.keys()], [3, 7]);
});

test('T62 from the grab to the release is one line, with the cells', () => {
  const l = log();
  const held = piece(7, { x: 100, holder: 2 });
  assert.equal(l.did(2, 'grab', piece(7, { x: 100 }), held), null);
  assert.equal(l.did(2, 'rotate', held, { ...held, angle: 9000 }), null);
  const line = l.did(2, 'release', { ...held, x: 300 }, piece(7, { x: 400 }));
  assert.equal(line?.op, 'move');
  assert.deepEqual(line?.what.get(7)?.move, { from: '1', to: '4' });
  assert.deepEqual(line?.place, { x: 400, y: 0 });
});

test('what is put back makes no line', () => {
  const l = log();
  assert.equal(l.carry(7, 100, 100), null);
  assert.deepEqual(l.lines, []);
});

test('T62 what was turned while it was held is a line when it is put back', () => {
  const l = log();
  const held = piece(7, { x: 100, holder: 2 });
  l.did(2, 'grab', piece(7, { x: 100 }), held);
  l.did(2, 'rotate', held, { ...held, angle: 9000 });
  const line = l.did(2, 'release', { ...held, angle: 9000 }, piece(7, { x: 100, angle: 9000 }));
  assert.equal(line?.op, 'rotate');
  assert.equal(l.lines.length, 1);
});

test('a group that is dragged is one line', () => {
  const l = log();
  for (const id of [1, 2, 3]) l.did(2, 'grab', piece(id), piece(id, { holder: 2 }), 0);
  for (const id of [1, 2, 3])
    l.did(2, 'release', piece(id, { holder: 2 }), piece(id, { x: -9 }), 0);
  assert.deepEqual(l.lines.map(({ op, what }) => [op, what.size]), [['move', 3]]);
});

/** The operations and the numbers of pieces of lines. @param {ReturnType<typeof log>} l */
const inShort = (l) => l.lines.map(({ op, what }) => [op, what.size]);

test('T62.10 two drags are two lines, however soon one follows the other', () => {
  const l = log();
  l.carry(7, 100, 200);
  l.carry(8, 300, 400, 1);
  l.carry(9, 500, 600, 0);
  assert.deepEqual(inShort(l), [['move', 1], ['move', 1], ['move', 1]]);
  assert.deepEqual(l.lines.map(({ what }) => [...what.values()][0].move), [
    { from: '1', to: '2' }, { from: '3', to: '4' }, { from: '5', to: '6' },
  ]);
});

test('T62 a capture after the drag of a group is a line of its own', () => {
  const l = log();
  for (const id of [1, 2, 3]) l.did(2, 'grab', piece(id), piece(id, { holder: 2 }), 0);
  for (const id of [1, 2, 3])
    l.did(2, 'release', piece(id, { holder: 2 }), piece(id, { x: -9 }), 0);
  l.capture(7, 8, 100, 400);
  assert.deepEqual(inShort(l), [['move', 3], ['move', 1]]);
  assert.equal(l.lines[1].what.get(7)?.taken?.id, 8);
});

test('T62 what is dragged off a cell after a move was not captured by it', () => {
  const l = log();
  l.carry(7, 100, 400);
  l.carry(8, 400, -50);
  l.carry(9, 500, 400);
  assert.deepEqual(inShort(l), [['move', 1], ['move', 1], ['move', 1]]);
});

test('T62 what is dragged off a cell together with what comes there was not captured', () => {
  const l = log();
  const held = [piece(7, { x: 100, holder: 2 }), piece(8, { x: 400, holder: 2 })];
  for (const p of held) l.did(2, 'grab', { ...p, holder: 0 }, p, 0);
  l.did(2, 'release', held[1], piece(8, { x: -50 }), 0);
  l.did(2, 'release', held[0], piece(7, { x: 400 }), 0);
  assert.deepEqual(inShort(l), [['move', 2]]);
  assert.equal(l.lines[0].what.get(7)?.taken, undefined);
});

test('T62.1 what is let go one after the other while something is held is one line', () => {
  const l = log();
  for (const id of [1, 2]) l.did(2, 'grab', piece(id), piece(id, { holder: 2 }));
  l.did(2, 'release', piece(1, { holder: 2 }), piece(1, { x: -9 }));
  l.add({ by: 3, op: 'say', chat: { line: 7, text: 'Both?', to: 0 } });
  l.did(2, 'release', piece(2, { holder: 2 }), piece(2, { x: -9 }));
  assert.deepEqual(inShort(l), [['move', 2], ['say', 0]]);
});

test('T62 a group that was taken before the log begins is one line', () => {
  const l = log();
  for (const id of [1, 2])
    l.did(2, 'release', piece(id, { holder: 2 }), piece(id, { x: -9 }), id === 1 ? 1000 : 0);
  assert.deepEqual(inShort(l), [['move', 2]]);
});

test('T62.3, T62.10 what is done at once is one line, and what is done again another', () => {
  const l = log();
  for (const id of [1, 2, 3]) l.did(2, 'flip', piece(id), piece(id, { face: 1 }), 0);
  l.did(2, 'flip', piece(4), piece(4, { face: 1 }), 300);
  l.did(2, 'roll', piece(5), piece(5, { face: 1 }), 300);
  l.did(2, 'roll', piece(5), piece(5, { face: 3 }), 300);
  assert.deepEqual(inShort(l), [['flip', 3], ['flip', 1], ['roll', 1], ['roll', 1]]);
});

test('what is counted again and again is one line for each counter', () => {
  const l = log();
  for (const value of [1, 2, 3]) l.did(2, 'count', piece(1), piece(1, { value }));
  l.did(2, 'count', piece(2), piece(2, { value: 1 }));
  l.did(2, 'count', piece(2), piece(2, { value: 2 }), 5000);
  assert.deepEqual(inShort(l), [['count', 1], ['count', 1], ['count', 1]]);
  assert.equal(l.lines[0].what.get(1)?.piece.value, 3);
});

test('T62 a drag ends, also of what is renamed, taken away or put down by the server', () => {
  const held = piece(7, { holder: 2 });
  for (const end of /** @type {((l: ReturnType<typeof log>) => void)[]} */ ([
    (l) => {
      l.rename(7, 77);
      l.did(2, 'release', { ...held, id: 77 }, piece(77));
    },
    (l) => l.did(3, 'wrest', held, piece(7, { holder: 3 })),
    (l) => l.did(0, 'release', held, piece(7)),
    (l) => l.did(0, 'reveal', held, null),
  ])) {
    const l = log();
    l.did(2, 'grab', piece(7), held);
    end(l);
    l.carry(8, 100, 200);
    l.carry(9, 100, 200);
    assert.deepEqual(inShort(l).slice(-2), [['move', 1], ['move', 1]]);
  }
});

test('a piece that is taken out of a supply and put on a cell is one line', () => {
  const l = log();
  const held = piece(7, { holder: 2 });
  const bowl = piece(3);
  const taken = l.did(2, 'split', null, held);
  assert.equal(taken?.op, 'split');
  assert.equal(l.did(2, 'split', bowl, bowl, 0), null, 'the bowl is as it was');
  l.add({ by: 1, op: 'say', chat: { line: 1, text: 'Well?', to: 0 } });
  const put = l.did(2, 'release', held, piece(7, { x: 300 }), 9000);
  assert.equal(put, taken);
  assert.equal(put?.op, 'move');
  assert.deepEqual(put?.what.get(7)?.move, { from: '', to: '3' });
  assert.deepEqual(put?.place, { x: 300, y: 0 });
  assert.equal(l.lines.length, 2);
  assert.notEqual(l.carry(7, 300, 400)?.key, put?.key, 'a further move is a line of its own');
});

test('a piece that is taken out of a supply and put beside the cells stays one line', () => {
  const l = log();
  const held = piece(7, { holder: 2 });
  l.did(2, 'split', null, held);
  assert.equal(l.did(2, 'release', held, piece(7, { x: -300 }))?.op, 'split');
  l.did(2, 'split', null, piece(8, { holder: 2 }));
  l.did(2, 'release', piece(8, { holder: 2 }), piece(8, { x: -1 }));
  l.did(2, 'delete', piece(8, { x: -1 }), null, 0);
  assert.deepEqual(l.lines.map(({ op }) => op), ['split', 'gaveBack']);
});

test('a piece that is drawn and put on a cell is one line, which names the container', () => {
  const l = log();
  const held = piece(7, { holder: 2 });
  const draw = () => {
    l.did(2, 'draw', null, held);
    l.add({ by: 2, op: 'draw', notice: { piece: piece(9), count: 1, to: 0 } });
  };
  draw();
  const line = l.did(2, 'release', held, piece(7, { x: 200 }));
  assert.deepEqual(l.lines, [line]);
  assert.equal(line?.op, 'move');
  assert.equal(line?.what.get(7)?.source?.id, 9);
  draw();
  l.did(2, 'release', held, piece(7, { x: -200 }));
  assert.deepEqual(l.lines.map(({ op }) => op), ['move', 'draw', 'move'], 'beside the cells');
});

test('two people who act in turn have a line each', () => {
  const l = log();
  l.did(2, 'flip', piece(1), piece(1, { face: 1 }));
  l.did(3, 'flip', piece(2), piece(2, { face: 1 }));
  l.did(2, 'flip', piece(3), piece(3, { face: 1 }));
  assert.deepEqual(l.lines.map(({ by }) => by), [2, 3, 2]);
});

test('the same doing much later is a line of its own, and so is a second move of a piece', () => {
  const l = log();
  l.did(2, 'flip', piece(1), piece(1, { face: 1 }));
  l.did(2, 'flip', piece(1, { face: 1 }), piece(1), 60_000);
  l.carry(7, 100, 200);
  l.carry(7, 200, 300);
  assert.deepEqual(l.lines.map(({ op }) => op), ['flip', 'flip', 'move', 'move']);
});

// Clauses: T86.17
test('T86.17 a line names the zones between which a piece has moved', () => {
  const l = log();
  assert.deepEqual(l.carry(7, -3000, -2000)?.what.get(7)?.move, { from: 'pit 3', to: 'pit 2' });
  const next = l.carry(8, -2000, 0, 100); // nothing is captured in a zone
  assert.equal(l.lines.flatMap(({ what }) => [...what.values()]).some(({ taken }) => taken), false);
  assert.deepEqual(next?.what.get(8)?.move, { from: 'pit 2', to: '' });
  assert.deepEqual(l.carry(9, 100, -2000)?.what.get(9)?.move, { from: '1', to: 'pit 2' });
});

test('T62 what goes off a cell before the move there ends was captured', () => {
  const l = log();
  const line = l.capture(7, 8, 100, 400);
  assert.deepEqual(inShort(l), [['move', 1]]);
  assert.deepEqual(line?.what.get(7)?.move, { from: '1', to: '4' });
  assert.equal(line?.what.get(7)?.taken?.id, 8);
});

test('T62 what goes off another cell, or by somebody else, was not captured', () => {
  for (const [by, x] of [[2, 500], [3, 400]]) {
    const l = log();
    l.capture(7, 8, 100, 400, by, x);
    const taken = l.lines.flatMap(({ what }) => [...what.values()]).map((done) => done.taken);
    assert.ok(taken.every((t) => t === undefined));
  }
});

test('T62 a piece out of a hand is played, and one that goes out of sight is put away', () => {
  const l = log();
  assert.equal(l.did(2, 'release', null, piece(1))?.op, 'played');
  assert.equal(l.did(2, 'release', piece(2, { owner: 2 }), piece(2, { x: 5 }))?.op, 'played');
  assert.equal(l.did(3, 'release', piece(3), null)?.op, 'hid');
  assert.equal(l.did(2, 'release', piece(4), piece(4, { owner: 2 }))?.op, 'took');
});

test('what the server does by itself, and what has a notice, makes no line of its own', () => {
  const l = log();
  assert.equal(l.did(0, 'reveal', piece(1), piece(1, { face: 1 })), null);
  assert.equal(l.did(2, 'draw', null, piece(1)), null);
  const notice = { piece: piece(9, { x: 70 }), count: 5, to: 0 };
  assert.equal(l.add({ by: 2, op: 'deal', notice })?.count, 5);
  assert.deepEqual(l.lines.map(({ op, place }) => [op, place?.x]), [['deal', 70]]);
});

test('people come, leave, are put out and change sides', () => {
  const l = log();
  /** @type {import('../js/types.js').Seat} */
  const seat = {
    id: 2, role: 'player', nick: 'Ben', colour: 0, presence: 'here', left: 0, side: 0,
  };
  l.add({ by: 2, op: 'seat', seat: { before: null, after: seat } });
  l.add({ by: 2, op: 'seat', seat: { before: seat, after: { ...seat, side: 1 } } });
  l.add({ by: 2, op: 'seat', seat: { before: null, after: { ...seat, side: 2, placedBy: 1 } } });
  l.add({ by: 2, op: 'seat', seat: { before: seat, after: { ...seat, nick: 'Benno' } } });
  l.add({ by: 2, op: 'seat', seat: { before: seat, after: { ...seat, left: 1 } } });
  const cleo = /** @type {const} */ ({ ...seat, id: 3, role: 'spectator' });
  l.add({ by: 3, op: 'seat', seat: { before: null, after: cleo } });
  assert.deepEqual(l.lines.map(({ op, by, to }) => [op, by, to]), [
    ['joined', 2, 0], ['side', 2, 0], ['side', 2, 1], ['left', 2, 1], ['watches', 3, 0],
  ]);
});

test('T99.6 the log says who edits the game, and who lets them', () => {
  const l = log();
  /** @type {import('../js/types.js').Seat} */
  const ben = { id: 2, role: 'player', nick: 'Ben', colour: 0, presence: 'here', side: 1 };
  l.add({ by: 2, op: 'seat', seat: { before: ben, after: { ...ben, editsBy: 1 } } });
  l.add({ by: 2, op: 'seat', seat: { before: { ...ben, editsBy: 1 }, after: ben } });
  l.add({ by: 2, op: 'seat', seat: { before: ben, after: { ...ben, editsBy: 2 } } });
  assert.deepEqual(l.lines.map(({ op, by, to }) => [op, by, to]),
    [['edits', 2, 1], ['editsNot', 2, 0], ['edits', 2, 2]]);
  const earlier = log();
  earlier.add({ by: 1, op: 'seat', seat: { before: null, after: { ...ben, editsBy: 1 } } });
  earlier.add({ by: 1, op: 'seat', seat: { before: null, after: ben } });
  assert.deepEqual(earlier.lines.map(({ op, by, to }) => [op, by, to]),
    [['edits', 2, 1], ['editsNot', 2, 0]], 'of an answer of the server, too');
});

test('T74.14: the log says who was asked, who agreed, and who is a referee', () => {
  const l = log();
  /** @type {import('../js/types.js').Seat} */
  const eve = {
    id: 3, role: 'spectator', nick: 'Eve', colour: 0, presence: 'here', left: 0, side: 0,
  };
  /** @type {import('../js/types.js').Seat} */
  const ben = { ...eve, id: 2, role: 'player', nick: 'Ben' };
  const next = (/** @type {import('../js/types.js').Seat} */ after) =>
    l.add({ by: 1, op: 'seat', seat: { before: null, after } });
  for (const seat of [eve, ben]) next(seat);
  next({ ...eve, proposal: 1 });
  next(eve);
  next({ ...eve, proposal: 2 });
  next({ ...ben, agreed: 2 });
  next({ ...eve, role: 'referee' });
  next({ ...ben, agreed: 2, role: 'spectator' });
  next({ ...ben, agreed: 2 });
  assert.deepEqual(l.lines.slice(2).map(({ op, by }) => [op, by]), [
    ['proposed', 3], ['notReferee', 3], ['proposed', 3], ['agreed', 2], ['referee', 3],
    ['spectator', 2], ['satDown', 2],
  ]);
  const page = log();
  page.add({ by: 1, op: 'seat', seat: { before: null, after: { ...eve, role: 'referee' } } });
  assert.equal(page.lines[0].op, 'referee', 'an earlier page begins with it');
});

test('T64 a line of chat stands between the moves, and a deletion changes it', () => {
  const l = log();
  l.carry(7, 100, 400);
  l.add({ by: 3, op: 'say', chat: { line: 77, text: 'Nice!', to: 0 } });
  l.carry(8, 100, 400);
  const gone = l.add({ by: 3, op: 'unsay', chat: { line: 77, text: '', to: 0, isDeleted: true } });
  assert.equal(gone, l.lines[1]);
  assert.deepEqual(l.lines.map(({ chat }) => chat?.text ?? '-'), ['-', '', '-']);
  const unknown = { line: 1, text: '', to: 0, isDeleted: true };
  assert.equal(l.add({ by: 1, op: 'unsay', chat: unknown }), null, 'its author is not known');
  const listed = l.add({ by: 3, op: 'say', chat: { ...unknown, line: 2 } });
  assert.deepEqual([listed?.by, listed?.chat?.isDeleted], [3, true]);
});

test('how cards lie in a hand makes no line', () => {
  const l = log();
  const card = piece(7, { owner: 2 });
  assert.equal(l.did(2, 'move', card, { ...card, x: 40 }), null);
  assert.equal(l.did(2, 'rotate', card, { ...card, angle: 9000 }), null);
  const held = { ...card, holder: 2 };
  l.did(2, 'grab', card, held);
  assert.equal(l.did(2, 'release', held, { ...card, x: 80 }), null);
  const hand = piece(8, { owner: 2, kind: HAND });
  assert.equal(l.did(2, 'move', hand, { ...hand, x: 50 })?.op, 'move');
  assert.equal(l.did(2, 'flip', card, { ...card, face: 1 })?.op, 'flip');
});

test('T65 entries of the server become the same as events of the stream', () => {
  const moved = happeningOf({
    version: 65536, at: 9, by: 2, op: 'release',
    piece: { id: 7, before: { x: 100, kind: 3 }, after: { x: 400, kind: 3 } },
  });
  assert.deepEqual(moved.piece?.before, piece(7, { x: 100, kind: 3 }));
  assert.deepEqual(moved.piece?.after, piece(7, { x: 400, kind: 3 }));
  const dealt = happeningOf({ at: 9, by: 2, op: 'deal', notice: { piece: 9, count: 5, kind: 4 } });
  assert.deepEqual(dealt.notice, { piece: piece(9, { kind: 4 }), count: 5, to: 0 });
  const said = happeningOf({ at: 9, by: 2, op: 'say', chat: { line: 5, deleted: true } });
  assert.deepEqual(said.chat, { line: 5, text: '', to: 0, isDeleted: true, isLost: false });
  const lost = happeningOf({ at: 9, by: 2, op: 'say', chat: { line: 5, lost: true } });
  assert.deepEqual(lost.chat, { line: 5, text: '', to: 0, isDeleted: false, isLost: true });
});

test('T63 what somebody takes back at a time is one line, without the pieces', () => {
  const l = log();
  l.did(1, 'undo', piece(7, { x: 300 }), piece(7, { x: 200 }));
  l.did(1, 'undo', piece(8, { x: 300 }), piece(8, { x: 100 }), 0);
  assert.deepEqual(l.lines.map(({ op, by }) => [op, by]), [['undo', 1]]);
});

test('T63 a line says what an undo did, as far as this view was shown it', () => {
  for (const [op, before, after] of /** @type {const} */ ([
    ['broughtBack', null, piece(7)],
    ['tookBack', piece(7), null],
    ['putBack', piece(7, { owner: 1 }), null],
    ['turnedBack', piece(7, { face: 1 }), piece(7)],
    ['undo', piece(7, { face: 1, owner: 1 }), piece(7)],
    ['turnedBack', piece(7), piece(7, { kind: 2 })],
    ['undo', piece(7, { x: 300, face: 1 }), piece(7)],
    ['undo', piece(7, { x: 300 }), piece(7)],
  ])) {
    const l = log();
    l.did(1, 'undo', before, after);
    assert.deepEqual(l.lines.map((line) => [line.op, [...line.what.keys()]]), [[op, [7]]]);
  }
});

test('T63 the line of an undo says between which cells the piece went back', () => {
  const l = log();
  const line = l.did(1, 'undo', piece(7, { x: 300 }), piece(7, { x: 200 }));
  assert.deepEqual(line?.what.get(7)?.move, { from: '3', to: '2' });
  const off = l.did(1, 'undo', piece(8, { x: -5 }), piece(8, { x: 200 }));
  assert.deepEqual(off?.what.get(8)?.move, { from: '', to: '2' });
  const out = l.did(1, 'undo', piece(9, { x: 200 }), piece(9, { x: -5 }), 0);
  assert.equal(out?.what.get(9)?.move, undefined);
});

test('T63 an undo that does several things is one line', () => {
  const l = log();
  l.did(1, 'undo', null, piece(7));
  l.did(1, 'undo', piece(8), null, 0);
  l.did(1, 'undo', null, piece(9), 0);
  assert.deepEqual(l.lines.map(({ op }) => op), ['undo']);
  l.did(1, 'undo', null, piece(10), 1);
  assert.deepEqual(l.lines.map(({ op }) => op), ['undo', 'broughtBack']);
});

test('T65 going back to a save point is a line', () => {
  const l = log();
  l.did(2, 'flip', piece(7), piece(7, { face: 1 }));
  const rewound = /** @type {const} */ ({ kind: 'named', name: 'Before the end game', at: 5 });
  const line = l.add(happeningOf({ at: 9, by: 1, op: 'rewind', rewound }));
  assert.deepEqual([line?.by, line?.op, line?.rewound], [1, 'rewind', rewound]);
  assert.equal(l.lines.length, 2);
});

test('addresses of pages become links, and nothing else does', () => {
  const text = 'See https://example.org/a?b=c, or javascript:alert(1) <b> (http://x.y/z).';
  assert.deepEqual(split(text).filter(({ href }) => href).map(({ href }) => href), [
    'https://example.org/a?b=c', 'http://x.y/z',
  ]);
  assert.equal(split(text).map((part) => part.text).join(''), text);
  assert.deepEqual(split('http://'), [{ text: 'http://', href: '' }]);
});

test('a line rings for whom it names with an @, and not for whoever has a longer name', () => {
  const seats = new Map([[2, { nick: 'Ada L.' }]]);
  const s = /** @type {any} */ ({ sync: { you: 2, seats } });
  const rings = (/** @type {string} */ text, to = 0) => isAddressed(s, { text, to });
  assert.ok(rings('well, @ada l.: your turn'));
  assert.ok(!rings('Ada L. is here'));
  assert.ok(rings('psst', 2));
  seats.set(2, { nick: 'Ada' });
  assert.ok(rings('@Ada!') && rings('@Adam or @ada'));
  assert.ok(!rings('@Adam'));
});

test('T76 what several people have chosen is one line, with who chose what', () => {
  const l = log();
  l.did(2, 'choice', null, piece(7, { x: 100 }));
  l.did(3, 'choice', null, piece(8, { x: 200 }), 0);
  assert.equal(l.lines.length, 1);
  assert.deepEqual([...l.lines[0].what].map(([id, { by }]) => [id, by]), [[7, 2], [8, 3]]);
  l.did(2, 'choice', null, piece(9, { x: 100 }), 60_000);
  assert.equal(l.lines.length, 2);
});

test('T88.6, T92 what a set-up deals to one player after the other is one line', () => {
  const l = log();
  const deck = piece(7);
  const deal = (/** @type {number} */ count) =>
    l.add({ by: 1, op: 'deal', notice: { piece: deck, count, to: 0 } });
  deal(4);
  deal(4);
  assert.equal(l.lines.length, 2, 'people deal twice');
  l.add({ by: 1, op: 'rewind', rewound: { kind: 'set-up', at: 0 } });
  for (let i = 0; i < 3; i++) deal(4);
  assert.equal(l.lines.length, 4);
  deal(1);
  assert.equal(l.lines.length, 5, 'another number is another line');
});
