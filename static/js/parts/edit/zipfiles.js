// Reads zips of pictures that people bring: what is in them by the directory, and each file without
// more memory than it says. No DOM.

/** Why a zip cannot be used. */
export class BadZip extends Error {
  /** @param {'broken'|'locked'|'many'|'large'} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** A file in a zip. @typedef {{name: string, isDeflated: boolean, packed: Uint8Array,
 *   size: number}} Entry */

/** The most files, and bytes when they are unpacked: of one, and of all. */
const MOST_FILES = 4096;
const MOST_FILE = 64 << 20;
const MOST_ALL = 256 << 20;

/** The signatures and the lengths of the parts of a zip. */
const END = { signature: 0x06054b50, length: 22 };
const DIRECTORY = { signature: 0x02014b50, length: 46 };
const ENTRY = { signature: 0x04034b50, length: 30 };
const COMMENT = 0xffff;

/** Returns whether bytes begin like a zip. @param {Uint8Array} bytes */
export const isZip = (bytes) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/**
 * Returns the files in a zip. Throws BadZip.
 * @param {Uint8Array} bytes
 * @returns {Entry[]}
 */
export function entriesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readDirectory(bytes, view, endOf(view));
  } catch (error) {
    throw error instanceof BadZip ? error : new BadZip('broken'); // it ends too early
  }
}

/** Returns where the end of the directory stands. @param {DataView} view */
function endOf(view) {
  const last = view.byteLength - END.length;
  for (let at = last; at >= Math.max(0, last - COMMENT); at--)
    if (view.getUint32(at, true) === END.signature) return at;
  throw new BadZip('broken');
}

/** @param {Uint8Array} bytes @param {DataView} view @param {number} end @returns {Entry[]} */
function readDirectory(bytes, view, end) {
  const u16 = (/** @type {number} */ at) => view.getUint16(at, true);
  const u32 = (/** @type {number} */ at) => view.getUint32(at, true);
  const count = u16(end + 10);
  if (count > MOST_FILES) throw new BadZip('many');
  /** @type {Entry[]} */
  const all = [];
  let at = u32(end + 16);
  let total = 0;
  for (let n = 0; n < count; n++) {
    if (u32(at) !== DIRECTORY.signature) throw new BadZip('broken');
    const [flags, method] = [u16(at + 8), u16(at + 10)];
    const [packed, size] = [u32(at + 20), u32(at + 24)];
    const [nameLength, more, comment] = [u16(at + 28), u16(at + 30), u16(at + 32)];
    const start = u32(at + 42);
    const named = bytes.subarray(at + DIRECTORY.length, at + DIRECTORY.length + nameLength);
    at += DIRECTORY.length + nameLength + more + comment;
    const name = plainName(new TextDecoder().decode(named));
    if (!name) continue;
    if (flags & 1) throw new BadZip('locked');
    if (method !== 0 && method !== 8) throw new BadZip('broken');
    total += size;
    if (size > MOST_FILE || total > MOST_ALL) throw new BadZip('large');
    if (u32(start) !== ENTRY.signature) throw new BadZip('broken');
    const from = start + ENTRY.length + u16(start + 26) + u16(start + 28);
    if (from + packed > bytes.length) throw new BadZip('broken');
    all.push({
      name, isDeflated: method === 8, packed: bytes.subarray(from, from + packed), size,
    });
  }
  return all;
}

/**
 * Returns the name of a file without its folders; '' for a folder and for what systems add.
 * @param {string} path
 */
export function plainName(path) {
  const parts = path.replaceAll('\\', '/').split('/');
  const name = (parts.at(-1) ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return name.startsWith('.') || parts.includes('__MACOSX') ? '' : name;
}

/** How much is inflated at once. */
const STEP = 16 << 10;

/**
 * Returns the bytes of a file. Throws BadZip if it has more or fewer than it says.
 * @param {Entry} entry
 * @param {any} fflate the library
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function unpack({ isDeflated, packed, size }, fflate) {
  if (!isDeflated) {
    if (packed.length !== size) throw new BadZip('broken');
    return new Uint8Array(packed);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  const inflate = new fflate.Inflate((/** @type {Uint8Array} */ chunk) => {
    if (at + chunk.length > size) throw new BadZip('broken');
    bytes.set(chunk, at);
    at += chunk.length;
  });
  try {
    for (let from = 0; from < packed.length; from += STEP)
      inflate.push(packed.subarray(from, from + STEP), from + STEP >= packed.length);
  } catch {
    throw new BadZip('broken');
  }
  if (at !== size) throw new BadZip('broken');
  return bytes;
}
