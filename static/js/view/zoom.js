// The view. Panning is native scrolling. A zoom scales the outer box; when the gesture rests, it
// becomes the scale of the inner one. render() calls drawView; all other functions change
// s.view.camera.

import { all, expectMotion, on } from './dom.js';
import { UNITS, clamp, extent, padding, scrollFor, toTable } from './geometry.js';

/** @typedef {import('../state.js').State} State */

/** The smallest and the greatest scale, in CSS pixels per millimetre. */
export const LEAST = 0.08;
const MOST = 8;

/** Milliseconds without a wheel event after which a zoom settles. */
const REST = 160;

/** Factor of one step of the zoom keys and buttons. */
export const STEP = 1.3;

/** Draws the view. Only render() calls this. @param {State} s */
export function drawView(s) {
  const { page } = s;
  const v = s.view.camera;
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
  for (const { style } of [page.inner, page.aloft, page.arrows]) {
    style.left = `${pad.x + size.w / 2}px`;
    style.top = `${pad.y + size.h / 2}px`;
    style.transform = `rotate(${v.turn}deg) scale(${v.scale})`;
    style.setProperty('--scale', String(v.scale));
    style.setProperty('--turn', `${v.turn}deg`);
    style.setProperty('--sx', String(v.turn === 90 ? 1 : v.turn === 270 ? -1 : 0));
    style.setProperty('--sy', String(v.turn === 0 ? 1 : v.turn === 180 ? -1 : 0));
  }
  page.world.style.setProperty('--table-w', `${w}px`);
  page.world.style.setProperty('--table-h', `${h}px`);
  page.main.setAttribute('data-scale', v.scale.toFixed(4));
  page.main.setAttribute('data-turn', String(v.turn));
  scrollTo(s, v.sx, v.sy);
}

/**
 * Scrolls, and stores the position that the browser allowed.
 * @param {State} s
 * @param {number} x
 * @param {number} y
 */
function scrollTo(s, x, y) {
  const { window: win } = s.page;
  win.scrollLeft = x;
  win.scrollTop = y;
  s.view.camera.sx = win.scrollLeft;
  s.view.camera.sy = win.scrollTop;
}

/** Scrolls by so many px. @param {State} s @param {number} dx @param {number} dy */
export function scrollBy(s, dx, dy) {
  const { window: win } = s.page;
  win.scrollBy(dx, dy);
  s.view.camera.sx = win.scrollLeft;
  s.view.camera.sy = win.scrollTop;
}

/**
 * Zooms by a factor so that the content at a point of the page stays there. The zoom is drawn as a
 * gesture until `settle`.
 * @param {State} s
 * @param {number} factor
 * @param {number} px
 * @param {number} py
 * @param {number} [toX] where the gesture moves the point to
 * @param {number} [toY]
 */
export function zoomBy(s, factor, px, py, toX = px, toY = py) {
  const v = s.view.camera;
  const point = toTable(v, px, py);
  const scale = clamp(v.scale * (v.live?.factor ?? 1) * factor, LEAST, MOST);
  const scroll = scrollFor(v, point, toX, toY, scale);
  v.live = { factor: scale / v.scale, x: v.sx - scroll.x, y: v.sy - scroll.y };
  s.view.dirtyCamera = true;
  s.redraw();
}

/**
 * Makes the current zoom the settled one, so that everything is drawn crisply again.
 * @param {State} s
 */
export function settle(s) {
  const v = s.view.camera;
  if (!v.live) return;
  const { factor, x, y } = v.live;
  v.live = null;
  v.scale *= factor;
  v.sx -= x;
  v.sy -= y;
  s.view.dirtyCamera = true;
  s.redraw();
}

/**
 * Turns the whole table by a quarter clockwise, about the middle of the window.
 * @param {State} s
 */
export function turnView(s) {
  turnViewTo(s, /** @type {0|90|180|270} */ ((s.view.camera.turn + 90) % 360));
}

/**
 * Turns the whole table about the middle of the window.
 * @param {State} s
 * @param {0|90|180|270} turn in degrees
 */
export function turnViewTo(s, turn) {
  const v = s.view.camera;
  if (v.turn === turn) return;
  settle(s);
  const px = v.left + v.w / 2;
  const py = v.top + v.h / 2;
  const middle = toTable(v, px, py);
  v.turn = turn;
  const scroll = scrollFor(v, middle, px, py, v.scale);
  v.sx = scroll.x;
  v.sy = scroll.y;
  s.view.dirtyCamera = true;
  // redraws descriptions of places, and shadows
  for (const id of s.view.shown.keys()) s.view.dirty.add(id);
  s.redraw();
}

/**
 * Zooms by a factor about the middle of the window, and settles at once.
 * @param {State} s
 * @param {number} factor
 */
export function zoomStep(s, factor) {
  const v = s.view.camera;
  zoomBy(s, factor, v.left + v.w / 2, v.top + v.h / 2);
  settle(s);
}

/**
 * Listens to the wheel, to scrolling and to the size of the window.
 * @param {State} s
 * @returns {() => void} stops listening
 */
export function bindZoom(s) {
  const win = s.page.window;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const wheel = (/** @type {WheelEvent} */ e) => {
    if (!e.ctrlKey && !e.metaKey) return; // the browser scrolls
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 20 : e.deltaMode === 2 ? 400 : 1;
    // A pinch on a touchpad arrives as a wheel event with Ctrl and small steps. A notch of a wheel
    // is about 100.
    const size = clamp(e.deltaY * unit, -120, 120);
    zoomBy(s, Math.exp(-size * (Math.abs(size) < 30 ? 0.01 : 0.0025)), e.clientX, e.clientY);
    clearTimeout(timer);
    timer = setTimeout(() => settle(s), REST);
  };
  const scrolled = () => {
    // the window's size changed and limited the scroll position; `measure` handles that
    if (win.clientWidth !== s.view.camera.w || win.clientHeight !== s.view.camera.h) return;
    s.view.camera.sx = win.scrollLeft;
    s.view.camera.sy = win.scrollTop;
  };
  const measure = () => {
    const v = s.view.camera;
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
    s.view.dirtyCamera = true;
    s.redraw();
  };
  const pledge = expectMotion(s.page.outer);
  const watcher = new ResizeObserver(measure);
  watcher.observe(win);
  measure();
  return all(
    () => pledge.cancel(),
    () => watcher.disconnect(),
    () => clearTimeout(timer),
    on(win, 'wheel', wheel, { passive: false }),
    on(win, 'scroll', scrolled, { passive: true }),
  );
}
