// Executes offers (T36): asks the player for missing arguments and sends the operation. An
// operation that this page does not know is sent as the catalogue describes it.

import { kindAt } from '../../view/catalog.js';
import { roll } from './dice.js';
import { ask, change, inOrder } from '../../input/ops.js';
import { containersFor, hindrance, offersOf, seatsFor } from './offers.js';
import { use } from '../../parts.js';
import { explain } from '../../reasons.js';
import { sentAs } from '../../sync/shapes.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').Args} Args */
/** @typedef {import('../../view/catalog.js').Ask} Ask */
/** @typedef {import('./offers.js').Offer} Offer */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Executes an offer with those of the pieces that can do it. If none can, it says why.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Offer} offer
 * @param {Voice} voice
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
      withPiece(s, voice, fit[0], (dialogs, piece) => dialogs.openSplit(s, piece, voice));
      return;
    case 'write':
      if (fit.length === 1) {
        withPiece(s, voice, fit[0], (dialogs, piece) => dialogs.openEditor(s, piece));
        return;
      }
  }
  const given = /** @type {Args} */ ({ ...offer.with });
  const asks = (offer.asks ?? []).filter((ask) => {
    const only = onlyAnswer(s, fit, offer.op, ask);
    if (only !== undefined) Object.assign(given, { [ask.name]: only });
    return only === undefined;
  });
  if (asks.length === 0) send(s, fit, offer, given, voice);
  else
    use(s, voice, 'dialogs', (dialogs) => dialogs.askFor(
      s, fit, offer, asks, (args) => send(s, fit, offer, { ...given, ...args }, voice),
    ));
}

/**
 * Opens a dialog about a piece when the dialogs are loaded, if the piece still exists then.
 * @param {State} s
 * @param {Voice} voice
 * @param {Piece} piece
 * @param {(dialogs: import('../../parts.js').Part<'dialogs'>, piece: Piece) => void} open
 */
function withPiece(s, voice, piece, open) {
  use(s, voice, 'dialogs', (dialogs) => {
    const now = s.sync.pieces.get(piece.id);
    if (now) open(dialogs, now);
  });
}

/**
 * Returns the answer to a question if only one is possible: the only container that takes the
 * piece, or the only seat in a team.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {string} op
 * @param {Ask} ask
 */
function onlyAnswer(s, pieces, op, ask) {
  const all = ask.name === 'into'
    ? containersFor(s, pieces[0])
    : op === 'unshare' && ask.name === 'seat' ? seatsFor(s, op, pieces) : [];
  return all.length === 1 ? all[0].id : undefined;
}

/**
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Offer} offer
 * @param {Args} args
 * @param {Voice} voice
 */
function send(s, pieces, offer, args, voice) {
  for (const { id } of inOrder(s, pieces)) {
    const piece = s.sync.pieces.get(id);
    if (!piece) continue; // deleted while the dialog was open
    const no = hindrance(s, piece, offer);
    if (no) explain(s, no, voice);
    else if (sentAs(offer.op) === 'tagged') change(s, id, /** @type {any} */ (offer.op), args);
    else ask(s, id, offer.op, args);
  }
}

/**
 * Returns the operation of a double click or double tap. If the piece does not offer it, it is
 * flipped instead.
 * @param {State} s
 * @param {Piece} piece
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

/**
 * Returns the offer of a double click or double tap, if there is one.
 * @param {State} s
 * @param {Piece} piece
 */
export function mainOffer(s, piece) {
  const op = mainOp(s, piece);
  return offersOf(s.catalog, piece.kind).find((o) => o.op === op);
}
