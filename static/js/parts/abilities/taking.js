// Taking a part off a heap of currency (T34), or a new piece from a supply (T89).

import { kindOf, kindNamed } from '../../view/catalog.js';
import { halfOf } from '../../kinds/values.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/** @type {Record<string, import('../../kinds/ability.js').Operation>} */
export const OF_HEAPS = {
  split: {
    icon: 'split',
    check: (_s, { value = 0 }, { supply }) => (supply || value > 1 ? '' : 'single'),
    dialog: 'openSplit',
    takesPiece: true,
    isMain: true,
    part,
  },
};

/**
 * Returns how much a drag takes. A drag of a supply with Ctrl or Cmd moves it.
 * @param {State} s
 * @param {Piece} piece
 * @param {boolean} isModified
 */
function part(s, piece, isModified) {
  const { take } = s.input;
  const { supply } = kindOf(s, piece);
  if (!supply)
    return isModified || take > 0 ? Math.min(take || halfOf(piece), (piece.value ?? 0) - 1) : 0;
  if (isModified) return 0;
  const { currency } = kindNamed(s.catalog, supply.of) ?? {};
  return currency ? take || currency.initial : 1;
}
