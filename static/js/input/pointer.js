// Mouse, finger and pen on the table. A press becomes a tap, a drag of pieces, a selection frame or
// a pan. One finger on the empty table is left to the browser, which scrolls.

import * as carry from './drag.js';
import { all, on } from '../view/dom.js';
import { UNITS } from '../view/geometry.js';
import { refusal } from './ops.js';
import { abilityOf } from '../kinds/abilities.js';
import { kindAt } from '../view/catalog.js';
import { isFixed } from '../view/piece.js';
import { explain } from '../reasons.js';
import { msg } from '../msg.js';
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
} from './select.js';
import { bindTaps } from './taps.js';
import { drawWithBars } from '../bars/state.js';
import { onRename } from '../listeners.js';
import { noteTouch } from './state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../bars/say.js').Voice} Voice */

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
 * @property {boolean} isTouchOrPen the pointer is a finger or a pen
 * @property {number} spot the place on the piece that means something of its own; 0: none
 * @property {number} slop how far the pointer may move, in px, before the press is a drag
 * @property {number} part how many pieces a drag draws from a container, or how much it takes from
 *   a heap; 0: none
 * @property {number} timer timer of the long press
 */

/**
 * Listens to pointers.
 * @param {State} s @param {Voice} voice
 * @returns {() => void} stops listening
 */
export function bindPointer(s, voice) {
  const win = s.page.window;
  /** @type {Press|null} */
  let press = null;
  const taps = bindTaps(s, voice);
  let space = false;
  /**
   * @type {Set<number>} owners of hands for which the page has already explained that their hand
   *   cannot be moved
   */
  const told = new Set();

  const isFetching = () => s.parts.cards?.fetch.isFetching(s) === true;

  const down = (/** @type {PointerEvent} */ e) => {
    noteTouch(s, e);
    if (press) {
      // a second finger: no tap, perhaps a pinch
      if (press.mode === 'piece' || press.mode === 'table') endPress(press);
      return;
    }
    if (e.button > 1) return;
    const target = /** @type {Element} */ (e.target).closest('[data-piece]');
    const id = Number(target?.getAttribute('data-piece') ?? 0);
    const coarse = e.pointerType !== 'mouse';
    press = {
      mode: 'table',
      pointer: e.pointerId,
      id,
      x: e.clientX,
      y: e.clientY,
      add: e.shiftKey,
      below: false,
      isTouchOrPen: coarse,
      spot: 0,
      slop: slopOf(coarse),
      part: 0,
      timer: 0,
    };
    if (e.button === 1 || space) {
      press.mode = 'pan';
      e.preventDefault(); // prevents autoscroll by the middle button
      win.setPointerCapture(e.pointerId);
      return;
    }
    if (s.parts.cards?.fetch.resume(s, /** @type {Element} */ (e.target), e.clientX, e.clientY)) {
      press.mode = 'fetch';
      win.setPointerCapture(e.pointerId);
      return;
    }
    const piece = s.sync.pieces.get(id);
    const spots = piece && !s.input.many && abilityOf(kindAt(s.catalog, piece.kind)).spots;
    if (spots && target) {
      press.spot = spots.at(s, piece, fromMiddle(s, target, e), e.target, press.add);
      if (press.spot && spots.slop) press.slop = spots.slop;
    }
    if (piece && !press.add && !e.altKey)
      press.part = s.parts.abilities?.partOffered(s, piece, e.ctrlKey || e.metaKey) ?? 0;
    if (press.part > 0) press.mode = 'source';
    else if (e.altKey) reachBelow(press, e.clientX, e.clientY);
    else if (piece && !isFixed(s, piece)) press.mode = 'piece';
    if (coarse) press.timer = setTimeout(() => held(press), LONG);
    else win.setPointerCapture(e.pointerId);
  };

  const reachBelow = (/** @type {Press} */ p, /** @type {number} */ x, /** @type {number} */ y) => {
    p.id = selectBelow(s, under(x, y));
    p.below = true;
    p.spot = 0;
    p.slop = slopOf(p.isTouchOrPen);
    const piece = s.sync.pieces.get(p.id);
    if (!piece) return;
    focusOn(s, p.id);
    if (!isFixed(s, piece)) p.mode = 'piece';
  };

  const held = (/** @type {Press|null} */ p) => {
    if (!p || p !== press || p.id === 0 || !['piece', 'table', 'source'].includes(p.mode)) return;
    const source = p.mode === 'source' ? s.sync.pieces.get(p.id) : undefined;
    if (source && !isFixed(s, source)) liftSource(p);
    else reachBelow(p, p.x, p.y);
    navigator.vibrate?.(12);
  };

  /** Handles a long press on a deck: it means the deck itself. @param {Press} p */
  const liftSource = (p) => {
    p.mode = 'piece';
    p.below = true; // so it does not become a tap
    select(s, [p.id]);
  };

  const move = (/** @type {PointerEvent} */ e) => {
    const p = press;
    if (!p || e.pointerId !== p.pointer) return;
    const far = Math.hypot(e.clientX - p.x, e.clientY - p.y) > p.slop;
    if (far && p.mode === 'piece') beginDrag(p);
    else if (far && p.mode === 'table') beginOnTable(p);
    else if (far && p.mode === 'source') beginFetch(p);
    // the pieces have arrived, or never will
    if (p.mode === 'fetch' && !isFetching()) p.mode = s.input.carry ? 'drag' : 'spent';
    if (p.mode === 'fetch') s.parts.cards?.fetch.move(s, e.clientX, e.clientY);
    else if (p.mode === 'drag') {
      if (s.input.carry) carry.move(s, e.clientX, e.clientY);
      else p.mode = 'spent'; // this person no longer holds the pieces
    } else if (p.mode === 'band') {
      moveBand(s, e.clientX, e.clientY);
    } else if (p.mode === 'pan') {
      win.scrollBy(p.x - e.clientX, p.y - e.clientY);
      p.x = e.clientX;
      p.y = e.clientY;
    }
  };

  const beginDrag = (/** @type {Press} */ p) => {
    clearTimeout(p.timer);
    if (s.input.carry) carry.end(s);
    if (p.add && !s.input.selection.has(p.id)) toggle(s, p.id);
    let ids = s.input.selection.has(p.id) && !p.below ? [...s.input.selection] : [p.id];
    if (s.input.take > 0) {
      voice.hush(); // the notice of the number
      ids = pileOf(s, p.id, s.input.take);
      if (ids.length < s.input.take) voice.notice(msg('core.tookAll', { n: ids.length }));
    }
    const lead = ids.includes(p.id) ? p.id : ids[0];
    // A single piece moves without being selected, so that the toolbar stays out of the way.
    if (ids.length > 1) select(s, ids);
    else if (!s.input.selection.has(lead)) select(s, []);
    const no = carry.start(s, lead, ids, { by: 'pointer', px: p.x, py: p.y });
    p.mode = no ? 'spent' : 'drag';
    if (no) explain(s, no, voice);
    else win.setPointerCapture(p.pointer);
  };

  const beginFetch = (/** @type {Press} */ p) => {
    clearTimeout(p.timer);
    const piece = s.sync.pieces.get(p.id);
    if (s.input.carry) carry.end(s);
    if (!piece) {
      p.mode = 'spent';
      return;
    }
    voice.hush(); // the notice of the number
    s.input.take = 0;
    if (s.input.selection.size > 0) select(s, []);
    s.parts.cards?.fetch.begin(s, piece, p.part, p.x, p.y);
    p.mode = 'fetch';
    win.setPointerCapture(p.pointer);
  };

  const beginOnTable = (/** @type {Press} */ p) => {
    clearTimeout(p.timer);
    const piece = s.sync.pieces.get(p.id);
    const light = s.view.shown.get(p.id)?.heavy === false;
    const stuck = piece && light ? refusal(s, piece, 'grab') : null;
    if (stuck && !p.isTouchOrPen) {
      explain(s, stuck, voice);
      p.mode = 'spent';
    } else if (!p.isTouchOrPen || s.input.many) {
      if (piece) leaveHand(piece);
      win.setPointerCapture(p.pointer);
      startBand(s, p.x, p.y, p.add || s.input.many);
      p.mode = 'band';
    } else {
      if (piece) leaveHand(piece);
      p.mode = 'spent'; // the browser scrolls
    }
  };

  /**
   * Explains why another player's hand stays where it is. Once for each owner, because a drag that
   * starts there usually means the table.
   * @param {Piece} piece
   */
  const leaveHand = (piece) => {
    const no = refusal(s, piece, 'grab');
    if (no?.reason !== 'othersHand' || told.has(piece.owner)) return;
    told.add(piece.owner);
    explain(s, no, voice);
  };

  const up = (/** @type {PointerEvent} */ e) => {
    const p = press;
    if (!p || e.pointerId !== p.pointer) return;
    press = null;
    clearTimeout(p.timer);
    const over = s.parts.cards?.placeOver(s, e.clientX, e.clientY) ?? null;
    if (p.mode === 'fetch' && isFetching()) s.parts.cards?.fetch.end(s, over);
    else if (p.mode === 'fetch' || p.mode === 'drag') drop(e.shiftKey && !p.add, over);
    else if (p.mode === 'band') endBand(s);
    else if (p.spot && (p.mode === 'piece' || p.mode === 'table')) taps.onSpot(p);
    else if (p.mode === 'piece' && !p.below) taps.onPiece(p, e.timeStamp);
    else if (p.mode === 'table' && !p.below) taps.onFixed(p, e.timeStamp);
    else if (p.mode === 'source') taps.onFixed(p, e.timeStamp);
  };

  /**
   * Ends the drag.
   * @param {boolean} down turns the cards front down
   * @param {{x: number, y: number}|null} over the place in the hand if the pointer is over the
   *   strip, else null
   */
  const drop = (down, over) => {
    const lead = s.input.carry?.lead;
    if (over) carry.gather(s, over);
    carry.end(s, down);
    if (lead && s.sync.pieces.has(lead)) focusOn(s, lead);
  };

  const cancel = (/** @type {PointerEvent} */ e) => {
    const p = press;
    if (!p || e.pointerId !== p.pointer) return;
    press = null;
    clearTimeout(p.timer);
    if (p.mode === 'fetch' && isFetching()) s.parts.cards?.fetch.cancel(s);
    if (p.mode === 'drag' || p.mode === 'fetch') carry.cancel(s);
    if (p.mode === 'band') endBand(s);
  };

  const over = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType !== 'mouse') return;
    s.input.hover = Number(
      /** @type {Element} */ (e.target).closest('[data-piece]')?.getAttribute('data-piece') ?? 0,
    );
  };

  const key = (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== ' ') return;
    const on =
      e.type === 'keydown' &&
      !(/** @type {Element} */ (e.target).closest('button, input, textarea, [data-piece], dialog'));
    space = on;
    s.page.main.classList.toggle('panning', on);
    if (on) e.preventDefault();
  };

  drawWithBars(s, drawBand);
  onRename(s, (from, to) => {
    if (press?.id === from) press.id = to;
  });
  return all(
    on(win, 'pointerdown', down),
    on(win, 'pointermove', move),
    on(win, 'pointerup', up),
    on(win, 'pointercancel', cancel),
    on(win, 'lostpointercapture', (/** @type {PointerEvent} */ e) => {
      if (e.target === win) cancel(e); // a drag begins: the piece passes its touch to the window
    }),
    on(win, 'pointerover', over),
    on(win, 'pointerleave', () => {
      s.input.hover = 0;
    }),
    on(win, 'contextmenu', (/** @type {Event} */ e) => {
      if (s.input.touch) e.preventDefault(); // a long press means something else here
    }),
    on(win, 'dragstart', (/** @type {Event} */ e) => e.preventDefault()),
    on(document, 'keydown', key),
    on(document, 'keyup', key),
    () => clearTimeout(press?.timer),
    taps.stop,
  );
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

/** Ends a press without a tap. @param {Press} p */
function endPress(p) {
  clearTimeout(p.timer);
  p.mode = 'spent';
}
