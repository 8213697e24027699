// Which actions have buttons of their own in the bar: a few of all that can be done. They depend on
// what the selected pieces are and whether they lie in a hand, and on nothing that changes while
// somebody looks at them: an action that cannot be done now keeps its button. The menu has the
// others.

import { kindOf } from '../../view/catalog.js';
import { maskOf } from '../../input/ops.js';
import { nextOnSide } from './faces.js';
import { actionsFor } from './perform.js';
import { isHand, isInMyHand, isOthersHand } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/action.js').Action} Action */

/** The most buttons, on a small screen and on others. */
const MOST = { small: 3, large: 4 };

/**
 * Returns the actions that have buttons, in their order.
 * @param {State} s
 * @param {Piece[]} pieces at least one
 * @param {boolean} isSmall
 * @returns {Action[]}
 */
export function primaryActions(s, pieces, isSmall) {
  const all = new Map(actionsFor(s, pieces).map((a) => [a.id, a]));
  const wanted = namesFor(s, pieces, [...all.values()]);
  return [...new Set(wanted)].flatMap((id) => all.get(id) ?? [])
    .slice(0, isSmall ? MOST.small : MOST.large);
}

/**
 * Returns the ids of actions by how much they are wanted. Some may not exist at this table.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Action[]} all
 * @returns {string[]}
 */
function namesFor(s, pieces, all) {
  if (pieces.some((p) => isOthersHand(s, p))) return ['copy'];
  if (pieces.every((p) => isInMyHand(s, p) && maskOf(s, p) >= 0))
    return ['play', 'playDown', ...nextOf(s, pieces), 'flip', 'sort'];
  const offers = all.filter((a) => a.isOffer && !a.aside).map((a) => a.id);
  if (pieces.every((p) => isHand(s, p))) return ['sort', ...offers];
  if (pieces.every((p) => kindOf(s, p).clock)) return ['run', 'set', 'reset'];
  const own = [...all.filter((a) => a.id === 'enter' && a.fits(s, pieces).length > 0)
    .map((a) => a.id), ...offers];
  return [...own, ...(pieces.length > 1 ? ofSeveral(s, pieces) : ofOne(s, pieces[0], own.length))];
}

/** Names the next front or back if pieces have one. @param {State} s @param {Piece[]} pieces */
const nextOf = ({ catalog }, pieces) =>
  (pieces.some(({ kind }) => [0, 1].some((face) => nextOnSide(catalog, { kind, face }) >= 0))
    ? ['next']
    : []);

/** @param {State} s @param {Piece[]} pieces */
function ofSeveral(s, pieces) {
  const areCards = pieces.every((p) => maskOf(s, p) >= 0);
  return areCards ? ['stack', 'spread', 'shuffle', 'flip'] : ['stack', 'spread', 'rotate'];
}

/**
 * @param {State} s
 * @param {Piece} piece
 * @param {number} offers how many buttons it has already
 */
function ofOne(s, piece, offers) {
  if (maskOf(s, piece) >= 0) return ['flip', ...nextOf(s, [piece]), 'rotate', 'shuffle'];
  if (offers > 0) return [];
  const { faces, upright } = kindOf(s, piece);
  return [...(faces.length > 1 ? ['flip'] : []), ...(upright ? [] : ['rotate']), 'copy', 'remove'];
}
