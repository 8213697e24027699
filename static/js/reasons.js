// Says why something was not done, in a sentence that a player understands.

import { msg } from './msg.js';
import { firstMessage } from './messages.js';
import { nameOf, the } from './view/describe.js';
import { nickOf } from './view/names.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./input/ops.js').Refusal} Refusal */

/** The files with messages for reasons. Those of parts are there when the part is loaded. */
const WITH_REASONS = ['controls', 'abilities', 'guests', 'space'];

/** The reasons whose sentences name a key. Those for fingers have others. */
const KEYED = ['held', 'pinned'];

/**
 * Says why something cannot be done.
 * @param {State} s
 * @param {Refusal} no
 * @param {Voice} voice
 */
export function explain(s, no, voice) {
  voice.notice(reasonFor(s, no));
}

/** Returns in a sentence why something cannot be done. @param {State} s @param {Refusal} no */
export function reasonFor(s, no) {
  const piece = s.sync.pieces.get(no.piece);
  return sentenceFor(s, no, the(piece ? nameOf(s, piece) : msg('core.piece.unknown')));
}

/**
 * Returns the sentence for a reason of T14 or of the page.
 * @param {State} s
 * @param {Refusal} no
 * @param {string} what the pieces, in words
 */
export function sentenceFor(s, no, what) {
  const ofPress = s.parts.abilities?.whyNotPressed(s, no);
  if (ofPress) return ofPress;
  const nick = nickOf(s, no.by);
  const reason = s.input.touch && KEYED.includes(no.reason) ? `${no.reason}Touch` : no.reason;
  const ids = WITH_REASONS.map((file) => `${file}.why.${reason}`);
  return firstMessage([...ids, 'controls.why.not-allowed'], { what, nick });
}

/** Returns a name for some pieces inside a sentence. @param {State} s @param {Piece[]} pieces */
export function phrase(s, pieces) {
  return pieces.length === 1 ? the(nameOf(s, pieces[0])) : msg('core.pieces', { n: pieces.length });
}
