// Mouse, finger and pen on the table. A press becomes a tap, a drag of pieces, a selection frame or
// a pan. One finger on the empty table is left to the browser, which scrolls.

import * as carry from '../../input/drag.js';
import { all, on } from '../../view/dom.js';
import { UNITS } from '../../view/geometry.js';
import { refusal } from '../../input/ops.js';
import { abilityOf } from '../../kinds/abilities.js';
import { kindOf } from '../../view/catalog.js';
import { isFixed } from '../../view/piece.js';
import { whyOthers } from '../../rights.js';
import { nearPiece } from './near.js';
import { beneath } from './shield.js';
import { bindTally } from './tally.js';
import { explain } from '../../reasons.js';
import { msg } from './msg.js';
import {
  drawBand,
  endBand,
  focusOn,
  moveBand,
  pileOf,
  select,
  selectBelow,
  startBand,
  toggle,
  under,
} from '../../input/select.js';
import { bindTaps } from './taps.js';
import { drawWithBars } from '../../bars/state.js';
import { onRename } from '../../listeners.js';
import { hoverOver, noteTouch, setPoised, takeNext } from '../../input/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** How far a pointer may move, in px, before a press is a drag. */
const SLOP_MOUSE = 4;
const SLOP_TOUCH = 9;

/** @param {boolean} isTouchOrPen */
const slopOf = (isTouchOrPen) => (isTouchOrPen ? SLOP_TOUCH : SLOP_MOUSE);

/** Milliseconds after which a resting finger means the piece below. */
const LONG = 500;

/**
 * The current press.
 * @typedef {object} Press
 * @property {'piece'|'table'|'source'|'fetch'|'drag'|'band'|'pan'|'spent'} mode
 * @property {number} pointer id of the pointer
 * @property {number} id the pressed piece; 0: none
 * @property {number} x where the press began, in the page
 * @property {number} y
 * @property {boolean} add Shift was down
 * @property {boolean} below the press means the piece underneath
 * @property {boolean} near the press has just missed the piece
 * @property {boolean} isTouchOrPen the pointer is a finger or a pen
 * @property {number} spot the place on the piece that means something of its own; 0: none
 * @property {number} slop how far the pointer may move, in px, before the press is a drag
 * @property {number} part how many pieces a drag draws from a container, or how much it takes from
 *   a heap; 0: none
 * @property {ReturnType<typeof setTimeout>|undefined} timer timer of the long press
 */

/**
 * What this module remembers.
 * @typedef {object} Pointing
 * @property {State} s
 * @property {Voice} voice
 * @property {ReturnType<typeof bindTaps>} taps
 * @property {Press|null} press
 * @property {boolean} isSpaceDown
 * @property {Set<number>} told owners of hands for which the page has already explained that their
 *   hand cannot be moved
 */

/**
 * Listens to pointers.
 * @param {State} s @param {Voice} voice
 * @returns {() => void} stops listening
 */
export function bindPointer(s, voice) {
  const win = s.page.window;
  const taps = bindTaps(s, voice);
  /** @type {Pointing} */
  const pointing = { s, voice, taps, press: null, isSpaceDown: false, told: new Set() };
  const key = (/** @type {KeyboardEvent} */ e) => onSpace(pointing, e);
  /**
   * @param {string} type
   * @param {(pointing: Pointing, p: Press, e: PointerEvent) => void} handle
   */
  const ofPress = (type, handle) =>
    on(win, type, (/** @type {PointerEvent} */ e) => {
      const { press } = pointing;
      if (press?.pointer === e.pointerId) handle(pointing, press, e);
    });
  drawWithBars(s, drawBand);
  bindTally(s);
  onRename(s, (from, to) => {
    if (pointing.press?.id === from) pointing.press.id = to;
  });
  return all(
    on(win, 'pointerdown', (/** @type {PointerEvent} */ e) => down(pointing, e)),
    ofPress('pointermove', move),
    ofPress('pointerup', up),
    ofPress('pointercancel', cancel),
    ofPress('lostpointercapture', (_, press, e) => {
      // else a drag begins: the piece passes its touch to the window
      if (e.target === win) cancel(pointing, press);
    }),
    on(win, 'pointerover', (/** @type {PointerEvent} */ e) => {
      if (e.pointerType === 'mouse') hoverOver(s, pieceOf(elementOf(e)));
    }),
    on(win, 'pointerleave', () => {
      hoverOver(s, 0);
    }),
    on(win, 'contextmenu', (/** @type {Event} */ e) => {
      if (s.input.touch) e.preventDefault(); // a long press means something else here
    }),
    on(win, 'dragstart', (/** @type {Event} */ e) => e.preventDefault()),
    on(
      win,
      'touchstart',
      (/** @type {TouchEvent} */ e) => {
        if (pointing.press?.near && e.cancelable) e.preventDefault(); // the table stays
      },
      { passive: false },
    ),
    on(document, 'keydown', key),
    on(document, 'keyup', key),
    () => clearTimeout(pointing.press?.timer),
    taps.stop,
  );
}

/** The element of the piece on which an event happened. @param {PointerEvent} e */
const elementOf = (e) => beneath(e).closest('[data-piece]');

/** The piece of an element; 0: none. @param {Element|null} element */
const pieceOf = (element) => Number(element?.getAttribute('data-piece') ?? 0);

/** @param {State} s */
const isFetching = (s) => s.parts.cards?.fetch.isFetching(s) === true;

/** @param {Pointing} pointing @param {PointerEvent} e */
function down(pointing, e) {
  const { s, press: before } = pointing;
  noteTouch(s, e);
  if (before) {
    // a second finger: no tap, perhaps a pinch
    if (before.mode === 'piece' || before.mode === 'table') endPress(s, before);
    return;
  }
  if (e.button > 1) return;
  const press = pressOf(e);
  pointing.press = press;
  if (e.button === 1 || pointing.isSpaceDown) {
    press.mode = 'pan';
    e.preventDefault(); // prevents autoscroll by the middle button
  } else if (
    s.parts.cards?.fetch.resume(s, beneath(e), e.clientX, e.clientY)
  ) {
    press.mode = 'fetch';
  } else {
    begin(pointing, press, e);
    if (press.isTouchOrPen) {
      press.timer = setTimeout(() => held(pointing, press), LONG);
      return;
    }
  }
  s.page.window.setPointerCapture(e.pointerId);
}

/** @param {PointerEvent} e @returns {Press} */
function pressOf(e) {
  const isTouchOrPen = e.pointerType !== 'mouse';
  return {
    mode: 'table',
    pointer: e.pointerId,
    id: pieceOf(elementOf(e)),
    x: e.clientX,
    y: e.clientY,
    add: e.shiftKey,
    below: false,
    near: false,
    isTouchOrPen,
    spot: 0,
    slop: slopOf(isTouchOrPen),
    part: 0,
    timer: undefined,
  };
}

/**
 * Finds out what a press on a piece or on the table means.
 * @param {Pointing} pointing
 * @param {Press} press
 * @param {PointerEvent} e
 */
function begin({ s }, press, e) {
  const target = elementOf(e);
  const piece = s.sync.pieces.get(press.id);
  const spots = piece && !s.input.many && abilityOf(kindOf(s, piece)).spots;
  if (spots && target) {
    press.spot = spots.at(s, piece, fromMiddle(s, target, e), beneath(e), press.add);
    if (press.spot && spots.slop) press.slop = spots.slop;
  }
  if (piece && !press.add && !e.altKey)
    press.part = s.parts.abilities?.partOffered(s, piece, e.ctrlKey || e.metaKey) ?? 0;
  if (press.part > 0) press.mode = 'source';
  else if (e.altKey) reachBelow(s, press);
  else if (piece && !isFixed(s, piece)) press.mode = 'piece';
  else reachBeside(s, press, piece);
  poise(s, press);
}

/**
 * A press on the table, or on a board or a hand, that just misses a piece means that piece. A press
 * on a button means the button, also beside a die.
 * @param {State} s
 * @param {Press} press
 * @param {Piece|undefined} on what was pressed
 */
function reachBeside(s, press, on) {
  if (press.spot || (on && s.view.shown.get(on.id)?.heavy !== true)) return;
  if (on && kindOf(s, on).button) return;
  const id = nearPiece(s, press.x, press.y, press.isTouchOrPen);
  if (!id) return;
  press.id = id;
  press.mode = 'piece';
  press.near = true;
}

/**
 * Shows how many pieces a drag would take along, as long as the press may become one.
 * @param {State} s
 * @param {Press} press
 */
function poise(s, press) {
  const { selection, take } = s.input;
  const many = press.mode === 'piece' && selection.size > 1 && selection.has(press.id);
  if (!many || press.below || take > 0) return;
  setPoised(s, { n: selection.size, x: press.x, y: press.y });
}

/** The press means the piece below. @param {State} s @param {Press} press */
function reachBelow(s, press) {
  press.id = selectBelow(s, under(press.x, press.y));
  press.below = true;
  press.near = false;
  press.spot = 0;
  setPoised(s, null);
  press.slop = slopOf(press.isTouchOrPen);
  const piece = s.sync.pieces.get(press.id);
  if (!piece) return;
  focusOn(s, press.id);
  if (!isFixed(s, piece)) press.mode = 'piece';
}

/**
 * Handles a long press. On a deck it means the deck itself.
 * @param {Pointing} pointing
 * @param {Press} press
 */
function held({ s, press: now }, press) {
  if (press !== now || press.id === 0) return;
  if (!['piece', 'table', 'source'].includes(press.mode)) return;
  const source = press.mode === 'source' ? s.sync.pieces.get(press.id) : undefined;
  if (press.near || (source && !isFixed(s, source))) {
    press.mode = 'piece';
    press.below = true; // so it does not become a tap
    setPoised(s, null);
    select(s, [press.id]);
  } else reachBelow(s, press);
  if (!s.bars.isStill) navigator.vibrate?.(12);
}

/**
 * What a press becomes that moves far.
 * @type {Record<string, (pointing: Pointing, press: Press) => void>}
 */
const BEGINS = { piece: beginDrag, table: beginOnTable, source: beginFetch };

/** @param {Pointing} pointing @param {Press} press @param {PointerEvent} e */
function move(pointing, press, e) {
  const { s } = pointing;
  const far = Math.hypot(e.clientX - press.x, e.clientY - press.y) > press.slop;
  const become = BEGINS[press.mode];
  if (far && become) {
    clearTimeout(press.timer);
    become(pointing, press);
  }
  // the pieces have arrived, or never will
  if (press.mode === 'fetch' && !isFetching(s)) press.mode = s.input.carry ? 'drag' : 'spent';
  if (press.mode === 'fetch') s.parts.cards?.fetch.move(s, e.clientX, e.clientY);
  else if (press.mode === 'drag') {
    if (s.input.carry) carry.move(s, e.clientX, e.clientY);
    else press.mode = 'spent'; // this person no longer holds the pieces
  } else if (press.mode === 'band') {
    moveBand(s, e.clientX, e.clientY);
  } else if (press.mode === 'pan') {
    s.page.window.scrollBy(press.x - e.clientX, press.y - e.clientY);
    press.x = e.clientX;
    press.y = e.clientY;
  }
}

/** @param {Pointing} pointing @param {Press} press */
function beginDrag({ s, voice }, press) {
  setPoised(s, null);
  if (s.input.carry) carry.end(s);
  if (press.add && !s.input.selection.has(press.id)) toggle(s, press.id);
  let ids = s.input.selection.has(press.id) && !press.below ? [...s.input.selection] : [press.id];
  if (s.input.take > 0) {
    voice.hush(); // the notice of the number
    ids = pileOf(s, press.id, s.input.take);
    if (ids.length < s.input.take) voice.notice(msg('controls.tookAll', { n: ids.length }));
  }
  const lead = ids.includes(press.id) ? press.id : ids[0];
  // A single piece moves without being selected, so that the toolbar stays out of the way.
  if (ids.length > 1) select(s, ids);
  else if (!s.input.selection.has(lead)) select(s, []);
  const no = carry.start(s, lead, ids, { by: 'pointer', px: press.x, py: press.y });
  press.mode = no ? 'spent' : 'drag';
  if (no) explain(s, no, voice);
  else s.page.window.setPointerCapture(press.pointer);
}

/** @param {Pointing} pointing @param {Press} press */
function beginFetch({ s, voice }, press) {
  const piece = s.sync.pieces.get(press.id);
  if (s.input.carry) carry.end(s);
  if (!piece) {
    press.mode = 'spent';
    return;
  }
  voice.hush(); // the notice of the number
  takeNext(s, 0);
  if (s.input.selection.size > 0) select(s, []);
  s.parts.cards?.fetch.begin(s, piece, press.part, press.x, press.y);
  press.mode = 'fetch';
  s.page.window.setPointerCapture(press.pointer);
}

/** @param {Pointing} pointing @param {Press} press */
function beginOnTable(pointing, press) {
  const { s, voice } = pointing;
  const piece = s.sync.pieces.get(press.id);
  const light = s.view.shown.get(press.id)?.heavy === false;
  const stuck = piece && light ? refusal(s, piece, 'grab') : null;
  if (stuck && !press.isTouchOrPen) {
    explain(s, stuck, voice);
    press.mode = 'spent';
    return;
  }
  if (piece) leaveHand(pointing, piece);
  if (!press.isTouchOrPen || s.input.many) {
    s.page.window.setPointerCapture(press.pointer);
    startBand(s, press.x, press.y, press.add || s.input.many);
    press.mode = 'band';
  } else press.mode = 'spent'; // the browser scrolls
}

/**
 * Explains why another player's hand, or what lies on their rack, stays where it is. Once for each
 * owner, because a drag that starts there usually means the table.
 * @param {Pointing} pointing
 * @param {Piece} piece
 */
function leaveHand({ s, voice, told }, piece) {
  const no = refusal(s, piece, 'grab');
  if (!no || no.reason !== whyOthers(s, piece) || told.has(piece.owner)) return;
  told.add(piece.owner);
  explain(s, no, voice);
}

/** @param {Pointing} pointing @param {Press} press @param {PointerEvent} e */
function up(pointing, press, e) {
  const { s, taps } = pointing;
  const { mode } = press;
  pointing.press = null;
  clearTimeout(press.timer);
  setPoised(s, null);
  const over = s.parts.cards?.placeOver(s, e.clientX, e.clientY) ?? null;
  if (mode === 'fetch' && isFetching(s)) s.parts.cards?.fetch.end(s, over);
  else if (mode === 'fetch' || mode === 'drag') drop(s, e.shiftKey && !press.add, over);
  else if (mode === 'band') endBand(s);
  else if (press.spot && (mode === 'piece' || mode === 'table')) taps.onSpot(press);
  else if (mode === 'piece' && !press.below) taps.onPiece(press, e.timeStamp);
  else if (mode === 'source' || (mode === 'table' && !press.below))
    taps.onFixed(press, e.timeStamp);
}

/**
 * Ends the drag.
 * @param {State} s
 * @param {boolean} down turns the cards front down
 * @param {{x: number, y: number}|null} over the place in the hand if the pointer is over the
 *   strip, else null
 */
function drop(s, down, over) {
  const lead = s.input.carry?.lead;
  if (over) carry.gather(s, over);
  carry.end(s, down);
  if (lead && s.sync.pieces.has(lead)) focusOn(s, lead);
}

/** @param {Pointing} pointing @param {Press} press */
function cancel(pointing, press) {
  const { s } = pointing;
  pointing.press = null;
  clearTimeout(press.timer);
  setPoised(s, null);
  if (press.mode === 'fetch' && isFetching(s)) s.parts.cards?.fetch.cancel(s);
  if (press.mode === 'drag' || press.mode === 'fetch') carry.cancel(s);
  if (press.mode === 'band') endBand(s);
}

/**
 * The space bar makes the pointer move the table.
 * @param {Pointing} pointing
 * @param {KeyboardEvent} e
 */
function onSpace(pointing, e) {
  if (e.key !== ' ') return;
  const target = /** @type {Element} */ (e.target);
  const isDown =
    e.type === 'keydown' && !target.closest('button, input, textarea, [data-piece], dialog');
  pointing.isSpaceDown = isDown;
  pointing.s.page.main.classList.toggle('panning', isDown);
  if (isDown) e.preventDefault();
}

/**
 * Returns the pointer's place from the middle of an element, in table units, as the person sees it.
 * @param {State} s
 * @param {Element} e
 * @param {{clientX: number, clientY: number}} pointer
 */
function fromMiddle(s, e, { clientX, clientY }) {
  const { left, top, width, height } = e.getBoundingClientRect();
  const k = UNITS / s.view.camera.scale;
  return { x: (clientX - left - width / 2) * k, y: (clientY - top - height / 2) * k };
}

/** Ends a press without a tap. @param {State} s @param {Press} p */
function endPress(s, p) {
  clearTimeout(p.timer);
  setPoised(s, null);
  p.mode = 'spent';
}
