/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104). Browsers have both in crypto.subtle, but not on
 * pages that come over plain http, such as those of a table in the living room. No DOM.
 */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {number} count */
function primes(count) {
  const found = [2];
  for (let n = 3; found.length < count; n += 2) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
}

/**
 * Returns the first 32 bits of the fraction of a root. A number has 53 bits. The integer part of
 * these roots needs five at most.
 * @param {number} root
 */
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;

const K = Int32Array.from(primes(64), (p) => fraction(Math.cbrt(p)));
const START = Int32Array.from(primes(8), (p) => fraction(Math.sqrt(p)));
const BLOCK = 64;

/**
 * The state after whole blocks, and their length in bytes.
 * @typedef {{ state: Int32Array, length: number }} Midstate
 */

/** @returns {Midstate} */
const begin = () => ({ state: START.slice(), length: 0 });

const w = new Int32Array(64);

/**
 * Processes one block.
 * @param {Int32Array} state is changed
 * @param {Uint8Array} bytes
 * @param {number} at where the block begins
 */
function compress(state, bytes, at) {
  for (let i = 0; i < 16; i++) {
    const b = at + 4 * i;
    w[i] = (bytes[b] << 24) | (bytes[b + 1] << 16) | (bytes[b + 2] << 8) | bytes[b + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
    const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a; // an Int32Array computes modulo 2^32
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** @param {number} x @param {number} n */
const rotated = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * Returns the hash of the bytes of a midstate followed by `bytes`.
 * @param {Midstate} midstate is not changed
 * @param {Uint8Array} bytes
 * @returns {Bytes} 32 bytes
 */
function finish(midstate, bytes) {
  const state = midstate.state.slice();
  const whole = bytes.length - (bytes.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) compress(state, bytes, at);
  const rest = bytes.length - whole;
  // 0x80, zeros, the length in bits
  const end = new Uint8Array(rest < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  end.set(bytes.subarray(whole));
  end[rest] = 0x80;
  new DataView(end.buffer).setBigUint64(
    end.length - 8, BigInt(midstate.length + bytes.length) * 8n,
  );
  for (let at = 0; at < end.length; at += BLOCK) compress(state, end, at);
  const sum = new Uint8Array(32);
  const view = new DataView(sum.buffer);
  state.forEach((word, i) => {
    view.setInt32(4 * i, word);
  });
  return sum;
}

/**
 * Returns the SHA-256 hash of bytes.
 * @param {Uint8Array} bytes
 * @returns {Bytes} 32 bytes
 */
export function sha256(bytes) {
  return finish(begin(), bytes);
}

/**
 * Returns a function that computes the HMAC-SHA256 of messages under one key.
 * @param {Uint8Array} key
 * @returns {(message: Uint8Array) => Bytes}
 */
export function hmac(key) {
  const short = key.length > BLOCK ? sha256(key) : key;
  /** @param {number} pad */
  const keyed = (pad) => {
    const block = new Uint8Array(BLOCK).fill(pad);
    short.forEach((b, i) => {
      block[i] ^= b;
    });
    const midstate = { ...begin(), length: BLOCK };
    compress(midstate.state, block, 0);
    return midstate;
  };
  const [inner, outer] = [keyed(0x36), keyed(0x5c)];
  return (message) => finish(outer, finish(inner, message));
}
