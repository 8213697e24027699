import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeUp } from '../js/net/up.js';
import { decodeFrame, idsOf, MalformedError, MAX_FRAME } from '../js/net/wire.js';
import { Writer } from '../js/net/writer.js';
import { plays } from '../js/rights.js';
import { random } from './random.js';
import { vectors } from './vectors.js';

const shared = vectors('frames');

/** @param {string} hex */
const unhex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));

/**
 * Whether the bytes are a frame. Anything but a frame or a MalformedError fails the test.
 *
 * @param {Uint8Array} bytes
 * @param {string} what
 */
function decodes(bytes, what) {
  try {
    const frame = decodeFrame(bytes);
    assert.ok(
      Array.isArray(frame.events) &&
        Number.isSafeInteger(frame.mark) &&
        Number.isSafeInteger(frame.time),
      what,
    );
    return true;
  } catch (error) {
    assert.ok(error instanceof MalformedError, `${what}: ${error}`);
    return false;
  }
}

/** The vectors have bytes that are not decoded further as digits. @param {any} frame */
const written = (frame) => ({
  ...frame,
  events: frame.events.map((/** @type {any} */ e) =>
    e.components instanceof Uint8Array
      ? { ...e, components: Buffer.from(e.components).toString('hex') }
      : e,
  ),
});

for (const { name, hex, want } of shared.frames) {
  test(`S3.3, S3.4 ${name}`, () => assert.deepEqual(written(decodeFrame(unhex(hex))), want));
}

for (const { name, hex } of shared.malformed) {
  test(`S3 malformed: ${name}`, () => assert.throws(() => decodeFrame(unhex(hex)), MalformedError));
}

test('S3 absent optional fields of a patch stay absent', () => {
  const { hex } = shared.frames.find(
    (/** @type {any} */ f) => f.name === 'an update of some fields',
  );
  const [event] = decodeFrame(unhex(hex)).events;
  assert.ok(event.type === 'update');
  assert.deepEqual(Object.keys(event.piece).sort(), ['holder', 'id', 'mark', 'x']);
});

for (const [form, hex] of Object.entries({
  'packed together': '1a0c420a0802120601ac02f0a204',
  'a field for each': '1a0d420b0802100110ac0210f0a204',
  'a field for some, the others packed, and an empty pack':
    '1a11420f080212010110ac021203f0a2041200',
})) {
  test(`S3 T26 a list of numbers: ${form}`, () =>
    assert.deepEqual(decodeFrame(unhex(hex)).events, [
      { type: 'shuffled', by: 2, pieces: [1, 300, 70000] },
    ]));
}

test('S3 malformed: a truncated number in a list', () =>
  assert.throws(() => decodeFrame(unhex('1a0942070802120201ac02')), MalformedError));

test('S12 malformed: columns of different lengths', () =>
  assert.throws(() => decodeFrame(unhex('1a054a031a010c')), MalformedError));

test('S12 ids are encoded as differences', () => {
  const paths = { lag: 0, span: 50, ids: [12, 288, 4_294_966_995], x: [], y: [], dx: [], dy: [] };
  assert.deepEqual(idsOf(paths), [12, 300, 2 ** 32 - 1]);
});

test('S9 values that no message can hold are not written', () => {
  for (const nonce of [-1, 0.5, 2 ** 53, Number.NaN])
    assert.throws(() => encodeUp({ type: 'ping', nonce }), RangeError);
});

test('S3 a truncated frame decodes or fails cleanly', () => {
  let refused = 0;
  for (const { name, hex } of shared.frames) {
    const bytes = unhex(hex);
    for (let n = 0; n < bytes.length; n++) {
      if (!decodes(bytes.subarray(0, n), `${name}, ${n} bytes`)) refused++;
    }
  }
  assert.ok(refused > 1000, `${refused} refused`);
});

test('S3 a frame with a changed byte decodes or fails cleanly', () => {
  let refused = 0;
  for (const { name, hex } of shared.frames) {
    const bytes = unhex(hex);
    for (let i = 0; i < bytes.length; i++) {
      for (const flip of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
        const changed = bytes.slice();
        changed[i] ^= flip;
        if (!decodes(changed, `${name}, byte ${i} with ${flip}`)) refused++;
      }
    }
  }
  assert.ok(refused > 1000, `${refused} refused`);
});

test('S3 random bytes decode or fail cleanly', () => {
  for (let seed = 0; seed < 20_000; seed++) {
    const r = random(seed);
    const noise = Uint8Array.from({ length: r.below(40) }, () =>
      r.pick([r.below(256), 0x1a, 0x80, 0x0a, 0x12]),
    );
    decodes(noise, `seed ${seed}`);
  }
});

test('S3 a frame beyond the limit is refused unread', () => {
  assert.throws(() => decodeFrame(new Uint8Array(MAX_FRAME + 1)), MalformedError);
});

test('S3 nested groups are refused, a million empty events are read', () => {
  const groups = new Uint8Array(1_000_000).fill(0x7b);
  assert.throws(() => decodeFrame(groups), MalformedError);
  const events = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i % 2 === 0 ? 0x1a : 0));
  assert.deepEqual(decodeFrame(events).events, []);
});

for (const { up, hex } of shared.ups) {
  test(`S9.1 ${JSON.stringify(up)}`, () => assert.deepEqual(encodeUp(up), unhex(hex)));
}

for (const [what, hex] of Object.entries({
  'an event': '1a076a050802120100',
  'a full state': '1a090a0732050802120100',
})) {
  test(`T29 malformed: counts without a sort, in ${what}`, () =>
    assert.throws(() => decodeFrame(unhex(hex)), MalformedError));
}

test('T23 a team is sent in full: the last one counts', () => {
  const [event] = decodeFrame(unhex('1a1412120a10080110029a01030a01029a01030a0103')).events;
  assert.ok(event.type === 'update');
  assert.deepEqual(event.piece, { id: 1, mark: 2, team: [3] });
});

test('S3 an unknown fact still has its round', () =>
  assert.deepEqual(decodeFrame(unhex('1a0982010608017a020801')).events, [
    { type: 'fair', round: 1, fact: 'unspecified' },
  ]));

/** The role of a seat in a frame that gives its number. @param {number} number */
function roleOf(number) {
  const seat = new Writer();
  seat.uint(1, 7);
  seat.uint(4, number);
  const frame = new Writer().message(3, new Writer().message(5, seat)).bytes();
  const [event] = decodeFrame(frame).events;
  assert.equal(event.type, 'seat');
  return /** @type {any} */ (event).role;
}

/** Whether somebody with that role may play. @param {number} number */
const mayPlay = (number) =>
  plays(/** @type {any} */ ({ sync: { you: 7, seats: new Map([[7, { role: roleOf(number) }]]) } }));

test('S20.9, T66.4 a co-host plays', () => {
  assert.equal(roleOf(4), 'co-host');
  assert.equal(mayPlay(4), true);
});

test('S20.10 every other role that the page does not know counts as a spectator', () => {
  for (const number of [6, 7, 100, 2 ** 31 - 1]) {
    assert.equal(roleOf(number), 'spectator', `role ${number}`);
    assert.equal(mayPlay(number), false, `role ${number}`);
  }
});
