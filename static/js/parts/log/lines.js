// Makes the lines of the log from what happened, as data. A line is of one gesture (T62): what one
// person did from a grab to the release of the last piece, or the same doings of one batch. Only
// repeated doings of which the last one says it all are one line, too. Sentences are made when a
// line is drawn (words.js).

/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/**
 * Something that happened, as this view was shown it. It has one of `piece`, `notice`, `seat`,
 * `chat` and `rewound`.
 * @typedef {object} Happening
 * @property {number} at server time, in ms
 * @property {number} by the seat that did it; 0: the server
 * @property {string} op
 * @property {{id: number, before: Piece|null, after: Piece|null}} [piece] null: this view did not
 *   see it then
 * @property {{piece: Piece|null, count: number, to: number}} [notice] with the piece as it is seen
 * @property {{before: Seat|null, after: Seat}} [seat] before: null if that is not known
 * @property {Chat} [chat]
 * @property {Rewound} [rewound]
 * @property {number} [gesture] of which gesture it is, as gestureOf says
 */
/**
 * @typedef {Pick<import('../../types.js').Seat,
 *   'id'|'nick'|'left'|'side'|'placedBy'|'editsBy'|'role'|'proposal'|'agreed'|'erased'|'opened'>
 * } Seat
 */
/**
 * A line that somebody has written.
 * @typedef {object} Chat
 * @property {number} line its identifier; 0 while it waits to be sent
 * @property {string} text
 * @property {number} to the only seat beside its author that gets it; 0: everybody does
 * @property {boolean} [isDeleted]
 * @property {boolean} [isLost] the server cannot read its text any more
 */
/**
 * The save point to which the table went back.
 * @typedef {object} Rewound
 * @property {'named'|'set-up'|'auto'|'before'} kind
 * @property {string} [name] of a named one
 * @property {number} at when it was made
 */
/**
 * What somebody did to one piece.
 * @typedef {object} Done
 * @property {Piece} piece as it is seen last
 * @property {number} [by] who had chosen it, in a round
 * @property {{from: string, to: string}} [move] names of cells or zones; '': none
 * @property {Piece} [taken] what it captured
 * @property {boolean} [isSwept] it was moved off a cell without being carried
 * @property {Piece} [source] the container from which it was drawn by that move
 * @property {boolean} [isRolled] by a press of a button
 * @property {boolean} [isUp] a press has turned it up
 */
/**
 * A line of the log.
 * @typedef {object} Line
 * @property {number} key tells it apart from all others
 * @property {number} at server time of its first happening, in ms
 * @property {number} last server time of its last happening
 * @property {number} by
 * @property {string} op what was done: an operation, or `played`, `hid`, `joined`, `watches`,
 *   `left`, `side`, `edits`; of an undo what it did, see undoneAs
 * @property {Map<number, Done>} what the pieces, by their identifiers
 * @property {number} count of a notice; 0: not known
 * @property {number[]} [undone] of a press: the steps that were not done, as their notices say
 * @property {number} [dealt] of a press: how many cards it dealt to each; 0: not known
 * @property {number} to the seat to whom something was shown, or that ended it, gave the place
 *   (T98) or lets it edit (T99); 0: none
 * @property {Point|null} place where it happened
 * @property {number} gesture tells the gestures apart; 0: it is of none
 * @property {Chat|null} chat
 * @property {Rewound|null} rewound
 * @property {boolean} [ofSetUp] it is of a set-up that began just before (T88)
 */
/**
 * A piece that somebody holds: as it lay before, and what was done to it since; '': nothing. If it
 * came out of something into their hand, by which operation.
 * @typedef {{from: Piece|null, did: string, out?: 'split'|'draw'}} Held
 */
/**
 * What the lines need to know of the table.
 * @typedef {object} Words
 * @property {(at: Point) => string} cell the name of the cell at a place; '': it has none
 * @property {(at: Point) => string} zone the same for zones (T86)
 * @property {(piece: Piece) => boolean} isHand
 * @property {(before: Piece|null, after: Piece|null) => boolean} turnsUp whether a change has
 *   turned a piece up
 * @property {(piece: Piece) => boolean} isButton
 */

/**
 * What somebody does now: which pieces they hold, and by which operation they did something last,
 * and when.
 * @typedef {{gesture: number, holds: Set<number>, op: string, at: number}} Doing
 */

/** For how long what belongs together is one line, in ms. */
const TOGETHER = 3000;

/** What may be done to one piece again and again: the last time says all. */
const REPEATED = new Set(['count', 'rotate', 'write']);

/** The same for what one press of a button does, from each piece to the next one, in ms. */
const PRESS = 200;

/** Operations that have a notice of their own (T26, T28). Their updates make no line. */
const NOTICED = new Set(['shuffle', 'deal', 'draw', 'recall', 'cut', 'peek', 'show']);

/** What makes no line: it says nothing to people, or something else says it. */
const SILENT = new Set([
  'raise', 'lower', 'setz', 'respread', 'settle', 'reveal', 'renew', 'merge', 'unspecified',
]);

let keys = 0;
let gestures = 0;

/**
 * Returns what makes lines of happenings, which must come in order.
 * @param {Words} words
 */
export function createLines(words) {
  /** @type {Line[]} */
  const lines = [];
  /** What people hold, by seat and piece. @type {Map<string, Held>} */
  const held = new Map();
  /** What people do, by seat. @type {Map<number, Doing>} */
  const doing = new Map();
  /** The seats as they were last, by their numbers. @type {Map<number, Seat>} */
  const seats = new Map();
  return {
    lines,
    /**
     * Takes in what happened.
     * @param {Happening} h
     * @returns {Line|null} the line that is new or has changed; null if there is none
     */
    add(h) {
      if (h.chat) return addChat(lines, h, h.chat);
      if (h.rewound) {
        doing.clear();
        return begin(lines, h, { rewound: h.rewound });
      }
      if (h.seat) {
        const { after } = h.seat;
        const before = h.seat.before ?? seats.get(after.id) ?? null;
        seats.set(after.id, after);
        return addSeat(lines, h, { before, after });
      }
      const gesture = h.piece ? gestureOf(doing, h, h.piece) : 0;
      if (h.notice && h.op === 'run') return addUndone(lines, h, h.notice);
      const press = pressOf(lines, h);
      if (press) return addToPress(press, words, h);
      if (h.notice) return addNotice(lines, h, h.notice);
      return h.piece ? addPiece(lines, held, words, { ...h, gesture }, h.piece) : null;
    },
    /** A piece has another identifier now (T21). @param {number} from @param {number} to */
    rename(from, to) {
      for (const { holds } of doing.values()) if (holds.delete(from)) holds.add(to);
    },
  };
}

/**
 * Returns of which gesture something that was done to a piece is (T62), and follows who holds it.
 * Views are not told which client of a seat did something: all clients of a seat count as one.
 * @param {Map<number, Doing>} doing
 * @param {Happening} h
 * @param {NonNullable<Happening['piece']>} of
 */
function gestureOf(doing, { at, by, op }, { id, after }) {
  const own = doing.get(by) ?? { gesture: 0, holds: new Set(), op: '', at: 0 };
  doing.set(by, own);
  const goesOn = own.holds.size > 0 || own.op === op && own.at === at;
  if (!goesOn) own.gesture = ++gestures;
  Object.assign(own, { op, at });
  for (const [seat, { holds }] of doing) if (seat !== after?.holder) holds.delete(id);
  if (after?.holder === by) own.holds.add(id);
  return own.gesture;
}

/**
 * Returns the line of the press of a button of which h is a step (T84); null if it is none.
 * @param {Line[]} lines
 * @param {Happening} h
 */
function pressOf(lines, { at, by, op }) {
  const last = lines[lines.length - 1];
  const is = last?.op === 'run' && op !== 'run' && last.by === by && at - last.last <= PRESS;
  return is ? last : null;
}

/**
 * Adds a step to the line of a press.
 * @param {Line} line
 * @param {Words} words
 * @param {Happening} h
 */
function addToPress(line, words, { at, op, piece, notice }) {
  line.last = at;
  if (notice && op === 'deal') {
    const { dealt = notice.count } = line;
    line.dealt = dealt === notice.count ? dealt : 0;
    return line;
  }
  const seen = piece?.after ?? piece?.before;
  if (!piece || !seen || SILENT.has(op)) return null;
  const isRolled = op === 'roll';
  const isUp = !isRolled && words.turnsUp(piece.before, piece.after);
  line.what.set(piece.id, { piece: seen, ...(isRolled && { isRolled }), ...(isUp && { isUp }) });
  return line;
}

/**
 * Adds a step that was not done to the line of its press (T87).
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {NonNullable<Happening['notice']>} notice with the number of the step
 */
function addUndone(lines, { at, by }, { count }) {
  const last = lines[lines.length - 1];
  if (last?.op !== 'run' || last.by !== by || at - last.last > PRESS) return null;
  last.undone = [...last.undone ?? [], count];
  return last;
}

/** @param {Line[]} lines @param {Happening} h @param {Partial<Line>} more @returns {Line} */
function begin(lines, { at, by, op, gesture = 0 }, more) {
  const line = {
    key: ++keys, at, last: at, by, op, what: new Map(), count: 0, to: 0, place: null, chat: null,
    rewound: null, gesture,
    ...more,
  };
  lines.push(line);
  return line;
}

/** @param {Line[]} lines @param {Happening} h @param {Chat} chat */
function addChat(lines, h, chat) {
  const known = chat.line && lines.find((line) => line.chat?.line === chat.line);
  if (known) {
    known.chat = chat;
    return known;
  }
  // Of a deletion it is not known who had written the line.
  return h.op === 'unsay' ? null : begin(lines, h, { chat, to: chat.to });
}

/** @param {Line[]} lines @param {Happening} h @param {NonNullable<Happening['seat']>} seat */
function addSeat(lines, h, { before, after }) {
  const line = (/** @type {string} */ op, /** @type {Partial<Line>} */ more = {}) =>
    begin(lines, { ...h, by: after.id, op }, more);
  if (after.left) {
    // The page of the log does not say what the seat was before: an erasure follows the end (T80).
    const known = before?.left ||
      after.erased && lines.some((of) => of.op === 'left' && of.by === after.id);
    return known ? null : line('left', { to: after.left });
  }
  if (!before) {
    if (after.role === 'referee') return line('referee');
    if (after.proposal) return line('proposed');
    if (after.opened) return line('opened');
    if (after.editsBy) return line('edits', { to: after.editsBy });
    if (after.agreed) return line('agreed');
    return line(after.role === 'spectator' ? 'watches' : 'joined');
  }
  if (before.role !== after.role) return line(roleLine(before, after));
  if ((before.agreed ?? 0) !== (after.agreed ?? 0)) return line('agreed');
  if ((before.opened ?? 0) !== (after.opened ?? 0)) return line(after.opened ? 'opened' : 'closed');
  if ((before.proposal ?? 0) !== (after.proposal ?? 0))
    return line(after.proposal ? 'proposed' : 'notReferee');
  if ((before.editsBy ?? 0) !== (after.editsBy ?? 0))
    return after.editsBy ? line('edits', { to: after.editsBy }) : line('editsNot');
  const isMoved = before.side !== after.side && after.side;
  return isMoved ? line('side', { to: after.placedBy ?? 0 }) : null;
}

/** Returns what a new role is called in a line. @param {Seat} before @param {Seat} after */
function roleLine(before, after) {
  if (after.role === 'co-host') return 'cohost';
  return before.role === 'spectator' && after.role === 'player' ? 'satDown' : after.role;
}

/** @param {Line[]} lines @param {Happening} h @param {NonNullable<Happening['notice']>} notice */
function addNotice(lines, h, { piece, count, to }) {
  const what = new Map(piece ? [[piece.id, { piece }]] : []);
  const last = lines[lines.length - 1];
  const ofSetUp = last !== undefined && h.at - last.last <= PRESS && last.by === h.by &&
    (last.rewound !== null || last.ofSetUp === true);
  // The steps of a set-up deal to one player after the other (T92), and what goes back is shuffled.
  if (ofSetUp && last.op === h.op && last.count === count && last.what.has(piece?.id ?? 0)) {
    last.last = h.at;
    return null;
  }
  return begin(
    lines, h, { what, count, to, place: piece && { x: piece.x, y: piece.y }, ofSetUp },
  );
}

/**
 * @param {Line[]} lines
 * @param {Map<string, Held>} held
 * @param {Words} words
 * @param {Happening} h
 * @param {NonNullable<Happening['piece']>} of
 */
function addPiece(lines, held, words, h, { id, before, after }) {
  const seen = after ?? before;
  const key = `${h.by} ${id}`;
  const isOut = !before && after?.holder === h.by && (h.op === 'split' || h.op === 'draw');
  if (!seen || SILENT.has(h.op) || NOTICED.has(h.op) || h.by === 0) {
    if (isOut && h.op === 'draw') held.set(key, { from: null, did: '', out: h.op });
    return null;
  }
  if (h.op === 'choice') return appendChoice(lines, h, id, seen);
  if (h.op === 'undo') {
    const move = before && after && { from: words.cell(before), to: words.cell(after) };
    const done = { piece: seen, ...(move?.to && { move }) };
    return appendUndo(lines, { ...h, op: undoneAs(before, after) }, id, done);
  }
  if (h.op === 'run') {
    // Each press is a line, however soon it follows another one. A step changes how a piece lies.
    if (words.isButton(seen) && before?.face === after?.face && before?.angle === after?.angle) {
      const { x, y } = seen;
      return begin(lines, h, { what: new Map([[id, { piece: seen }]]), place: { x, y } });
    }
    const isUp = words.turnsUp(before, after);
    return append(lines, h, id, { piece: seen, ...(isUp && { isUp }) });
  }
  if (h.op === 'split' && before && before.value === after?.value) return null; // it is a supply
  if (isOut && h.op === 'split') {
    held.set(key, { from: null, did: '', out: h.op });
    return append(lines, h, id, { piece: seen });
  }
  if (h.op === 'grab') {
    held.set(key, { from: before, did: '' });
    return null;
  }
  if (h.op === 'wrest') held.set(key, { from: before, did: '' });
  const own = held.get(key);
  if (after?.holder !== h.by) held.delete(key);
  if (!MOVES.has(h.op)) {
    if (h.op === 'rotate' && staysInHand(words, before, after)) return null;
    if (h.op === 'delete' && isGivenBack(lines, h, id)) return lines[lines.length - 1];
    if (!own || h.op === 'wrest') return append(lines, h, id, { piece: seen });
    own.did = h.op;
    return null; // the release says it
  }
  if (after && after.holder === h.by) return null; // it is still on its way
  const from = own?.from ?? before;
  const isPut = !staysInHand(words, from, after);
  const went = !from ? 'played' : !after ? 'hid' : (isPut && movedAs(from, after)) || own?.did;
  if (!went) return null;
  const move = went === 'move' && from && after
    ? { from: placeAt(words, from), to: placeAt(words, after) }
    : undefined;
  const isSwept = h.op === 'move' && move?.from && !move.to;
  const taken = move?.to && after && words.cell(after) && takenOff(lines, h, move.to);
  const out = move && own?.out && putDown(lines, h, own.out, { piece: seen, move });
  return out || append(lines, { ...h, op: went }, id, {
    piece: seen, ...(move && { move }), ...(isSwept && { isSwept }), ...(taken && { taken }),
  });
}

/**
 * Says in the line in which a piece came out of something where it was put: that is one gesture.
 * @param {Line[]} lines
 * @param {Happening} h the release
 * @param {'split'|'draw'} out by which operation it came out
 * @param {Done & {move: {to: string}}} done
 * @returns {Line|null} null if there is no such line, or it says more than that
 */
function putDown(lines, { at, by }, out, done) {
  const { piece, move: { to } } = done;
  const line = lines.findLast((of) => of.by === by && of.op === out);
  if (!line) return null;
  const [source] = line.what.values();
  if (out === 'draw' ? line.count !== 1 || !to : line.what.size !== 1 || !line.what.has(piece.id))
    return null;
  if (to) line.op = 'move';
  line.what = new Map([[piece.id, out === 'draw' ? { ...done, source: source?.piece } : done]]);
  line.last = at;
  line.place = { x: piece.x, y: piece.y };
  return line;
}

/** What may be the line of a piece that is then put on its supply. */
const BEFORE_BACK = new Set(['split', 'move', 'played', 'gaveBack']);

/**
 * Returns whether a deletion follows from a release on a supply (T89), and says so in its line.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {number} id
 */
function isGivenBack(lines, { at, by }, id) {
  const last = lines[lines.length - 1];
  if (!last || last.by !== by || last.last !== at || !last.what.has(id)) return false;
  if (!BEFORE_BACK.has(last.op)) return false;
  last.op = 'gaveBack';
  return true;
}

/**
 * What an undo has done to a piece, as this view was shown it: brought it back, taken it back from
 * the table, put it back out of a hand, or turned it over again. It is `undo` if there is no better
 * word.
 * @param {Piece|null} before
 * @param {Piece|null} after
 */
function undoneAs(before, after) {
  if (!before) return 'broughtBack';
  if (!after) return before.owner ? 'putBack' : 'tookBack';
  // A card that is face down has another kind: its back.
  const isTurned = before.face !== after.face || before.kind !== after.kind;
  const stays = before.owner === after.owner && before.x === after.x && before.y === after.y;
  return isTurned && stays ? 'turnedBack' : 'undo';
}

/** What undoneAs returns. */
const UNDONE = new Set(['broughtBack', 'tookBack', 'putBack', 'turnedBack', 'undo']);

/**
 * Adds a piece to the line of an undo. If one undo does several things, no single word says it.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {number} id
 * @param {Done} done
 */
function appendUndo(lines, h, id, done) {
  const last = lines[lines.length - 1];
  if (last && UNDONE.has(last.op) && last.by === h.by && last.last === h.at && last.op !== h.op) {
    last.op = 'undo';
    return append(lines, { ...h, op: 'undo' }, id, done);
  }
  return append(lines, h, id, done);
}

/**
 * Adds a piece that somebody has chosen in a round (T76) to the line of what all have chosen.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {number} id
 * @param {Piece} piece
 */
function appendChoice(lines, h, id, piece) {
  const known = lines.findLast((line) => line.op === 'choice' && h.at - line.at < TOGETHER);
  const line = known ?? begin(lines, h, { place: { x: piece.x, y: piece.y } });
  line.what.set(id, { piece, by: h.by });
  line.last = h.at;
  return line;
}

/**
 * Returns whether a piece lies in the same hand as before. How it lies there makes no line: pages
 * lay the cards of a hand in a row by themselves.
 * @param {Words} words
 * @param {Piece|null} before
 * @param {Piece|null} after
 */
function staysInHand(words, before, after) {
  return before !== null && after !== null && after.owner !== 0 &&
    before.owner === after.owner && !words.isHand(after);
}

/** Operations by which a piece comes to lie elsewhere. */
const MOVES = new Set(['release', 'move', 'stow', 'give']);

/**
 * Returns what a piece that both were seen has done: come out of a hand, gone into one, or moved;
 * '' if it lies where it lay.
 * @param {Piece} from
 * @param {Piece} to
 */
function movedAs(from, to) {
  if (from.owner !== to.owner) return to.owner ? 'took' : 'played';
  return from.x !== to.x || from.y !== to.y ? 'move' : '';
}

/**
 * Returns the piece that the same gesture has moved off a cell just before, and takes it out of the
 * line: the piece that is put on the cell has captured it. The page of the captor moves it.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {string} cell
 * @returns {Piece|null}
 */
function takenOff(lines, { at, gesture }, cell) {
  const line = lines.findLast((of) => of.gesture === gesture);
  if (line?.op !== 'move' || at - line.last > TOGETHER) return null;
  for (const [id, { piece, move, isSwept }] of line.what)
    if (isSwept && move?.from === cell) {
      line.what.delete(id);
      return piece;
    }
  return null;
}

/**
 * Returns the name of the cell or of the zone at a place; '' if it has none.
 * @param {Words} words
 * @param {Point} at
 */
const placeAt = (words, at) => words.cell(at) || words.zone(at);

/**
 * Adds what was done to a piece to the line of its gesture that says the same, or begins a line.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {number} id
 * @param {Done} done
 */
function append(lines, h, id, done) {
  const { x, y } = done.piece;
  const line = lineFor(lines, h, id);
  if (!line) return begin(lines, h, { what: new Map([[id, done]]), place: { x, y } });
  line.what.set(id, done);
  line.last = h.at;
  line.place = { x, y };
  return line;
}

/**
 * Returns the line that says already what is done to a piece: that of the gesture, or that of the
 * same doing a moment ago, if it may be repeated.
 * @param {Line[]} lines
 * @param {Happening} h
 * @param {number} id
 * @returns {Line|null}
 */
function lineFor(lines, { at, by, op, gesture }, id) {
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i];
    const isSame = !line.chat && line.by === by && line.op === op;
    const isLast = i === lines.length - 1;
    if (op === 'run') return isSame && at - line.last <= PRESS ? line : null;
    if (at - line.last > TOGETHER) return null;
    // A second move of the same piece is a line of its own.
    if (isSame && line.gesture === gesture) return op === 'move' && line.what.has(id) ? null : line;
    const isOfIt = line.what.size === 1 && line.what.has(id);
    if (isLast && isSame && isOfIt && REPEATED.has(op)) return line;
  }
  return null;
}
