/**
 * The operations that a client may ask for (table.md, T24). Made by scripts/operations from the server's table; not to be edited.
 *
 * @module
 */

/** @typedef {keyof import('../types.js').Args} Arg */

/**
 * @typedef {object} Form
 * @property {Arg[]} needs the arguments that it needs, beside the piece and the tag
 * @property {Arg[]} may those that it may have besides
 * @property {'tagged' | 'made' | 'blind'} sent `tagged`: with the version of the piece, and shown at once (T9).
 *   `made`: not shown before the server has done it. `blind`: without a version (T28).
 */

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const tagged = (needs = [], may = []) => ({ needs, may, sent: 'tagged' });

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const made = (needs = [], may = []) => ({ needs, may, sent: 'made' });

/** @param {Arg[]} needs @param {Arg[]} may @returns {Form} */
const blind = (needs = [], may = []) => ({ needs, may, sent: 'blind' });

/** The forms of each operation. @type {Record<string, Form[]>} */
export const FORMS = {
  grab: [tagged([], ['z'])],
  wrest: [tagged([], ['z'])],
  release: [tagged([], ['x', 'y', 'angle', 'z'])],
  move: [tagged(['x', 'y'], ['z'])],
  rotate: [tagged(['angle'])],
  flip: [tagged(['face'])],
  raise: [tagged([], ['z'])],
  lower: [tagged([], ['z'])],
  setz: [tagged(['z'])],
  pin: [tagged()],
  unpin: [tagged()],
  lock: [tagged()],
  unlock: [tagged()],
  copy: [made(['x', 'y'], ['z'])],
  delete: [made()],
  add: [made(['x', 'y', 'kind'], ['angle', 'face', 'z'])],
  shuffle: [made(['pieces']), blind()],
  start: [tagged([], ['side'])],
  pause: [tagged()],
  press: [tagged(['side'])],
  set: [tagged(['ms'], ['increment'])],
  reset: [tagged()],
  claim: [blind()],
  draw: [blind([], ['x', 'y', 'face', 'kind', 'n', 'at', 'z', 'hold'])],
  deal: [blind([], ['n'])],
  recall: [blind()],
  cut: [blind([], ['n'])],
  peek: [blind([], ['n'])],
  stow: [tagged(['into'], ['at'])],
  show: [blind(['seat'])],
  leave: [blind()],
  give: [blind(['seat'])],
  share: [blind(['seat'])],
  unshare: [blind(['seat'])],
  roll: [blind()],
  count: [blind(['n'])],
  split: [blind(['x', 'y', 'n'], ['z', 'hold'])],
  write: [tagged(['text'])],
  assign: [tagged(['seat'])],
  pass: [blind()],
  take: [blind()],
  place: [made(['x', 'y', 'set'])],
};

/** What somebody else's hold keeps away (T14). */
export const NEEDS_FREE = new Set(['grab', 'move', 'rotate', 'flip', 'raise', 'lower', 'setz', 'pin', 'unpin', 'delete', 'stow', 'roll', 'take']);

/** What a pin keeps away (T14). */
export const NEEDS_UNPINNED = new Set(['grab', 'move', 'rotate', 'flip', 'delete', 'stow', 'take']);

/** What a lock does not keep away (T14). */
export const DESPITE_LOCK = new Set(['release', 'lock', 'unlock', 'copy']);

/** What only hosts may do (T14). */
export const BY_HOST = new Set(['lock', 'unlock']);

/** What may be done to somebody else's hand (T24). */
export const ON_ANY_HAND = new Set(['release', 'copy', 'claim']);

/** What operates a clock (T27). */
export const OF_CLOCK = new Set(['start', 'pause', 'press', 'set', 'reset']);

/** @typedef {'grab' | 'wrest' | 'release' | 'move' | 'rotate' | 'flip' | 'raise' | 'lower' | 'setz' | 'pin' | 'unpin' | 'lock' | 'unlock' | 'start' | 'pause' | 'press' | 'set' | 'reset' | 'stow' | 'write' | 'assign'} PieceOp */

/** @typedef {'copy' | 'delete' | 'add' | 'shuffle' | 'place'} MakeOp */

/** @typedef {'shuffle' | 'claim' | 'draw' | 'deal' | 'recall' | 'cut' | 'peek' | 'show' | 'leave' | 'give' | 'share' | 'unshare' | 'roll' | 'count' | 'split' | 'pass' | 'take'} BlindOp */
