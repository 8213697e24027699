// What the first bytes of a file say of the picture in it: so one that is too large is refused
// before the browser makes room for all of it. No DOM.

/**
 * A picture. Sizes are in pixels; those of SVG are not known here.
 * @typedef {{type: 'png'|'jpeg'|'webp'|'gif'|'svg', width: number, height: number}} Header
 */

/** Where the sizes of a JPEG stand: SOF0 to SOF15, without DHT, JPG and DAC. */
const isFrame = (/** @type {number} */ marker) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * Returns what kind of picture a file is, by its bytes alone; null if it is none that is known.
 * @param {Uint8Array} bytes
 * @returns {Header|null}
 */
export function headerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (/** @type {number} */ from, /** @type {number} */ to) =>
    String.fromCharCode(...bytes.subarray(from, to));
  try {
    if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 16) === 'IHDR')
      return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) };
    if (text(0, 4) === 'GIF8')
      return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return webp(view, text(12, 16));
    if (view.getUint16(0) === 0xffd8) return jpeg(view);
    return isSvg(bytes) ? { type: 'svg', width: 0, height: 0 } : null;
  } catch {
    return null; // it ends too early
  }
}

/** @param {DataView} view @param {string} chunk @returns {Header|null} */
function webp(view, chunk) {
  const type = /** @type {const} */ ('webp');
  const u24 = (/** @type {number} */ at) =>
    view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (chunk) {
    case 'VP8X':
      return { type, width: u24(24) + 1, height: u24(27) + 1 };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return {
        type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

/** @param {DataView} view @returns {Header|null} */
function jpeg(view) {
  for (let at = 2; ; ) {
    const marker = view.getUint16(at);
    if (marker < 0xff01) return null;
    if (isFrame(marker & 255))
      return { type: 'jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
}

/** How far an SVG may begin with comments and the like. */
const BEFORE = 4096;

/** @param {Uint8Array} bytes */
function isSvg(bytes) {
  const begin = new TextDecoder().decode(bytes.subarray(0, BEFORE)).replace(/^\ufeff/, '');
  return /^\s*</.test(begin) && /<svg[\s>]/.test(begin);
}
