// What can be done with what is meant, all of it in one list: what all pieces can do, and what their kinds offer (T36). Toolbar, menu and
// keys read it, and do it.

import { actions } from './actions.js';
import { take } from './doing.js';
import { hindrance, nameOfOffer, offersFor, offersOf } from './offers.js';
import { refusal } from './ops.js';
import { explain } from './reasons.js';
import { meant } from './select.js';
import { plays } from './state.js';
import { strings } from './strings.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./say.js').Voice} Voice */
/** @typedef {import('./actions.js').Action} Action */

/** The pictures of what kinds offer; anything else has a plain one. @type {Record<string, string>} */
const PICTURES = {
  draw: 'draw', deal: 'deal', shuffle: 'shuffle', recall: 'recall', peek: 'eye', cut: 'cut', claim: 'claim', leave: 'leave', give: 'give',
  share: 'team', unshare: 'unteam', roll: 'die', count: 'count', split: 'split', write: 'write', assign: 'seat', pass: 'pass', show: 'show',
  stow: 'stow',
};

/** What an offer is called in the list of actions. @param {import('./offers.js').Offer} offer */
function idOf(offer) {
  return `offer ${nameOfOffer(offer)}`;
}

/**
 * What kinds offer as an action.
 * @param {import('./offers.js').Offer} offer
 * @returns {Action}
 */
function actionFor(offer) {
  const more = offer.asks?.length ? strings.actions.asks(offer.label) : offer.label;
  const sign = offer.op === 'count' && offer.with ? (offer.with.n < 0 ? 'minus' : 'add') : offer.op === 'assign' && offer.with?.seat === 0 ? 'free' : undefined;
  return {
    id: idOf(offer),
    icon: sign ?? PICTURES[offer.op] ?? 'other',
    key: offer.key?.toUpperCase() ?? '',
    op: offer.op,
    label: () => more,
    fits: (s, pieces) => pieces.filter((p) => !hindrance(s, p, offer)),
    run: (s, pieces, voice) => take(s, pieces, offer, voice),
  };
}

/**
 * What can be done with pieces, most used first: taking them up, what their kinds offer, and what all pieces can do. A key that an
 * offer has is no other's then.
 * @param {State} s @param {Piece[]} pieces
 * @returns {Action[]}
 */
export function actionsFor(s, pieces) {
  const offered = offersFor(s, pieces).map(actionFor);
  const keys = new Set(pieces.length === 0 ? [] : keysOf(s, pieces));
  const plain = actions.filter((a) => a.op !== 'shuffle' || !offered.some((o) => o.op === 'shuffle'));
  const [pick, play, playDown, ...others] = plain.map((a) => (keys.has(a.key) ? { ...a, key: '' } : a));
  return [pick, play, playDown, ...offered, ...others];
}

/** The keys that mean an offer of all these pieces. @param {State} s @param {Piece[]} pieces */
function keysOf(s, pieces) {
  const [first, ...others] = [...new Set(pieces.map((p) => p.kind))].map(
    (kind) => new Map(offersOf(s.catalog, kind).map((o) => [o.key?.toUpperCase() ?? '', nameOfOffer(o)])),
  );
  return [...first.keys()].filter((key) => key && others.every((o) => o.get(key) === first.get(key)));
}

/**
 * The action that a letter means now, of several: the first one that can be done with what is meant.
 * @param {State} s @param {string} letter
 * @returns {string|undefined}
 */
export function fitting(s, letter) {
  const pieces = meant(s);
  return actionsFor(s, pieces).find((a) => a.key === letter.toUpperCase() && a.fits(s, pieces).length > 0)?.id;
}

/**
 * Does what kinds offer with what is meant, or says why not.
 * @param {State} s @param {import('./offers.js').Offer} offer @param {Voice} voice
 */
export function performOffer(s, offer, voice) {
  take(s, meant(s), offer, voice);
}

/**
 * Does an action with what is meant, or says why not.
 * @param {State} s @param {string} id @param {Voice} voice
 */
export function perform(s, id, voice) {
  const pieces = meant(s);
  const action = actionsFor(s, pieces).find((a) => a.id === id) ?? actions.find((a) => a.id === id);
  if (!action) return;
  if (pieces.length === 0) {
    voice.notice(plays(s) ? strings.why.nothing : strings.why.spectator);
    return;
  }
  const fit = action.fits(s, pieces);
  if (fit.length > 0) {
    action.run(s, fit, voice);
    return;
  }
  const no = refusal(s, pieces[0], /** @type {any} */ (action.op));
  explain(s, no ?? { reason: action.none ?? 'not-allowed', piece: pieces[0].id, by: 0 }, voice);
}
