// Two fingers on the table: zoom and pan at the same time. Elsewhere on the page they do nothing:
// the browser would zoom the page itself, and on the table nothing would lead back from that.

import { all, on } from '../../view/dom.js';
import { settle, zoomBy } from '../../view/zoom.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Listens to fingers. It uses touch events: once the browser scrolls, it cancels pointer events,
 * and only touchstart and touchmove can still stop it. Safari on a Mac sends gesture events.
 * @param {State} s
 * @returns {() => void} stops listening
 */
export function bindPinch(s) {
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
    if (e.touches.length < 2 || s.input.carry || isZoomed()) return;
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
    if (last) return; // the touch events above handle fingers
    if (e.type === 'gesturestart') size = 1;
    if (e.type === 'gesturechange') zoomBy(s, e.scale / size, e.clientX, e.clientY);
    if (e.type === 'gestureend') settle(s);
    size = e.scale;
  };
  // css/base.css forbids it, too; some browsers do not listen to that
  const elsewhere = (/** @type {any} */ e) => {
    const fingers = e.touches?.length ?? 2;
    if (fingers > 1 && e.cancelable && !isZoomed()) e.preventDefault();
  };
  const noteZoom = () =>
    document.documentElement.classList.toggle('zoomed', isZoomed());
  return all(
    on(document, 'touchmove', elsewhere, { passive: false }),
    on(document, 'gesturestart', elsewhere, { passive: false }),
    ...(window.visualViewport ? [on(window.visualViewport, 'resize', noteZoom)] : []),
    on(win, 'touchstart', start, { passive: false }),
    on(win, 'touchmove', move, { passive: false }),
    on(win, 'touchend', end),
    on(win, 'touchcancel', end),
    on(win, 'gesturestart', gesture, { passive: false }),
    on(win, 'gesturechange', gesture, { passive: false }),
    on(win, 'gestureend', gesture, { passive: false }),
  );
}

/**
 * Returns whether the browser has zoomed the page, for example because somebody needs that and has
 * told the device so. Then two fingers belong to the browser, so that they also lead back.
 */
function isZoomed() {
  return (window.visualViewport?.scale ?? 1) > 1.01;
}
