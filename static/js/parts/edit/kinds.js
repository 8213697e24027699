// What can be made, and the kinds that become of what somebody has filled in, as a game file has
// them (docs/guides/games.md). No DOM.

/** Table units in a millimetre. */
const UNITS = 10;

/** The bounds of a size, in millimetres, and of numbers (docs/guides/games.md). */
export const LEAST_SIZE = 4;
export const MOST_SIZE = 2000;
export const MOST_NUMBER = 2 ** 30;
export const MOST_SIDES = 64;
/** The most characters of a name, and of a text on a piece. */
export const MOST_NAME = 80;
export const MOST_TEXT = 200;

/** How zones lay what is put there, and those in which places have a distance. */
export const LAYS = /** @type {const} */ (['pile', 'row', 'column', 'grid', 'free']);
const SPACED = new Set(['row', 'column', 'grid']);

/** After a roll a die cannot be rolled again for so long, in ms. */
const COOLDOWN = 1000;

/** A light area: what the page writes on a piece is dark. */
const PLATE = '#fffdf5';
/** The area behind the digits of a clock, which are light. */
const GLASS = '#1d1611';

/**
 * What stands on a side of a piece: a picture by its hash, or a colour with a text. A picture that
 * is exact has the ratio of the piece.
 * @typedef {{art?: string, isExact?: boolean, colour: string, text: string}} Look
 */
/**
 * What somebody has filled in. Sizes are in millimetres.
 * @typedef {object} Values
 * @property {string} name
 * @property {number} width
 * @property {number} height
 * @property {'rect'|'round'} shape
 * @property {Look} front
 * @property {Look} back of a tile
 * @property {string[]} sides what stands on the sides of a die
 * @property {number} from of a counter
 * @property {number} to
 * @property {number} start
 * @property {typeof LAYS[number]} lay of a zone
 * @property {number} gap the distance of its places
 * @property {number} minutes of a clock
 * @property {number} increment in seconds
 * @property {string} note the text of a new note
 */
/**
 * @typedef {'board'|'token'|'tile'|'die'|'counter'|'note'|'hand'|'zone'|'bag'|'clock'} RecipeName
 */
/**
 * Something that can be made: what a form begins with, and for which values it asks.
 * @typedef {object} Recipe
 * @property {RecipeName} id
 * @property {[number, number]} size in millimetres
 * @property {string} colour
 * @property {('shape'|'picture'|'back'|'sides'|'range'|'lay'|'time'|'note')[]} asks
 * @property {boolean} [isRound] at first
 */

/** @type {Recipe[]} */
export const RECIPES = [
  { id: 'board', size: [400, 400], colour: '#c9a26b', asks: ['picture'] },
  { id: 'token', size: [25, 25], colour: '#b5432f', asks: ['shape', 'picture'], isRound: true },
  { id: 'tile', size: [45, 45], colour: '#2f6f8f', asks: ['picture', 'back'] },
  { id: 'die', size: [20, 20], colour: '#f6efe0', asks: ['sides'] },
  { id: 'counter', size: [50, 40], colour: '#4d6b3c', asks: ['range', 'picture'] },
  { id: 'note', size: [76, 76], colour: '#f7e08b', asks: ['note'] },
  { id: 'hand', size: [320, 100], colour: '#4b5a4a', asks: ['picture'] },
  { id: 'zone', size: [240, 110], colour: '#51606e', asks: ['lay', 'picture'] },
  { id: 'bag', size: [80, 90], colour: '#6b4a34', asks: ['picture'] },
  { id: 'clock', size: [100, 140], colour: '#6b4a34', asks: ['time'] },
];

/**
 * Returns what a form begins with.
 * @param {Recipe} recipe
 * @param {string} name
 * @returns {Values}
 */
export function startOf({ size: [width, height], colour, isRound }, name) {
  return {
    name, width, height,
    shape: isRound ? 'round' : 'rect',
    front: { colour, text: '' },
    back: { colour: '#8a8578', text: '' },
    sides: numbered(6),
    from: 0, to: 99, start: 0,
    lay: 'row', gap: 70,
    minutes: 10, increment: 0,
    note: '',
  };
}

/** Returns what stands on a die of n sides: 1 to n. @param {number} n */
const numbered = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/**
 * Returns the sides of a die for another number of them: those that are new have their number.
 * @param {string[]} sides
 * @param {number} n
 */
export function withSides(sides, n) {
  return [...sides.slice(0, n), ...numbered(n).slice(sides.length)];
}

/** Reads what stands on the sides of a die, between commas. @param {string} text */
export function readSides(text) {
  return text.split(',').map((side) => side.trim()).filter(Boolean);
}

/** What is wrong with values. @typedef {'name'|'size'|'sides'|'range'|'gap'|'time'} Fault */

/**
 * Returns what is wrong with what somebody has filled in; null if nothing is.
 * @param {Recipe} recipe
 * @param {Values} v
 * @returns {Fault|null}
 */
export function faultOf({ asks }, v) {
  const isSize = (/** @type {number} */ n) => n >= LEAST_SIZE && n <= MOST_SIZE;
  const isNumber = (/** @type {number} */ n) => Number.isInteger(n) && Math.abs(n) <= MOST_NUMBER;
  const name = v.name.trim();
  if (name === '' || [...name].length > MOST_NAME) return 'name';
  if (!isSize(v.width) || !isSize(v.height)) return 'size';
  const isSided = v.sides.length >= 2 && v.sides.length <= MOST_SIDES &&
    v.sides.every((side) => [...side].length <= MOST_NAME);
  if (asks.includes('sides') && !isSided) return 'sides';
  const isRange = [v.from, v.to, v.start].every(isNumber) && v.from < v.to && v.from <= v.start &&
    v.start <= v.to;
  if (asks.includes('range') && !isRange) return 'range';
  if (asks.includes('lay') && SPACED.has(v.lay) && !isSize(v.gap)) return 'gap';
  const isTime = v.minutes > 0 && v.minutes <= 1000 && v.increment >= 0 && v.increment <= 3600;
  return asks.includes('time') && !isTime ? 'time' : null;
}

/**
 * Returns the kinds that become of what somebody has filled in: the first one is that of the piece.
 * @param {Recipe} recipe
 * @param {Values} v
 * @param {{rest: string, back: string}} names of the kind that comes with a hand or a bag, and of
 *   the back of a tile
 * @returns {any[]}
 */
export function kindsOf({ id }, v, names) {
  const { shape } = v;
  const name = wellFormed(v.name);
  const width = Math.round(v.width * UNITS);
  const height = shape === 'round' ? width : Math.round(v.height * UNITS);
  const box = { width, height, shape };
  const base = { name, ...box };
  const front = faceOf(box, name, v.front);
  const heavy = { ...base, weight: 'heavy', faces: [front] };
  const light = { ...base, weight: 'light', faces: [front] };
  switch (id) {
    case 'board':
      return [heavy];
    case 'token':
      return [light];
    case 'tile':
      return [{ ...light, faces: [front, faceOf(box, names.back, v.back)] }];
    case 'die':
      return [{
        ...light,
        die: { cooldown: COOLDOWN },
        faces: v.sides.map((side) => {
          const text = wellFormed(side);
          return faceOf(box, text, { colour: v.front.colour, text });
        }),
      }];
    case 'counter': {
      const display = part(box, 0.1, 0.36, 0.8, 0.54);
      return [{
        ...light,
        counter: { min: v.from, max: v.to, initial: v.start },
        display,
        faces: [withPlates(box, name, v.front, [{ colour: PLATE, ...display }])],
      }];
    }
    case 'note':
      return [{
        ...light,
        text: { initial: wellFormed(v.note) },
        display: part(box, 0.06, 0.06, 0.88, 0.88),
        faces: [faceOf(box, name, { ...v.front, text: '' })],
      }];
    case 'hand': // a game with a hand has something that is hidden there
      return [{ ...heavy, hand: true }, { ...plainToken(names.rest, '?'), private: true }];
    case 'zone':
      return [{
        ...heavy,
        zone: {
          lay: v.lay,
          ...(SPACED.has(v.lay) && { gap: Math.round(v.gap * UNITS) }),
          ...(v.lay === 'pile' && { count: true }),
        },
      }];
    case 'bag':
      // a game with a bag has something that goes into it
      return [{ ...heavy, container: { draws: 'random' } }, plainToken(names.rest, '')];
    default: {
      const displays = [part(box, 0.08, 0.56, 0.84, 0.32), part(box, 0.08, 0.12, 0.84, 0.32)];
      const plates = displays.map((display) => ({ colour: GLASS, ...display }));
      return [{
        ...light,
        clock: {
          counts: 'down',
          initial: Math.round(v.minutes * 60_000),
          increment: Math.round(v.increment * 1000),
          displays,
        },
        faces: [withPlates(box, name, { ...v.front, text: '' }, plates)],
      }];
    }
  }
}

/**
 * Returns the kind that comes with a hand or a bag. It is the same each time, so that the table has
 * it once.
 * @param {string} name
 * @param {string} text
 */
function plainToken(name, text) {
  const box = { width: 250, height: 250, shape: 'round' };
  return { name, ...box, weight: 'light', faces: [faceOf(box, name, { colour: '#8a8578', text })] };
}

/** Returns a text as a game file has it. @param {string} text */
export const wellFormed = (text) =>
  [...text.trim()].map((c) => (/[\ud800-\udfff]/.test(c) && c.length === 1 ? '\ufffd' : c))
    .join('').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

/** @typedef {{width: number, height: number, shape: string}} Box */

/**
 * Returns a part of a piece, by its place and size as parts of those of the piece.
 * @param {Box} box
 * @param {number} x @param {number} y @param {number} width @param {number} height
 */
function part(box, x, y, width, height) {
  const least = (/** @type {number} */ n) => Math.max(10, Math.round(n));
  return {
    x: Math.round(box.width * x), y: Math.round(box.height * y),
    width: least(box.width * width), height: least(box.height * height),
  };
}

/**
 * Returns a side of a piece.
 * @param {Box} box
 * @param {string} name
 * @param {Look} look
 */
function faceOf(box, name, { art, isExact, colour, text }) {
  if (art && isExact && box.shape !== 'round') return { name, art };
  if (art) return { name, layers: [{ art, fit: 'cover' }] };
  return { name, layers: [{ colour }, ...textOn(colour, text, part(box, 0.08, 0.08, 0.84, 0.84))] };
}

/**
 * Returns a side with areas on which the page writes, and its text above them.
 * @param {Box} box
 * @param {string} name
 * @param {Look} look
 * @param {object[]} plates
 */
function withPlates(box, name, { art, colour, text }, plates) {
  const title = art ? [] : textOn(colour, text, part(box, 0.06, 0.04, 0.88, 0.28));
  return { name, layers: [art ? { art, fit: 'cover' } : { colour }, ...title, ...plates] };
}

/** @param {string} colour @param {string} text @param {object} place */
function textOn(colour, text, place) {
  const is = wellFormed(text);
  return is ? [{ text: is, colour: inkOn(colour), bold: true, ...place }] : [];
}

/** Returns the colour of letters that can be read on a colour. @param {string} colour */
export function inkOn(colour) {
  const n = Number.parseInt(colour.slice(1), 16);
  const [r, g, b] = [n >> 16, (n >> 8) & 255, n & 255].map((v) => (v / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#1d1611' : '#ffffff';
}
