// The view: panning is native scrolling; a zoom is drawn by scaling the outer box and becomes the scale of
// the inner one when the gesture rests. render() calls drawView; everything else changes s.view.

import { kindAt } from './catalog.js';
import { all, isSmall, on, wantsStill } from './dom.js';
import { UNITS, clamp, extent, padding, scrollFor, toContent, toTable } from './geometry.js';
import { boxOf } from './piece.js';

/** @typedef {import('./state.js').State} State */

/** The smallest and greatest scale, CSS pixels per millimetre. */
const LEAST = 0.08;
const MOST = 8;

/** Milliseconds without wheel after which a zoom settles. */
const REST = 160;

/** A step of the zoom keys and buttons. */
export const STEP = 1.3;

/**
 * Draws the view. Called by render only.
 * @param {State} s
 */
export function drawView(s) {
  const { view: v, page } = s;
  if (v.live) {
    page.outer.style.transform = `translate(${v.live.x}px, ${v.live.y}px) scale(${v.live.factor})`;
    return;
  }
  const pad = padding(v);
  const size = extent(v);
  const w = v.width / UNITS;
  const h = v.height / UNITS;
  page.outer.style.transform = '';
  page.outer.style.transformOrigin = `${pad.x}px ${pad.y}px`;
  page.sizer.style.width = `${size.w + 2 * pad.x}px`;
  page.sizer.style.height = `${size.h + 2 * pad.y}px`;
  page.inner.style.left = `${pad.x + size.w / 2}px`;
  page.inner.style.top = `${pad.y + size.h / 2}px`;
  page.inner.style.transform = `rotate(${v.turn}deg) scale(${v.scale})`;
  page.inner.style.setProperty('--scale', String(v.scale));
  page.inner.style.setProperty('--turn', `${v.turn}deg`);
  page.inner.style.setProperty('--sx', String(v.turn === 90 ? 1 : v.turn === 270 ? -1 : 0));
  page.inner.style.setProperty('--sy', String(v.turn === 0 ? 1 : v.turn === 180 ? -1 : 0));
  page.world.style.setProperty('--table-w', `${w}px`);
  page.world.style.setProperty('--table-h', `${h}px`);
  page.main.setAttribute('data-scale', v.scale.toFixed(4));
  page.main.setAttribute('data-turn', String(v.turn));
  scrollTo(s, v.sx, v.sy);
}

/** Scrolls, and notes where that has led. @param {State} s @param {number} x @param {number} y */
function scrollTo(s, x, y) {
  const { window: win } = s.page;
  win.scrollLeft = x;
  win.scrollTop = y;
  s.view.sx = win.scrollLeft;
  s.view.sy = win.scrollTop;
}

/**
 * Zooms by a factor, so that what is at a point of the page stays there. Drawn as a gesture until `settle`.
 * @param {State} s @param {number} factor @param {number} px @param {number} py
 * @param {number} [toX] where the point goes, if the gesture moves it @param {number} [toY]
 */
export function zoomBy(s, factor, px, py, toX = px, toY = py) {
  const v = s.view;
  const point = toTable(v, px, py);
  const scale = clamp(v.scale * (v.live?.factor ?? 1) * factor, LEAST, MOST);
  const scroll = scrollFor(v, point, toX, toY, scale);
  v.live = { factor: scale / v.scale, x: v.sx - scroll.x, y: v.sy - scroll.y };
  s.dirtyView = true;
  s.redraw();
}

/**
 * Makes the zoom that is going on the settled one: everything is drawn crisp again.
 * @param {State} s
 */
export function settle(s) {
  const v = s.view;
  if (!v.live) return;
  const { factor, x, y } = v.live;
  v.live = null;
  v.scale *= factor;
  v.sx -= x;
  v.sy -= y;
  s.dirtyView = true;
  s.redraw();
}

/**
 * Shows a part of the table, as large as it fits.
 * @param {State} s @param {{left: number, top: number, right: number, bottom: number}} box in units
 */
export function show(s, box) {
  const v = s.view;
  v.live = null;
  const room = roomIn(s);
  const sideways = v.turn % 180 !== 0;
  const w = (sideways ? box.bottom - box.top : box.right - box.left) / UNITS;
  const h = (sideways ? box.right - box.left : box.bottom - box.top) / UNITS;
  v.scale = clamp(Math.min(room.w / Math.max(w, 1), room.h / Math.max(h, 1)), LEAST, 2.5);
  const middle = toContent(v, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  v.sx = middle.x - (room.x + room.w / 2);
  v.sy = middle.y - (room.y + room.h / 2);
  s.dirtyView = true;
  s.redraw();
}

/** The part of the window that the bars leave free, in px of the window. @param {State} s */
function roomIn(s) {
  const small = isSmall();
  const top = small ? 60 : 68;
  const bottom = small ? 76 : 88;
  const side = small ? 10 : 32;
  return { x: side, y: top, w: Math.max(80, s.view.w - 2 * side), h: Math.max(80, s.view.h - top - bottom) };
}

/**
 * Shows everything: the whole table in a large window. In a small one that would be too small to touch, so it shows the
 * board, if there is one; asked again, everything that lies on the table.
 * @param {State} s
 */
export function fit(s) {
  const { width, height } = s.view;
  const margin = 160; // the frame
  const table = { left: -width / 2 - margin, top: -height / 2 - margin, right: width / 2 + margin, bottom: height / 2 + margin };
  if (!isSmall() || s.sync.pieces.size === 0) {
    show(s, table);
    return;
  }
  const before = `${s.view.scale} ${Math.round(s.view.sx)} ${Math.round(s.view.sy)}`;
  const board = boardOf(s);
  if (board) show(s, grown(board, 60));
  const same = before === `${s.view.scale} ${Math.round(s.view.sx)} ${Math.round(s.view.sy)}`;
  if (!board || same) show(s, grown(allOf(s), 80));
}

/** The board that is played on: the largest heavy piece that lies over the middle, no hand; null if there is none. @param {State} s */
function boardOf(s) {
  let best = null;
  let most = 0;
  for (const piece of s.sync.pieces.values()) {
    const k = kindAt(s.catalog, piece.kind);
    const box = boxOf(s, piece);
    const over = box.left < 0 && box.right > 0 && box.top < 0 && box.bottom > 0;
    if (k.weight !== 'heavy' || k.hand || !over || k.width * k.height <= most) continue;
    best = box;
    most = k.width * k.height;
  }
  return best;
}

/** The box around everything. @param {State} s */
function allOf(s) {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const piece of s.sync.pieces.values()) {
    const b = boxOf(s, piece);
    all.left = Math.min(all.left, b.left);
    all.top = Math.min(all.top, b.top);
    all.right = Math.max(all.right, b.right);
    all.bottom = Math.max(all.bottom, b.bottom);
  }
  return all;
}

/** @param {{left: number, top: number, right: number, bottom: number}} b @param {number} by */
function grown(b, by) {
  return { left: b.left - by, top: b.top - by, right: b.right + by, bottom: b.bottom + by };
}

/**
 * Turns the whole table by a quarter, about the middle of the window.
 * @param {State} s
 */
export function turnView(s) {
  const v = s.view;
  settle(s);
  const px = v.left + v.w / 2;
  const py = v.top + v.h / 2;
  const middle = toTable(v, px, py);
  v.turn = /** @type {0|90|180|270} */ ((v.turn + 90) % 360);
  const scroll = scrollFor(v, middle, px, py, v.scale);
  v.sx = scroll.x;
  v.sy = scroll.y;
  s.dirtyView = true;
  for (const id of s.shown.keys()) s.dirty.add(id); // places in words and shadows
  s.redraw();
}

/**
 * Turns the table so that this person's hand, if there is one, lies at the lower edge. For the start, before a fit.
 * @param {State} s
 */
export function turnToSide(s) {
  for (const piece of s.sync.pieces.values()) {
    if (piece.owner === 0 || piece.owner !== s.sync.you || !kindAt(s.catalog, piece.kind).hand) continue;
    const across = piece.x / s.view.width;
    const along = piece.y / s.view.height;
    if (Math.abs(along) >= Math.abs(across)) s.view.turn = along < 0 ? 180 : 0;
    else s.view.turn = across < 0 ? 270 : 90;
    s.dirtyView = true;
    return;
  }
}

/**
 * Zooms by a step about the middle of the window, and settles at once.
 * @param {State} s @param {number} factor
 */
export function zoomStep(s, factor) {
  zoomBy(s, factor, s.view.left + s.view.w / 2, s.view.top + s.view.h / 2);
  settle(s);
}

/**
 * Scrolls just so far that a piece is in sight.
 * @param {State} s @param {number} id
 */
export function reveal(s, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return;
  const v = s.view;
  const box = boxOf(s, piece);
  const a = toContent(v, { x: box.left, y: box.top });
  const b = toContent(v, { x: box.right, y: box.bottom });
  const room = roomIn(s);
  const dx = outside(Math.min(a.x, b.x), Math.max(a.x, b.x), v.sx + room.x, v.sx + room.x + room.w);
  const dy = outside(Math.min(a.y, b.y), Math.max(a.y, b.y), v.sy + room.y, v.sy + room.y + room.h);
  if (dx === 0 && dy === 0) return;
  s.page.window.scrollBy({ left: dx, top: dy, behavior: wantsStill() ? 'instant' : 'smooth' });
}

/** How far [lo, hi] has to be moved on to lie in [from, to]; 0 if it is larger. */
function outside(/** @type {number} */ lo, /** @type {number} */ hi, /** @type {number} */ from, /** @type {number} */ to) {
  if (hi - lo > to - from) return 0;
  if (lo < from) return lo - from;
  return hi > to ? hi - to : 0;
}

/**
 * Listens to wheel, pinch, scrolling and the size of the window.
 * @param {State} s
 * @returns {() => void} stops listening
 */
export function bindZoom(s) {
  const win = s.page.window;
  /** @type {number|undefined} */
  let timer;
  const wheel = (/** @type {WheelEvent} */ e) => {
    if (!e.ctrlKey && !e.metaKey) return; // the browser scrolls
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 20 : e.deltaMode === 2 ? 400 : 1;
    // A pinch on a touchpad comes as a wheel with Ctrl and small steps; a notch of a wheel as about 100.
    const size = clamp(e.deltaY * unit, -120, 120);
    zoomBy(s, Math.exp(-size * (Math.abs(size) < 30 ? 0.01 : 0.0025)), e.clientX, e.clientY);
    clearTimeout(timer);
    timer = setTimeout(() => settle(s), REST);
  };
  const scrolled = () => {
    s.view.sx = win.scrollLeft;
    s.view.sy = win.scrollTop;
  };
  const measure = () => {
    const v = s.view;
    settle(s);
    const middle = toTable(v, v.left + v.w / 2, v.top + v.h / 2);
    const before = v.w;
    const r = win.getBoundingClientRect();
    Object.assign(v, { left: r.left, top: r.top, w: win.clientWidth, h: win.clientHeight });
    if (before > 0) {
      const scroll = scrollFor(v, middle, v.left + v.w / 2, v.top + v.h / 2, v.scale);
      v.sx = scroll.x;
      v.sy = scroll.y;
    }
    s.dirtyView = true;
    s.redraw();
  };
  const watcher = new ResizeObserver(measure);
  watcher.observe(win);
  measure();
  return all(
    () => watcher.disconnect(),
    () => clearTimeout(timer),
    on(win, 'wheel', wheel, { passive: false }),
    on(win, 'scroll', scrolled, { passive: true }),
    bindPinch(s),
  );
}

/**
 * Two fingers zoom and pan at once. Touch events, because once the browser scrolls it takes the pointer events away, and
 * only touchstart and touchmove can still tell it to stop. Safari on a Mac sends gesture events.
 * @param {State} s
 */
function bindPinch(s) {
  const win = s.page.window;
  /** @type {{x: number, y: number, d: number}|null} */
  let last = null;
  const measure = (/** @type {TouchEvent} */ e) => {
    const [a, b] = e.touches;
    return {
      x: (a.clientX + b.clientX) / 2,
      y: (a.clientY + b.clientY) / 2,
      d: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
    };
  };
  const start = (/** @type {TouchEvent} */ e) => {
    if (e.touches.length < 2 || s.carry) return;
    e.preventDefault();
    last = measure(e);
  };
  const move = (/** @type {TouchEvent} */ e) => {
    if (!last || e.touches.length < 2) return;
    if (e.cancelable) e.preventDefault();
    const next = measure(e);
    zoomBy(s, next.d / Math.max(last.d, 1), last.x, last.y, next.x, next.y);
    last = next;
  };
  const end = (/** @type {TouchEvent} */ e) => {
    if (!last) return;
    if (e.touches.length >= 2) last = measure(e);
    else {
      last = null;
      settle(s);
    }
  };
  let size = 1;
  const gesture = (/** @type {any} */ e) => {
    e.preventDefault();
    if (last) return; // fingers: done above
    if (e.type === 'gesturestart') size = 1;
    if (e.type === 'gesturechange') zoomBy(s, e.scale / size, e.clientX, e.clientY);
    if (e.type === 'gestureend') settle(s);
    size = e.scale;
  };
  return all(
    on(win, 'touchstart', start, { passive: false }),
    on(win, 'touchmove', move, { passive: false }),
    on(win, 'touchend', end),
    on(win, 'touchcancel', end),
    on(win, 'gesturestart', gesture, { passive: false }),
    on(win, 'gesturechange', gesture, { passive: false }),
    on(win, 'gestureend', gesture, { passive: false }),
  );
}
