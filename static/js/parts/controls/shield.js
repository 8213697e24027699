// While the wheel turns and the mouse rests, a shield lies over the table. With each frame the
// browser looks for what has come under the mouse, and asks one piece after the other: most of the
// cost of a frame on a crowded table. It finds the shield at once.

import { all, el, expectMotion, on } from '../../view/dom.js';

/** For how long the shield stays after the last step of the wheel, in ms. */
const REST = 150;

/** For how long the mouse must not have moved, in ms. */
const STILL = 100;

/**
 * Lays the shield over the table when the wheel turns.
 * @param {import('../../state.js').State} s
 * @returns {() => void} stops
 */
export function bindShield(s) {
  const shield = el('div', { class: 'shield' });
  s.page.sizer.append(shield);
  expectMotion(shield);
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let moved = -STILL;
  const lower = () => {
    clearTimeout(timer);
    shield.classList.remove('up');
  };
  const raise = () => {
    if (s.input.carry || performance.now() - moved < STILL) return;
    shield.classList.add('up');
    clearTimeout(timer);
    timer = setTimeout(lower, REST);
  };
  const move = () => {
    moved = performance.now();
    if (shield.classList.contains('up')) lower();
  };
  return all(
    on(s.page.window, 'wheel', raise, { passive: true }),
    on(s.page.window, 'pointermove', move, { passive: true }),
    on(s.page.window, 'pointerdown', lower, { capture: true }),
    lower,
    () => shield.remove(),
  );
}

/**
 * Returns what an event happened on, below the shield.
 * @param {PointerEvent} e
 * @returns {Element}
 */
export function beneath(e) {
  const target = /** @type {Element} */ (e.target);
  if (!target.matches('.shield')) return target;
  return document.elementFromPoint(e.clientX, e.clientY) ?? target;
}
