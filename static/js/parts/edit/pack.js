// Makes a packed game (docs/protocol/game.md) of a few kinds, in memory: the document in canonical
// JSON and the pictures under their hashes, in a zip without compression. No DOM.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** The least that a game has beside kinds. A table takes the kinds alone (T100). */
const REST = {
  format: 'holt.game/2',
  id: 'kinds',
  name: 'Kinds',
  summary: 'Kinds',
  table: { width: 1000, height: 1000, surface: 'felt' },
  pieces: [],
};

/** The signatures of the parts of a zip, and the lengths of their fixed fields. */
const ENTRY = { signature: 0x04034b50, length: 30 };
const DIRECTORY = { signature: 0x02014b50, length: 46 };
const END = { signature: 0x06054b50, length: 22 };

/** The version of the format that stored entries need: 1.0. */
const NEEDED = 10;

/** 1 January 1980, the first day that a zip can name: when a game was packed is of no interest. */
const NO_DATE = 0x0021;

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** Returns the CRC-32 of bytes. @param {Uint8Array} bytes */
export function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = CRC[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/**
 * Returns a value in canonical JSON (RFC 8785). What is undefined is left out.
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/**
 * Returns a zip of stored entries.
 * @param {[name: string, data: Uint8Array][]} entries with names of ASCII letters
 * @returns {Bytes}
 */
export function zip(entries) {
  const all = entries.map(([name, data]) => ({
    name: new TextEncoder().encode(name), data, crc: crc32(data),
  }));
  const size = all.reduce((sum, { name, data }) =>
    sum + ENTRY.length + DIRECTORY.length + 2 * name.length + data.length, END.length);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const u16 = (/** @type {number[]} */ ...values) => {
    for (const v of values) view.setUint16((at += 2) - 2, v, true);
  };
  const u32 = (/** @type {number[]} */ ...values) => {
    for (const v of values) view.setUint32((at += 4) - 4, v, true);
  };
  const put = (/** @type {Uint8Array} */ data) => {
    bytes.set(data, at);
    at += data.length;
  };
  /** What an entry and its record in the directory have in common. @param {typeof all[0]} entry */
  const head = ({ name, data, crc }) => {
    u16(NEEDED, 0, 0, 0, NO_DATE); // no flags, stored, the time and the date
    u32(crc, data.length, data.length);
    u16(name.length, 0);
  };
  const starts = all.map((entry) => {
    const start = at;
    u32(ENTRY.signature);
    head(entry);
    put(entry.name);
    put(entry.data);
    return start;
  });
  const directory = at;
  all.forEach((entry, i) => {
    u32(DIRECTORY.signature);
    u16(NEEDED);
    head(entry);
    u16(0, 0, 0); // no comment, on this disk, no attributes
    u32(0, starts[i]);
    put(entry.name);
  });
  const length = at - directory;
  u32(END.signature);
  u16(0, 0, all.length, all.length);
  u32(length, directory);
  u16(0);
  return bytes;
}

/**
 * Returns a packed game of kinds.
 * @param {object[]} kinds as in a game file, with the hashes of pictures in the place of paths
 * @param {Map<string, Uint8Array>} pictures by their hashes
 * @param {import('./credit.js').Credit} [credit] who made the pictures
 * @returns {Bytes}
 */
export function packKinds(kinds, pictures, credit = {}) {
  const isSaid = pictures.size > 0 && Object.keys(credit).length > 0;
  const credits = isSaid ? [{ art: [...pictures.keys()].sort(), ...credit }] : undefined;
  const document = new TextEncoder().encode(canonical({ ...REST, kinds, credits }));
  const art = [...pictures].sort(([a], [b]) => (a < b ? -1 : 1));
  return zip([
    ...art.map(([hash, data]) => /** @type {[string, Uint8Array]} */ ([`art/${hash}`, data])),
    ['game.json', document],
  ]);
}
