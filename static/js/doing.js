// Does what pieces offer (T36): asks for what has to be known, and sends it. An operation of which this page knows nothing goes out as
// the catalogue has it.

import { askFor } from './asking.js';
import { kindAt } from './catalog.js';
import { roll } from './dice.js';
import { openEditor } from './editor.js';
import { ask, change, inOrder } from './ops.js';
import { hindrance } from './offers.js';
import { explain } from './reasons.js';
import { sentAs } from './shapes.js';
import { openSplit } from './split.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */
/** @typedef {import('./types.js').Args} Args */
/** @typedef {import('./offers.js').Offer} Offer */
/** @typedef {import('./say.js').Voice} Voice */

/**
 * Does what was offered with those of the pieces that can, or says why none can.
 * @param {State} s @param {Piece[]} pieces @param {Offer} offer @param {Voice} voice
 */
export function take(s, pieces, offer, voice) {
  const fit = pieces.filter((p) => !hindrance(s, p, offer));
  const no = fit.length === 0 && pieces[0] ? hindrance(s, pieces[0], offer) : null;
  if (no) explain(s, no, voice);
  if (fit.length === 0) return;
  switch (offer.op) {
    case 'roll':
      roll(s, fit);
      return;
    case 'split':
      openSplit(s, fit[0], voice);
      return;
    case 'write':
      if (fit.length === 1) {
        openEditor(s, fit[0]);
        return;
      }
  }
  askFor(s, fit, offer, (args) => send(s, fit, offer, args, voice));
}

/** @param {State} s @param {Piece[]} pieces @param {Offer} offer @param {Args} args @param {Voice} voice */
function send(s, pieces, offer, args, voice) {
  for (const { id } of inOrder(s, pieces)) {
    const piece = s.sync.pieces.get(id);
    if (!piece) continue; // it went while the dialog was open
    const no = hindrance(s, piece, offer);
    if (no) explain(s, no, voice);
    else if (sentAs(offer.op) === 'tagged') change(s, id, /** @type {any} */ (offer.op), args);
    else ask(s, id, offer.op, args);
  }
}

/**
 * What a double click or a double tap means to a piece, if it offers something of the kind; else it is turned over.
 * @param {State} s @param {Piece} piece
 * @returns {string} the operation, '' if there is none
 */
export function mainOp(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  if (k.container) return 'draw';
  if (k.die) return 'roll';
  if (k.text) return 'write';
  if (k.currency) return 'split';
  return k.seat === 'turn' ? 'pass' : '';
}
