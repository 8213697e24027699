import assert from 'node:assert/strict';
import test from 'node:test';
import { bindSending } from '../js/parts/controls/sendmotion.js';

/**
 * A page of 1,000 × 800 px that shows a table of 10,000 × 8,000 units in its middle. One unit is a
 * tenth of a pixel.
 */
function desk() {
  const win = new EventTarget();
  /** @type {any[]} */
  const sent = [];
  /** @type {any} */
  const s = {
    ready: true,
    page: { window: win },
    view: {
      camera: {
        width: 10_000, height: 8000, scale: 1, turn: 0, left: 0, top: 0, w: 1000, h: 800, sx: 500,
        sy: 400, live: null,
      },
      frames: [],
    },
    sync: { you: 1, pieces: new Map(), seats: new Map() },
    catalog: { kinds: [{ width: 2000, height: 1000, hand: true }] },
    input: { carry: null },
    connection: { synchronisations: 0 },
    redraw() {},
    now: 1_780_000_000_007,
    line: true,
    net: { send: (/** @type {any} */ up) => s.line && sent.push(up) > 0, serverNow: () => s.now },
  };
  const stop = bindSending(s);
  /**
   * Draws frames for some ms.
   *
   * @param {number} ms
   * @param {(i: number) => void} [meanwhile]
   * @returns {boolean} whether another one is requested
   */
  const frames = (ms, meanwhile = () => {}) => {
    let more = false;
    for (let i = 0; i < ms / 16; i++) {
      s.now += 16;
      meanwhile(i);
      more = s.view.frames[0](s.now);
    }
    return more;
  };
  /** @param {number} x in px @param {number} y @param {string} [pointerType] */
  const point = (x, y, pointerType = 'mouse') => {
    win.dispatchEvent(
      Object.assign(new Event('pointermove'), { clientX: x, clientY: y, pointerType }),
    );
  };
  return { s, sent, frames, point, stop, win };
}

/** @param {number[]} ids @returns {any} */
const carrying = (...ids) => ({
  by: 'pointer', from: new Map(ids.map((id) => [id, { x: id * 100, y: 0, z: '' }])), dx: 0, dy: 0,
});

test('S12.2, S12.3, S12.4 a drag is sent at multiples of 50 ms, and once more at rest', () => {
  const { s, sent, frames } = desk();
  s.input.carry = carrying(1, 2);
  assert.equal(frames(500), false);
  assert.equal(sent.length, 0, 'it was grabbed and not moved');
  frames(1000, () => {
    s.input.carry.dx += 16;
  });
  const moving = sent.length;
  assert.ok(moving >= 19 && moving <= 21, `${moving} messages in a second`);
  for (const { type, at, pieces, x } of sent) {
    assert.deepEqual([type, at % 50, pieces, x[1] - x[0]], ['motion', 0, [1, 2], 100]);
  }
  assert.equal(frames(500), false, 'then nothing more is sent');
  assert.equal(sent.length, moving + 1);
  assert.deepEqual(
    sent[moving].x, [100 + s.input.carry.dx, 200 + s.input.carry.dx],
    'and others know its place',
  );
});

test('S12 the next drag starts where its pieces lie', () => {
  const { s, sent, frames } = desk();
  s.input.carry = carrying(1);
  s.input.carry.dx = 500;
  frames(200);
  s.input.carry = null;
  frames(100);
  sent.length = 0;
  s.input.carry = carrying(7);
  frames(200);
  assert.deepEqual(sent, []);
  s.input.carry.dx = 1;
  frames(100);
  assert.deepEqual(sent.map(({ pieces, x }) => [pieces, x]), [[[7], [701]]]);
});

test('S12.5 the points are sent again when the stream is synchronised', () => {
  const { s, sent, frames, stop } = desk();
  s.input.carry = carrying(1);
  s.input.carry.dx = 40;
  frames(500);
  const before = sent.length;
  frames(500);
  assert.equal(sent.length, before, 'nothing has moved');
  s.connection.synchronisations++;
  frames(500);
  assert.deepEqual(sent.slice(before).map(({ pieces, x }) => [pieces, x]), [[[1], [140]]]);
  stop();
});

test('S12 motion that a busy stream refused is sent again', () => {
  const { s, sent, frames, stop } = desk();
  s.input.carry = carrying(1);
  s.line = false;
  s.input.carry.dx = 40;
  assert.equal(frames(200), false, 'it draws only on changes');
  s.line = true;
  frames(100);
  assert.deepEqual(sent.map(({ x }) => x), [[140]]);
  stop();
});

test('S13.2 a mouse that moves over the table is sent', () => {
  const { sent, frames, point } = desk();
  point(600, 400);
  frames(100);
  assert.deepEqual(sent.map(({ type, x, y }) => [type, x, y]), [['cursor', 1000, 0]]);
  assert.equal(frames(1000), false);
  assert.equal(sent.length, 1);
  frames(1000, (i) => point(600 + i, 400));
  assert.ok(sent.length >= 19 && sent.length <= 22, `${sent.length} messages`);
  assert.ok(sent.every(({ at }) => at % 50 === 0));
});

test('S13.3 mice elsewhere, fingers and drags send no cursor', () => {
  const { s, sent, frames, point, win } = desk();
  const silent = (/** @type {string} */ what) => {
    frames(200);
    assert.deepEqual(sent, [], what);
  };
  point(600, 400);
  win.dispatchEvent(new Event('pointerleave'));
  silent('it has left');
  s.view.camera.sx = 0;
  point(200, 400);
  silent('it is outside the table');
  s.view.camera.sx = 500;
  point(600, 400, 'touch');
  silent('a finger');
  s.input.carry = carrying(1);
  point(610, 400);
  silent('something is carried');
});

test('S13.4 a mouse over one’s own hand sends nothing, at any angle', () => {
  const { s, sent, frames, point } = desk();
  s.sync.pieces.set(9, { id: 9, kind: 0, x: 1000, y: 0, angle: 9000, owner: 1 });
  point(600, 480); // 80 px below its middle: the hand stands upright
  frames(200);
  assert.deepEqual(sent, []);
  point(690, 400); // beside it
  frames(200);
  assert.equal(sent.length, 1);
  s.sync.pieces.set(9, { id: 9, kind: 0, x: 1000, y: 0, angle: 9000, owner: 2 });
  point(600, 480);
  frames(200);
  assert.equal(sent.length, 2, 'another’s hand is like the table');
});
