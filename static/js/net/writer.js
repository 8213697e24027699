/**
 * Writes protobuf messages, as far as the page needs it: numbers up to 2^53-1, lists of them,
 * texts, bytes, messages. It leaves out a field that is 0 or empty, unless its method says
 * otherwise. No DOM.
 *
 * @module
 */

const VARINT = 0;
const BYTES = 2;

const UTF8 = new TextEncoder();

export class Writer {
  constructor() {
    /** @type {number[]} */
    this.out = [];
  }

  /**
   * Writes a number that is not negative.
   *
   * @param {number} field
   * @param {number} value
   */
  uint(field, value) {
    if (value === 0) return;
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  /**
   * Writes a number of 32 bits with a sign.
   *
   * @param {number} field
   * @param {number} value
   */
  sint(field, value) {
    this.uint(field, zigzag(value));
  }

  /** Writes a 0 that differs from a missing number. @param {number} field */
  zero(field) {
    this.varint(field * 8 + VARINT);
    this.varint(0);
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

  /**
   * Writes bytes.
   *
   * @param {number} field
   * @param {string} hex two hexadecimal digits for each byte
   */
  hex(field, hex) {
    const packed = new Writer();
    for (let i = 0; i < hex.length; i += 2) {
      packed.out.push(Number.parseInt(hex.slice(i, i + 2), 16));
    }
    if (hex.length > 0) this.message(field, packed);
  }

  /** @param {number} field @param {string} text */
  string(field, text) {
    if (text !== '') this.raw(field, UTF8.encode(text));
  }

  /**
   * Writes bytes, also if there are none.
   *
   * @param {number} field
   * @param {Uint8Array} bytes
   */
  raw(field, bytes) {
    this.varint(field * 8 + BYTES);
    this.varint(bytes.length);
    for (const byte of bytes) this.out.push(byte);
    return this;
  }

  /**
   * Writes a message, also if it is empty.
   *
   * @param {number} field
   * @param {Writer} inner has written that message
   */
  message(field, inner) {
    this.varint(field * 8 + BYTES);
    this.varint(inner.out.length);
    for (const byte of inner.out) this.out.push(byte);
    return this;
  }

  /** @returns {Uint8Array<ArrayBuffer>} all that was written */
  bytes() {
    return Uint8Array.from(this.out);
  }

  /** @private @param {number} value */
  varint(value) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`${value} is not a number that can be sent`);
    }
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.out.push((rest % 128) + 128);
    this.out.push(rest);
  }
}

/**
 * The place of a number with a sign in the order 0, -1, 1, -2, …
 *
 * @param {number} value
 */
function zigzag(value) {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
