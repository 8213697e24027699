/**
 * Whether two states look the same to people. No DOM, no state.
 *
 * @module
 */

/** @typedef {import('../types.js').Piece} Piece */

/** @type {(keyof Piece)[]} */
const SHOWN = [
  'id',
  'kind',
  'x',
  'y',
  'angle',
  'face',
  'z',
  'zMark',
  'pinned',
  'locked',
  'holder',
  'owner',
];

/** @type {(keyof import('../types.js').Clock)[]} */
const CLOCK = ['running', 'since', 'left1', 'left2', 'initial', 'increment'];

/** @type {(keyof import('../types.js').Curves['curves'][number])[]} */
const CURVE = ['property', 'start', 'rate', 'max'];

/** @type {(keyof import('../types.js').Seat)[]} */
const SEAT = ['nick', 'colour', 'role', 'presence', 'left', 'linkAt', 'linkUsed', 'side', 'erased'];

/**
 * Whether two states of a piece look the same. They may have different versions.
 *
 * @param {Piece} a
 * @param {Piece} b
 */
export function looksSame(a, b) {
  return (
    SHOWN.every((field) => a[field] === b[field]) &&
    (a.value ?? 0) === (b.value ?? 0) &&
    (a.text ?? '') === (b.text ?? '') &&
    sameList(a.team ?? [], b.team ?? []) &&
    sameClock(a.clock, b.clock) &&
    sameCurves(a.curves, b.curves)
  );
}

/**
 * @param {import('../types.js').Seat} a
 * @param {import('../types.js').Seat} b
 */
export function sameSeat(a, b) {
  return SEAT.every((field) => a[field] === b[field]);
}

/**
 * @param {import('../types.js').Clock | undefined} a
 * @param {import('../types.js').Clock | undefined} b
 */
function sameClock(a, b) {
  if (a === undefined || b === undefined) return a === b;
  return a === b || CLOCK.every((field) => a[field] === b[field]);
}

/**
 * @param {import('../types.js').Curves | undefined} a
 * @param {import('../types.js').Curves | undefined} b
 */
function sameCurves(a, b) {
  if (a === b) return true;
  const [x, y] = [a?.curves ?? [], b?.curves ?? []];
  return (
    (x.length === 0 || a?.from === b?.from) &&
    x.length === y.length &&
    x.every((c, i) => CURVE.every((field) => c[field] === y[i][field]))
  );
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
function sameList(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
