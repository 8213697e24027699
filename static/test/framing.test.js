import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Joiner, Uplink } from '../js/parts/datagrams/framing.js';
import { UP } from '../js/net/messages.js';
import { decode } from '../js/net/protobuf.js';
import { encodeUp } from '../js/net/up.js';
import { decodeFrame, MalformedError } from '../js/net/wire.js';
import { Writer } from '../js/net/writer.js';
import { Lossy } from './lossy.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

/** @param {string} hex */
const unhex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));

test('D31.1, D33, D34, D35 messages make frames, by the vectors', () => {
  const rows = vectors('datagrams').joins;
  assert.ok(rows.length >= 7);
  for (const { name, steps } of rows) {
    const joiner = new Joiner();
    for (const [i, { number, bytes, frame }] of steps.entries()) {
      const made =
        number === undefined
          ? joiner.unguaranteed(unhex(bytes))
          : joiner.message(number, unhex(bytes));
      assert.deepEqual(
        made && decodeFrame(made), frame === null ? null : decodeFrame(unhex(frame)),
        `${name}, step ${i}`,
      );
    }
  }
});

/** A message with an update of a piece. @param {number} mark @param {number} piece */
function update(mark, piece) {
  const state = new Writer();
  state.uint(1, piece);
  state.uint(2, mark);
  const frame = new Writer();
  frame.uint(1, 1000 + mark);
  frame.uint(2, mark);
  return frame.message(3, new Writer().message(2, new Writer().message(1, state))).bytes();
}

test('D35.2 a version is sent only after everything up to it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, messages) => {
      const dice = random(seed);
      const order = Array.from({ length: messages }, (_, number) => ({
        number, at: number + dice.below(20),
      })).sort((a, b) => a.at - b.at);
      const joiner = new Joiner();
      const told = new Set();
      let mark = 0;
      for (const { number } of order) {
        const frame = joiner.message(number, update(number + 1, number));
        assert.ok(frame);
        const { mark: said, events } = decodeFrame(frame);
        for (const event of events) if (event.type === 'update') told.add(event.piece.mark);
        if (said === 0) continue;
        assert.ok(said > mark);
        mark = said;
        for (let m = 1; m <= mark; m++)
          assert.ok(told.has(m), `${mark} was sent before ${m}`);
      }
      assert.equal(mark, messages);
    }),
  );
});

test('D31.6 an invalid frame is an error', () => {
  for (const bytes of [[0x1a, 0x05, 0x00], [0x08], [0x0b]]) {
    assert.throws(() => new Joiner().message(0, Uint8Array.from(bytes)), MalformedError);
    assert.throws(() => new Joiner().unguaranteed(Uint8Array.from(bytes)), MalformedError);
  }
});

test('D36.1, D36.2 uplink messages keep their order; motion and pings block nothing', () => {
  const line = new Lossy(1, { delay: 20, loss: 0.3 });
  const up = new Uplink(line.page.conn);
  /** @type {string[]} */
  const said = [];
  for (let i = 0; i < 40; i++) {
    const away = encodeUp({ type: 'away', away: i % 3 === 0 });
    said.push(Buffer.from(away).toString('hex'));
    up.send(line.now, away);
    up.send(line.now, encodeUp({ type: 'motion', at: i, pieces: [1], x: [i], y: [0] }));
    up.send(line.now, encodeUp({ type: 'cursor', at: i, x: i, y: i }));
    up.send(line.now, encodeUp({ type: 'ping', nonce: i + 1 }));
    line.pass(10);
  }
  assert.ok(line.until(() => line.server.executed.length === 40, 5000));
  assert.deepEqual(line.server.executed.map(({ body }) => Buffer.from(body).toString('hex')), said);
  const keys = line.server.loose.map(({ key, body }) => [key, body[0]]);
  assert.ok(keys.length > 60, `${keys.length} of 120 came`);
  const wanted = new Map([[0x1a, 1], [0x22, 2], [0x12, 3]]);
  assert.ok(keys.every(([key, first]) => key === wanted.get(first)));
});

test('D36.3 motion of more than 50 pieces is split to fit into packets', () => {
  for (const pieces of [1, 50, 51, 100, 101, 200]) {
    const line = new Lossy(2, { delay: 20 });
    line.pass(100);
    const many = Array.from({ length: pieces }, (_, i) => 2_000_000_000 + i);
    const places = many.map((_, i) => (i % 2 ? -30_000 : 30_000) + i);
    new Uplink(line.page.conn).send(
      line.now,
      encodeUp({ type: 'motion', at: 1_780_000_000_000, pieces: many, x: places, y: places }),
    );
    line.pass(100);
    const { loose } = line.server;
    assert.equal(loose.length, Math.ceil(pieces / 50));
    assert.ok(loose.every(({ key, body }) => key === (pieces > 50 ? 0 : 1) && body.length < 1000));
    const told = loose.map(({ body }) => decode(body, UP).up);
    assert.deepEqual(
      [told.flatMap((t) => t.pieces), told.flatMap((t) => t.x), told.flatMap((t) => t.y)],
      [many, places, places],
    );
  }
});

test('D3 D36 messages without room wait and keep their order', () => {
  const line = new Lossy(3, { delay: 20 }, { peerLimits: { message: 4096, window: 200 } });
  const up = new Uplink(line.page.conn);
  for (let i = 0; i < 10; i++) up.send(line.now, encodeUp({ type: 'away', away: i % 2 === 0 }));
  assert.ok(up.waiting > 0);
  assert.ok(
    line.until(() => {
      up.flush();
      return line.server.executed.length === 10;
    }, 2000),
  );
  assert.deepEqual(
    line.server.executed.map(({ number }) => number), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.equal(up.waiting, 0);
});
