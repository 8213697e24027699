// Why something was not done, in a sentence that a player understands.

import { strings } from './strings.js';
import { nameOf, nickOf } from './view/describe.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./input/ops.js').Refusal} Refusal */

/** Says why something cannot be done. @param {State} s @param {Refusal} no @param {Voice} voice */
export function explain(s, no, voice) {
  const piece = s.sync.pieces.get(no.piece);
  const what = strings.did.the(piece ? nameOf(s, piece) : strings.piece.unknown);
  voice.notice(sentenceFor(s, no, what));
}

/** The sentence for a reason of T14 or of the page. @param {State} s @param {Refusal} no @param {string} what */
export function sentenceFor(s, no, what) {
  const w = strings.why;
  const nick = nickOf(s, no.by);
  switch (no.reason) {
    case 'held':
      return s.touch ? w.heldTouch(what, nick) : w.held(what, nick);
    case 'pinned':
      return s.touch ? w.pinnedTouch(what) : w.pinned(what);
    case 'othersHand':
      return w.othersHand(nick);
  }
  const text = /** @type {Record<string, any>} */ (w)[no.reason] ?? s.parts.abilities?.why[no.reason] ?? s.parts.guests?.why[no.reason] ?? w['not-allowed'];
  return typeof text === 'function' ? text(what, nick) : text;
}

/** A name for some pieces inside a sentence. @param {State} s @param {Piece[]} pieces */
export function phrase(s, pieces) {
  return pieces.length === 1 ? strings.did.the(nameOf(s, pieces[0])) : strings.did.pieces(pieces.length);
}
