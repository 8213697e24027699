// All actions for the pieces that are meant, in one list: the actions of all pieces and the offers
// of their kinds (T36). Toolbar, menu and keys read the list and run its actions.

import { actions } from './actions.js';
import { refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { targets } from '../../input/select.js';
import { plays } from '../../rights.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../input/action.js').Action} Action */

/**
 * Returns the actions for pieces, the most used first: picking up, the offers of their kinds, and
 * the actions of all pieces. A key of an offer is taken from every other action.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Action[]}
 */
export function actionsFor(s, pieces) {
  const { abilities, cards, clocks } = s.parts;
  const offered = abilities?.actionsOffered(s, pieces) ?? [];
  const keys = new Set(abilities?.keysOffered(s, pieces));
  const free = (/** @type {Action} */ a) => (keys.has(a.key) ? { ...a, key: '' } : a);
  const [pick, wrest, ...others] = actions.filter(
    (a) => a.op !== 'shuffle' || !offered.some((o) => o.op === 'shuffle'),
  );
  return [
    ...[pick, ...(cards?.playing ?? [])].map(free),
    ...offered,
    ...(s.parts.zones?.actionsFor(s, pieces) ?? []),
    ...[
      wrest,
      ...(cards?.sorting ?? []),
      ...(clocks?.timing ?? []),
      ...(s.parts.guests?.visiting ?? []),
      ...(s.parts.doors?.carrying ?? []),
      ...(s.parts.bag?.stowing ?? []),
      ...others,
    ].map(free),
  ];
}

/**
 * Actions of keys that the pieces of this table may not have, so that the page can say why nothing
 * happens.
 * @type {Record<string, {op: string, none?: string}>}
 */
const ABSENT = {
  playDown: { op: 'move' },
  sort: { op: 'move', none: 'noCards' },
  press1: { op: 'press', none: 'otherTurn' },
  press2: { op: 'press', none: 'otherTurn' },
  run: { op: 'start' },
  set: { op: 'set' },
  reset: { op: 'reset' },
};

/**
 * Returns the action that a letter stands for now, of several: the first one that can be done with
 * the pieces that are meant.
 * @param {State} s
 * @param {string} letter
 * @returns {string|undefined}
 */
export function fitting(s, letter) {
  const pieces = targets(s);
  return actionsFor(s, pieces).find(
    (a) => a.key === letter.toUpperCase() && a.fits(s, pieces).length > 0,
  )?.id;
}

/**
 * Does an action with the pieces that are meant, or explains why it is not possible.
 * @param {State} s
 * @param {string} id
 * @param {Voice} voice
 */
export function perform(s, id, voice) {
  const pieces = targets(s);
  const action = actionsFor(s, pieces).find((a) => a.id === id) ?? actions.find((a) => a.id === id);
  const asked = action ?? ABSENT[id];
  if (!asked) return;
  if (pieces.length === 0) {
    voice.notice(plays(s) ? msg('controls.why.nothing') : msg('controls.why.spectator'));
    return;
  }
  const fit = action?.fits(s, pieces) ?? [];
  if (action && fit.length > 0) {
    action.run(s, fit, voice);
    return;
  }
  explain(s, hindranceOf(s, asked, pieces), voice);
}

/**
 * Returns why an action cannot be done with pieces that it does not fit.
 * @param {State} s
 * @param {Pick<Action, 'op'|'none'|'why'>} action
 * @param {Piece[]} pieces at least one
 * @returns {import('../../input/ops.js').Refusal}
 */
export function hindranceOf(s, { op, none, why }, pieces) {
  return why?.(s, pieces) ??
    refusal(s, pieces[0], /** @type {any} */ (op)) ??
    { reason: none ?? 'not-allowed', piece: pieces[0].id, by: 0 };
}
