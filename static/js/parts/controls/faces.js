// Turns a card to its next front, or to its next back (T94).

import { allowed } from '../../input/action.js';
import { change } from '../../input/ops.js';
import { isBack, kindAt, kindOf } from '../../view/catalog.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Catalog} Catalog */

/**
 * Returns the face that comes next on the side of a card that is up: the next front or the next
 * back, as a flip names it. -1 if there is no other.
 * @param {Catalog} c
 * @param {{kind: number, face: number}} piece
 */
export function nextOnSide(c, { kind, face }) {
  const { secret, mask = kind, faces } = kindAt(c, kind);
  if (!secret && !c.masks.has(kind)) return -1;
  const backs = kindAt(c, mask).faces.length;
  // Of a mask face 0 is the first back.
  if (!secret || isBack(c, { kind, face }))
    return backs > 1 ? 1 + ((secret ? face : face + 1) % backs) : -1;
  if (faces.length <= backs + 1) return -1;
  if (face === 0) return backs + 1;
  return face + 1 < faces.length ? face + 1 : 0;
}

/** @param {State} s @param {Piece[]} pieces */
const fitting = (s, pieces) =>
  allowed('flip')(s, pieces).filter((p) => nextOnSide(s.catalog, p) >= 0);

/** @param {State} s @param {Piece} p */
const showsBack = (s, p) => !kindOf(s, p).secret || isBack(s.catalog, p);

/** The action that does it. @type {import('../../input/action.js').Action} */
export const nextSide = {
  id: 'next',
  icon: 'next',
  key: '⇧F',
  keys: 'Shift+F',
  op: 'flip',
  none: 'oneSided',
  label: (s, pieces) => (pieces.every((p) => showsBack(s, p))
    ? msg('controls.actions.nextBack')
    : msg('controls.actions.nextFront')),
  fits: fitting,
  run: (s, pieces) => {
    for (const p of pieces) change(s, p.id, 'flip', { face: nextOnSide(s.catalog, p) });
  },
};
