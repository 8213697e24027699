// Handles taps: presses that did not become drags. A tap selects, or does what the pressed spot of
// the piece means. The second of two taps does the main action of the piece. A button is pressed by
// the first one; Shift selects it.

import * as carry from '../../input/drag.js';
import { kindOf } from '../../view/catalog.js';
import { DOUBLE, bindDoubleTap } from '../../input/doubletap.js';
import { change, flip, maskOf, refusal } from '../../input/ops.js';
import { abilityOf } from '../../kinds/abilities.js';
import { explain } from '../../reasons.js';
import { focusOn, select, toggle } from '../../input/select.js';
import { isInMyHand } from '../../rights.js';
import { on } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * A press that did not become a drag.
 * @typedef {object} Tap
 * @property {number} id the pressed piece; 0: none
 * @property {number} x where it was, in the page
 * @property {number} y
 * @property {boolean} add Shift was down
 * @property {number} spot the pressed place on it that means something of its own
 */

/** Returns the handlers of taps. @param {State} s @param {Voice} voice */
export function bindTaps(s, voice) {
  const taps = bindDoubleTap(s, s.page.window);

  const onPiece = (/** @type {Tap} */ p, /** @type {number} */ time) => {
    const pressed = isPressed(p);
    if (s.input.carry) carry.end(s);
    const twice = taps.isSecond(p.id, time);
    if (pressed) press(p, time, twice);
    else if (twice) doMain(p.id);
    else choose(p);
  };

  /**
   * Returns whether a tap presses a button (T84). While keys carry something, a tap puts it down.
   * @param {Tap} p
   */
  const isPressed = (p) => {
    const piece = s.sync.pieces.get(p.id);
    if (!piece || s.input.carry || p.add || s.input.many || !kindOf(s, piece).button) return false;
    return Boolean(s.parts.abilities?.mainOffer(s, piece));
  };

  /**
   * Presses a button, once also if it is clicked twice.
   * @param {Tap} p @param {number} time @param {boolean} twice
   */
  const press = (p, time, twice) => {
    if (twice) return;
    if (s.input.selection.size > 0) select(s, []);
    focusOn(s, p.id);
    keepSecond(p, time);
    doMain(p.id);
  };

  const choose = (/** @type {Tap} */ p) => {
    focusOn(s, p.id);
    if (p.add || s.input.many) toggle(s, p.id);
    else select(s, [p.id]);
  };

  const onSpot = (/** @type {Tap} */ p) => {
    const piece = s.sync.pieces.get(p.id);
    const spots = piece && abilityOf(kindOf(s, piece)).spots;
    if (!spots) return;
    if (spots.isFocused) {
      if (s.input.carry) carry.end(s);
      focusOn(s, p.id);
    }
    const no = spots.tap(s, piece, p.spot, { change, refusal });
    if (no) explain(s, no, voice);
  };

  /**
   * Does the main action of a piece: a deck deals a card, a die is rolled, a card in the hand is
   * played.
   * @param {number} id
   */
  const doMain = (id) => {
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
    const ability = piece && abilityOf(kindOf(s, piece));
    const twice = taps.isSecond(p.id, time);
    if (s.input.carry) carry.end(s);
    else if (isPressed(p)) {
      press(p, time, twice);
      return;
    } else if (piece && twice && ability?.isUsedInPlace && s.parts.abilities?.mainOffer(s, piece)) {
      doMain(p.id);
      return;
    } else if (!p.add && !s.input.many) select(s, []);
    // A pinned piece can be selected to unpin it, and a hand or a deck for its actions.
    if (ability?.isUsedInPlace || (piece && s.view.shown.get(p.id)?.heavy === false))
      choose(p);
  };

  return { onPiece, onFixed, onSpot, stop: taps.stop };
}

/** How far apart the two clicks of a double click may be, in px. */
const SAME = 8;

/**
 * Keeps the second click of a double click from the dialog that the first one has opened there: it
 * would close it, or answer it.
 * @param {Tap} p @param {number} time of the first one
 */
function keepSecond(p, time) {
  const stop = on(document, 'click', (/** @type {MouseEvent} */ e) => {
    const near = Math.hypot(e.clientX - p.x, e.clientY - p.y) < SAME;
    if (e.detail === 0 || !near || e.timeStamp - time >= DOUBLE) return;
    e.stopPropagation();
    e.preventDefault();
  }, { capture: true });
  setTimeout(stop, 3 * DOUBLE);
}
