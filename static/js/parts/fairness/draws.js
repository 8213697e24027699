/**
 * Verifiable randomness (docs/fairness.md): the hashed messages, the draws that follow from them,
 * and the mixing of entropy. fairnesspage/verify.js verifies exports with it.
 * parts/fairness/witness.js contributes shares and takes notes with it.
 *
 * The Go package fairness implements the same rules and gives the same results
 * (docs/protocol/vectors/fair.json tests both). No DOM, no clock, no socket, no crypto.subtle.
 * Digests, seeds, entropy, tables and pieces are strings of lower-case hexadecimal digits.
 */

import { hmac, sha256 } from './sha256.js';

/** @typedef {import('./sha256.js').Bytes} Bytes */

const LABEL = 'holt.fair/1 ';
const LABEL2 = 'holt.fair/2 ';
const MAX_SHARES = 64;
const MAX_THINGS = 10_000;
const MAX_SIDES = 2 ** 31;

// ---- bytes ----

/**
 * Encodes bytes.
 * @param {Uint8Array} bytes
 * @returns {string} two lower-case digits for each byte
 */
export function hex(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/**
 * @param {string} digits
 * @returns {Bytes}
 */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * Encodes a message of version 1. Digits become the bytes that they encode, numbers become four
 * bytes, big-endian.
 * @param {string} label of the message
 * @param {(number | { digits: string } | number[])[]} fields
 */
function message(label, ...fields) {
  return labelled(LABEL + label, fields);
}

/**
 * Encodes a message that only rounds of version 2 have.
 * @param {string} label
 * @param {(number | { digits: string } | number[])[]} fields
 */
function message2(label, ...fields) {
  return labelled(LABEL2 + label, fields);
}

/** @param {string} label @param {(number | { digits: string } | number[])[]} fields */
function labelled(label, fields) {
  const head = new TextEncoder().encode(label);
  const parts = [head, ...fields.map((f) => (typeof f === 'object' && 'digits' in f
    ? fromHex(f.digits)
    : numbers(f)))];
  const bytes = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {number | number[]} n */
function numbers(n) {
  const list = typeof n === 'number' ? [n] : n;
  const view = new DataView(new ArrayBuffer(4 * list.length));
  list.forEach((x, i) => {
    view.setUint32(4 * i, x);
  });
  return new Uint8Array(view.buffer);
}

/** @param {string} digits */
const d = (digits) => ({ digits });

/**
 * Returns the fields of a text: its length in bytes, and its bytes in UTF-8.
 * @param {string} s
 * @returns {(number | { digits: string })[]}
 */
function text(s) {
  const bytes = new TextEncoder().encode(s);
  return [bytes.length, d(hex(bytes))];
}

/** Returns the fields of a time: eight bytes. @param {number} at in ms */
const time = (at) => [Math.floor(at / 2 ** 32), at >>> 0];

// ---- hashed messages (F2 to F5, F10) ----

/**
 * Returns the commitment to a seed, which the server publishes before it uses the seed (F2).
 * @param {string} table
 * @param {number} round
 * @param {string} seed
 */
export function seedCommitment(table, round, seed) {
  return hex(sha256(message('commit', d(table), round, d(seed))));
}

/**
 * Returns the commitment to entropy, which a client publishes before it reveals the entropy (F3).
 * @param {string} table
 * @param {number} round
 * @param {number} mix
 * @param {number} seat
 * @param {string} entropy
 */
export function entropyCommitment(table, round, mix, seat, entropy) {
  return hex(sha256(message('entropy', d(table), round, mix, seat, d(entropy))));
}

/**
 * Returns the closing of a mix: the hash of its commitments (F4).
 * @param {string} table
 * @param {number} round
 * @param {number} mix
 * @param {{ seat: number, hash: string }[]} shares in the order of their commitments
 */
export function closingOf(table, round, mix, shares) {
  const list = shares.flatMap((s) => [s.seat, d(s.hash)]);
  return hex(sha256(message('closing', d(table), round, mix, shares.length, ...list)));
}

/**
 * Returns the pool before the first mix (F5).
 * @param {string} commitment of the round
 */
export function firstPool(commitment) {
  return hex(sha256(message('pool', d(commitment))));
}

/**
 * Returns the pool after a mix (F5).
 * @param {string} pool before the mix
 * @param {string} closing
 * @param {{ entropy: string }[]} shares in the order of their commitments; `''`: withheld
 */
export function nextPool(pool, closing, shares) {
  const list = shares.flatMap((s, i) => (s.entropy ? [i + 1, d(s.entropy)] : []));
  return hex(sha256(message('pool', d(pool), d(closing), ...list)));
}

/** The last draw of an audience. @typedef {{ number: number, seal: string }} Head */

/**
 * Returns the end of a round for a next round of version 1 (F10).
 * @param {string} table
 * @param {number} round
 * @param {string} pool
 * @param {Map<number, Head>} heads of the audiences that have draws
 */
export function endOf(table, round, pool, heads) {
  return hex(sha256(message('end', d(table), round, d(pool), ...listed(heads))));
}

/**
 * Returns the fields of heads: their number, then each head in the order of audiences.
 * @param {Map<number, Head>} heads
 */
function listed(heads) {
  const list = [...heads].sort(([a], [b]) => a - b).flatMap(
    ([audience, h]) => [audience, h.number, d(h.seal)],
  );
  return [heads.size, ...list];
}

/**
 * Returns the end of a round for a next round of version 2 (F10).
 * @param {string} table
 * @param {number} round
 * @param {string} seed
 * @param {string} pool
 * @param {string} line of the round; NOTHING if it is of version 1
 * @param {Map<number, Head>} heads
 */
export function keyedEndOf(table, round, seed, pool, line, heads) {
  const sum = sha256(message2('sum', d(table), round, d(pool), d(line), ...listed(heads)));
  return hex(hmac(fromHex(seed))(message2('end', d(hex(sum)))));
}

// ---- names and times (F16) ----

/** Stands for no line, for no end, and for the names of no kinds. */
export const NOTHING = '0'.repeat(64);

/**
 * Adds a name to the running hash of the kinds' names.
 * @param {string} names the hash of the names before
 * @param {string} name
 */
export function kindNames(names, name) {
  return hex(sha256(message2('kind', d(names), ...text(name))));
}

/**
 * Returns the line of a round at its beginning.
 * @param {string} table
 * @param {any} r the round, as in exports
 */
export function lineOf(table, r) {
  const seats = Object.entries(r.seats).sort(([a], [b]) => Number(a) - Number(b));
  return hex(
    sha256(
      message2(
        'head',
        d(table),
        r.round,
        time(r.opened),
        ...[r.commitment, r.before, r.catalog].map(d),
        r.kinds,
        d(r.names),
        seats.length,
        ...seats.flatMap(([seat, name]) => [Number(seat), ...text(String(name))]),
      ),
    ),
  );
}

/**
 * The number of each fact, and the fields that its line binds.
 * @type {Record<string, (f: any) => any[]>}
 */
const LINED = {
  commit: (f) => ['02', f.mix, f.seat, d(f.hash)],
  close: (f) => ['03', f.mix, d(f.closing)],
  reveal: (f) => ['04', f.mix, f.share, d(f.entropy)],
  mix: (f) => ['05', f.mix, f.withheld.length, f.withheld, d(f.pool)],
  tell: (f) => ['07', f.round, d(f.seed)],
  name: (f) => ['08', f.seat, ...text(f.name)],
  grow: (f) => ['09', d(f.catalog), f.kinds, d(f.names)],
  undo: (f) => ['0a', f.of, f.number, f.seat],
};

/**
 * Returns the line after a fact that is not a draw.
 * @param {string} line before the fact
 * @param {any} fact as in exports
 */
export function nextLine(line, fact) {
  const [kind, ...fields] = LINED[fact.fact](fact);
  return hex(sha256(message2('line', d(line), time(fact.at), d(kind), ...fields)));
}

// ---- draws ----

/**
 * What the random numbers of a draw follow from (F7).
 * @typedef {object} DrawKey
 * @property {string} table
 * @property {number} round
 * @property {string} seed
 * @property {string} pool
 * @property {number} audience
 * @property {number} number
 */

/**
 * Returns the random numbers of a draw (F7): a function that returns an integer from 0 to n-1, for
 * n from 1 to 2³¹.
 * @param {DrawKey} lot
 * @returns {(n: number) => number}
 */
export function numbersOf({ table, round, seed, pool, audience, number }) {
  const mac = hmac(
    hmac(fromHex(seed))(message('draw', d(table), round, d(pool), audience, number)),
  );
  let block = 0;
  /** @type {number[]} */
  let words = [];
  const word = () => {
    if (words.length === 0) {
      const view = new DataView(mac(numbers(block++)).buffer);
      words = Array.from({ length: 8 }, (_, i) => view.getUint32(28 - 4 * i)); // taken from the end
    }
    return /** @type {number} */ (words.pop());
  };
  return (n) => {
    if (!(Number.isInteger(n) && n >= 1 && n <= MAX_SIDES))
      throw new RangeError(`a number below ${n}`);
    if (n === 1) return 0;
    const mask = 2 ** (32 - Math.clz32(n - 1)) - 1;
    for (;;) {
      const k = (word() & mask) >>> 0;
      if (k < n) return k;
    }
  };
}

/** The kinds of draws, and their numbers in a record (F8). @type {Record<string, number>} */
export const WHAT = { shuffle: 1, cut: 2, draw: 3, roll: 4, place: 5 };

/**
 * The record of a draw (F7). While its round is sealed, `what` and all later members are missing.
 * @typedef {object} DrawRecord
 * @property {number} audience
 * @property {number} number
 * @property {number} mix
 * @property {string} what
 * @property {number} seat
 * @property {string[]} pieces
 * @property {number[]} inputs
 * @property {number[]} outputs
 */

/**
 * Computes the outputs of a possible draw (F8).
 * @param {DrawRecord} record only the number of its outputs is used
 * @param {(n: number) => number} next the random numbers
 * @returns {number[]}
 */
export function outcomeOf(record, next) {
  const things = [...record.inputs];
  switch (record.what) {
    case 'shuffle':
      for (let i = things.length - 1; i > 0; i--) {
        const k = next(i + 1);
        [things[i], things[k]] = [things[k], things[i]];
      }
      return things;
    case 'draw':
      return record.outputs.map(() => things.splice(next(things.length), 1)[0]);
    case 'cut':
      return [1 + next(things[0] - 1)];
    default:
      return [next(things[0])];
  }
}

/**
 * Returns the seal of a draw (F9).
 * @param {DrawKey} lot
 * @param {string} last the seal before
 * @param {DrawRecord} r
 * @param {{ line: string, at: number }} [bound] in a round of version 2: the line at that moment,
 *   and the time of the draw
 */
export function sealOf(lot, last, r, bound) {
  const of = [d(lot.table), lot.round, d(lot.pool)];
  const record = [
    [r.audience, r.number, r.mix],
    d(WHAT[r.what].toString(16).padStart(2, '0')),
    [r.seat, r.pieces.length],
    d(r.pieces.join('')),
    [r.inputs.length, ...r.inputs],
    [r.outputs.length, ...r.outputs],
  ];
  const bytes = bound
    ? message2('seal', ...of, d(bound.line), d(last), time(bound.at), ...record)
    : message('seal', ...of, d(last), ...record);
  return hex(hmac(fromHex(lot.seed))(bytes));
}

/**
 * Throws a Fault unless the record is of a possible draw (F8). Inputs must be in ascending order.
 * Otherwise somebody who knows the seed could choose an order that leads to the outcome that they
 * want.
 * @param {DrawRecord} r
 */
export function checkRecord(r) {
  /** @param {string} want @param {string | number} got @returns {never} */
  const wrong = (want, got) => {
    throw new Fault('record', want, String(got));
  };
  if (!r.what) wrong(Object.keys(WHAT).join(', '), 'nothing');
  const n = r.inputs.length;
  if (r.pieces.length !== 1 && (r.what !== 'shuffle' || r.pieces.length !== n))
    wrong('1 piece', r.pieces.length);
  for (let i = 1; i < r.pieces.length; i++) {
    const [a, b] = [r.pieces[i - 1], r.pieces[i]];
    if (a >= b) wrong('pieces in ascending order', `${b} behind ${a}`);
  }
  if (r.what === 'shuffle' || r.what === 'draw') {
    const least = r.what === 'shuffle' ? 2 : 1;
    if (n < least || n > MAX_THINGS) wrong(`${least} to ${MAX_THINGS} inputs`, n);
    for (let i = 1; i < n; i++) {
      const [a, b] = [r.inputs[i - 1], r.inputs[i]];
      if (a > b) wrong('inputs in ascending order', `${b} behind ${a}`);
    }
  } else {
    if (n !== 1) wrong('1 input', n);
    const least = r.what === 'cut' ? 2 : 1;
    const most = r.what === 'roll' ? MAX_SIDES : MAX_THINGS;
    const [k] = r.inputs;
    if (k < least || k > most) wrong(`an input from ${least} to ${most}`, k);
  }
  const least = r.what === 'shuffle' ? n : 1;
  const most = r.what === 'shuffle' || r.what === 'draw' ? n : 1;
  const outputs = r.outputs.length;
  if (outputs < least || outputs > most)
    wrong(`${most > least ? `${least} to ${most}` : least} outputs`, outputs);
}

// ---- mixes ----

/** Something that is wrong: what was expected, and what is there. */
export class Fault extends Error {
  /**
   * @param {string} fault
   * @param {string} want
   * @param {string} got
   * @param {number} [position] of an output, from 1
   */
  constructor(fault, want, got, position = 0) {
    super(`${fault}: want ${want}, got ${got}`);
    this.fault = fault;
    this.want = want;
    this.got = got;
    this.position = position;
  }
}

/**
 * The state of mixing entropy into the pool of a round (F3 to F5).
 * @typedef {object} Mixing
 * @property {string} table
 * @property {number} round
 * @property {boolean} revealing whether the present mix is closed
 * @property {number} mixed number of finished mixes
 * @property {string} pool after the last of them
 * @property {{ seat: number, hash: string, entropy: string }[]} shares of the present mix; `''`:
 *   not revealed
 */

/**
 * Returns the state at the beginning of a round.
 * @param {string} table
 * @param {number} round
 * @param {string} commitment
 * @returns {Mixing}
 */
export function mixing(table, round, commitment) {
  return { table, round, revealing: false, mixed: 0, pool: firstPool(commitment), shares: [] };
}

/**
 * Processes a commitment, a close, a revelation or a mix.
 * @param {Mixing} m is changed, unless take throws
 * @param {any} fact as in exports
 * @throws {Fault} if the fact is invalid
 */
export function take(m, fact) {
  const collecting = m.shares.length > 0 ? ['commit', 'close'] : ['commit'];
  const due = m.revealing ? ['reveal', 'mix'] : collecting;
  if (!due.includes(fact.fact)) throw new Fault('phase', [...due, 'draw'].join(', '), fact.fact);
  expect('mix', m.mixed + 1, fact.mix);
  const { shares } = m;
  switch (fact.fact) {
    case 'commit':
      if (shares.length === MAX_SHARES)
        throw new Fault('full', String(MAX_SHARES), String(MAX_SHARES + 1));
      shares.push({ seat: fact.seat, hash: fact.hash, entropy: '' });
      break;
    case 'close':
      expect('closing', closingOf(m.table, m.round, fact.mix, shares), fact.closing);
      m.revealing = true;
      break;
    case 'reveal': {
      const share = shares[fact.share - 1];
      if (!share) throw new Fault('share', `1 to ${shares.length}`, String(fact.share));
      if (share.entropy)
        throw new Fault('twice', `one revelation of share ${fact.share}`, 'another one');
      expect(
        'entropy', share.hash,
        entropyCommitment(m.table, m.round, fact.mix, share.seat, fact.entropy),
      );
      share.entropy = fact.entropy;
      break;
    }
    default: {
      const withheld = shares.flatMap((s, i) => (s.entropy ? [] : [i + 1]));
      expect('withheld', withheld.join(', ') || 'none', fact.withheld.join(', ') || 'none');
      expect(
        'pool', nextPool(m.pool, closingOf(m.table, m.round, fact.mix, shares), shares), fact.pool,
      );
      Object.assign(m, { revealing: false, mixed: fact.mix, pool: fact.pool, shares: [] });
    }
  }
}

/**
 * Throws a Fault unless `want` equals `got`.
 * @param {string} fault
 * @param {string | number} want
 * @param {string | number} got
 * @param {number} [position]
 */
export function expect(fault, want, got, position) {
  if (want !== got) throw new Fault(fault, String(want), String(got), position);
}
