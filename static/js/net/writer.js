/**
 * Writes protobuf messages, as far as the stream needs it: numbers up to 2^53-1, lists of them, bytes, messages. A field
 * that is 0 or empty is left out, if not said otherwise. No DOM.
 *
 * @module
 */

const VARINT = 0;
const BYTES = 2;

export class Writer {
  constructor() {
    /** @type {number[]} */
    this.out = [];
  }

  /** A number that is not negative. @param {number} field @param {number} value */
  uint(field, value) {
    if (value === 0) return;
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  /** A number of 32 bits with a sign. @param {number} field @param {number} value */
  sint(field, value) {
    this.uint(field, zigzag(value));
  }

  /** @param {number} field @param {readonly number[]} values */
  uints(field, values) {
    const packed = new Writer();
    for (const value of values) packed.varint(value);
    if (values.length > 0) this.message(field, packed);
  }

  /** @param {number} field @param {readonly number[]} values */
  sints(field, values) {
    this.uints(field, values.map(zigzag));
  }

  /** Bytes as hexadecimal digits, two for each. @param {number} field @param {string} hex */
  hex(field, hex) {
    const packed = new Writer();
    for (let i = 0; i < hex.length; i += 2) packed.out.push(Number.parseInt(hex.slice(i, i + 2), 16));
    if (hex.length > 0) this.message(field, packed);
  }

  /** Bytes, also if there are none. @param {number} field @param {Uint8Array} bytes */
  raw(field, bytes) {
    this.varint(field * 8 + BYTES);
    this.varint(bytes.length);
    for (const byte of bytes) this.out.push(byte);
    return this;
  }

  /** What another writer has written, also if that is nothing. @param {number} field @param {Writer} inner */
  message(field, inner) {
    this.varint(field * 8 + BYTES);
    this.varint(inner.out.length);
    for (const byte of inner.out) this.out.push(byte);
    return this;
  }

  /** @returns {Uint8Array<ArrayBuffer>} */
  bytes() {
    return Uint8Array.from(this.out);
  }

  /** @private @param {number} value */
  varint(value) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number that can be sent`);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.out.push((rest % 128) + 128);
    this.out.push(rest);
  }
}

/** The numbers with a sign in the order 0, -1, 1, -2, … @param {number} value */
function zigzag(value) {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
