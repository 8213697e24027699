// Turns several pieces together about their common centre (T60). What lies in a hand stays, and so
// do hands: out of a hand everybody would see it (T23).

import { addIcons } from '../../view/icons.js';
import { middleOf, normalAngle, turned } from '../../view/geometry.js';
import { msg } from './msg.js';
import { explain } from '../../reasons.js';
import { isHand, isInMyHand } from '../../rights.js';
import { change, refusal } from '../../input/ops.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/action.js').Action} Action */
/** @typedef {{x: number, y: number, angle: number}} Place */

/** The step, in hundredths of a degree: that of turning each piece in its place. */
const STEP = 1500;

addIcons({
  pivot: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5M7.5 9.5H11V13H7.5zM13 12h3.5v3.5H13z',
  unpivot: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M13 9.5h3.5V13H13zM7.5 12H11v3.5H7.5z',
});

/** @type {Action[]} */
export const pivoting = [
  {
    id: 'pivot',
    icon: 'pivot',
    key: '⇧G',
    keys: 'Shift+G',
    op: 'pivot',
    none: 'together',
    label: () => msg('controls.actions.pivot'),
    fits: group,
    run: (s, pieces, voice) => pivot(s, pieces, STEP, voice),
  },
  {
    id: 'unpivot',
    icon: 'unpivot',
    key: 'Alt ⇧G',
    keys: 'Alt+Shift+G',
    op: 'pivot',
    none: 'together',
    label: () => msg('controls.actions.unpivot'),
    fits: group,
    run: (s, pieces, voice) => pivot(s, pieces, -STEP, voice),
  },
];

/**
 * A group that was turned, perhaps several times.
 * @typedef {object} Gesture
 * @property {number} angle by which it was turned in all
 * @property {Map<number, Place>} from where its pieces were before
 * @property {Map<number, Place>} at where they are since
 */

/** The last gesture of each page. @type {WeakMap<State, Gesture>} */
const gestures = new WeakMap();

/**
 * Returns the pieces that turn together; none if there are fewer than two.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function group(s, pieces) {
  if (s.input.carry) return [];
  const free = pieces.filter(
    (p) => !isHand(s, p) && !isInMyHand(s, p) && !refusal(s, p, 'pivot'),
  );
  return free.length > 1 ? free : [];
}

/**
 * Turns a group, unless a piece of it would come to lie off the table.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {number} step in hundredths of a degree
 * @param {import('../../bars/say.js').Voice} voice
 */
function pivot(s, pieces, step, voice) {
  const { angle, from } = continued(s, pieces) ?? { angle: 0, from: placesOf(pieces) };
  const gesture = { angle: angle + step, from, at: turnedBy(from, angle + step) };
  const { width, height } = s.view.camera;
  for (const [piece, { x, y }] of gesture.at) {
    if (Math.abs(x) * 2 <= width && Math.abs(y) * 2 <= height) continue;
    explain(s, { reason: 'off-table', piece, by: 0 }, voice);
    return;
  }
  gestures.set(s, gesture);
  for (const [id, place] of gesture.at) change(s, id, 'pivot', place);
  voice.whisper(msg('controls.pivoted', { n: pieces.length }));
}

/**
 * Returns the gesture that goes on: the last one, if its pieces lie where it has put them. Places
 * are computed from its beginning, so that rounding does not add up.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function continued(s, pieces) {
  const last = gestures.get(s);
  if (!last || last.at.size !== pieces.length) return null;
  const isThere = (/** @type {Piece} */ { id, x, y, angle }) => {
    const place = last.at.get(id);
    return place?.x === x && place.y === y && place.angle === angle;
  };
  return pieces.every(isThere) ? last : null;
}

/** @param {Piece[]} pieces @returns {Map<number, Place>} */
function placesOf(pieces) {
  return new Map(pieces.map(({ id, x, y, angle }) => [id, { x, y, angle }]));
}

/**
 * Returns where places come to lie when they are turned about their middle.
 * @param {Map<number, Place>} from
 * @param {number} by in hundredths of a degree
 * @returns {Map<number, Place>}
 */
function turnedBy(from, by) {
  const middle = middleOf([...from.values()]);
  return new Map([...from].map(([id, { x, y, angle }]) => {
    const v = turned(x - middle.x, y - middle.y, by / 100);
    return [id, {
      x: Math.round(middle.x + v.x) + 0, // never -0
      y: Math.round(middle.y + v.y) + 0,
      angle: normalAngle(angle + by),
    }];
  }));
}
