// Executes offers (T36): asks the player for missing arguments and sends the operation. An
// operation that this page does not know is sent as the catalogue describes it.

import { sendBlind, change, inOrder } from '../../input/ops.js';
import { containersFor } from './container.js';
import { hindrance, offersOf } from './offers.js';
import { operationOf } from './operations.js';
import { seatsFor } from './seats.js';
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
  const { run, dialog, isForOne, ask, questions } = operationOf(offer.op);
  const question = questions ? null : ask?.(s, fit);
  if (questions) askAndPress(s, inOrder(s, fit), offer, voice);
  else if (question)
    use(s, voice, 'dialogs', (dialogs) => dialogs.confirm(
      s, question, () => send(s, fit, offer, /** @type {Args} */ ({ ...offer.with }), voice),
    ));
  else if (run) run(s, fit);
  else if (dialog && !(isForOne && fit.length > 1))
    withPiece(s, voice, fit[0], (dialogs, piece) => dialogs[dialog](s, piece, voice));
  else askAndSend(s, fit, offer, voice);
}

/**
 * Sends an offer of pieces that may ask something themselves (T93, T95), for one after the other.
 * Each is confirmed first, if it needs that, and then asks its questions. Those behind one that
 * asks wait for its answers.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Offer} offer
 * @param {Voice} voice
 */
function askAndPress(s, pieces, offer, voice) {
  const [piece, ...others] = pieces;
  if (!piece) return;
  const { ask, questions } = operationOf(offer.op);
  const asked = questions?.(s, piece) ?? [];
  const press = (/** @type {Args} */ args) => {
    send(s, [piece], offer, args, voice);
    askAndPress(s, others, offer, voice);
  };
  const go = () => {
    if (asked.length === 0) press({});
    else
      use(s, voice, 'dialogs', (dialogs) => dialogs.askQuestions(
        s, piece, asked, offer.label, (answers) => press({ answers }),
      ));
  };
  const question = ask?.(s, [piece]);
  if (question) use(s, voice, 'dialogs', (dialogs) => dialogs.confirm(s, question, go));
  else go();
}

/**
 * Sends an offer, after the player was asked for its missing arguments.
 * @param {State} s
 * @param {Piece[]} fit pieces that can do it
 * @param {Offer} offer
 * @param {Voice} voice
 */
function askAndSend(s, fit, offer, voice) {
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
    else sendBlind(s, id, offer.op, args);
  }
}

/**
 * Returns the offer of a double click or double tap, if there is one.
 * @param {State} s
 * @param {Piece} piece
 */
export function mainOffer(s, piece) {
  return offersOf(s.catalog, piece.kind).find((o) => operationOf(o.op).isMain);
}
