// Handles taps: presses that did not become drags. A tap selects, counts or presses a clock. The
// second of two taps does the main action of the piece.

import * as carry from './drag.js';
import { kindAt } from '../view/catalog.js';
import { bindDoubleTap } from './doubletap.js';
import { flip, maskOf, pressClock, refusal } from './ops.js';
import { explain } from '../reasons.js';
import { focusOn, select, toggle } from './select.js';
import { isHand, isInMyHand } from '../state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../bars/say.js').Voice} Voice */

/**
 * A press that did not become a drag.
 * @typedef {object} Tap
 * @property {number} id the pressed piece; 0: none
 * @property {boolean} add Shift was down
 * @property {number} side the pressed side of a clock
 * @property {number} step what the pressed button of a counter adds
 */

/** Returns the handlers of taps. @param {State} s @param {Voice} voice */
export function bindTaps(s, voice) {
  const taps = bindDoubleTap(s, s.page.window);

  const onPiece = (/** @type {Tap} */ p, /** @type {number} */ time) => {
    if (s.carry) carry.end(s);
    if (taps.isSecond(p.id, time)) tapTwice(p.id);
    else choose(p);
  };

  const choose = (/** @type {Tap} */ p) => {
    focusOn(s, p.id);
    if (p.add || s.many) toggle(s, p.id);
    else select(s, [p.id]);
  };

  const onStep = (/** @type {Tap} */ p) => {
    const piece = s.sync.pieces.get(p.id);
    const no = piece && s.parts.abilities?.count(s, piece, p.step);
    if (no) explain(s, no, voice);
  };

  /**
   * Does the main action of a piece: a deck deals a card, a die is rolled, a card in the hand is
   * played.
   * @param {number} id
   */
  const tapTwice = (id) => {
    const piece = s.sync.pieces.get(id);
    if (!piece) return;
    const { abilities, cards } = s.parts;
    const offer = abilities?.mainOffer(s, piece);
    const hand =
      isInMyHand(s, piece) && maskOf(s, piece) >= 0 ? cards?.handAt(s, piece) : undefined;
    if (offer) abilities?.take(s, [piece], offer, voice);
    else if (cards && hand && !refusal(s, piece, 'move')) {
      cards.play(s, [piece], false);
      cards.closeUp(s, hand);
      select(s, []);
    } else turnOver(id);
  };

  const onClock = (/** @type {Tap} */ p) => {
    if (s.carry) carry.end(s);
    focusOn(s, p.id);
    const piece = s.sync.pieces.get(p.id);
    const no = piece && pressClock(s, piece, p.side);
    if (no) explain(s, no, voice);
  };

  const turnOver = (/** @type {number} */ id) => {
    const piece = s.sync.pieces.get(id);
    if (!piece) return;
    const no = refusal(s, piece, 'flip');
    if (!no) flip(s, [piece]);
    else if (no.reason !== 'not-allowed') explain(s, no, voice);
  };

  /** Handles a tap on a fixed piece, or on nothing. @param {Tap} p @param {number} time */
  const onFixed = (p, time) => {
    const piece = s.sync.pieces.get(p.id);
    const k = piece && kindAt(s.catalog, piece.kind);
    const twice = taps.isSecond(p.id, time);
    if (s.carry) carry.end(s);
    else if (piece && k?.container && twice) {
      tapTwice(p.id);
      return;
    } else if (!p.add && !s.many) select(s, []);
    // A pinned piece can be selected to unpin it, and a hand or a deck for its actions.
    if (piece && (s.shown.get(p.id)?.heavy === false || k?.container || isHand(s, piece)))
      choose(p);
  };

  return { onPiece, onFixed, onStep, onClock, stop: taps.stop };
}
