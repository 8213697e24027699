// The menu of a piece.

import { all, el, on } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { actionsFor, perform } from '../../input/perform.js';
import { targets } from '../../input/select.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** The free space between the menu and the edge of the window, in px. */
const EDGE = 8;

/**
 * Opens the menu for the pieces that an action would apply to.
 * @param {State} s
 * @param {number} x in the page
 * @param {number} y
 * @param {Voice} voice
 */
export function openMenu(s, x, y, voice) {
  document.querySelector('.menu')?.remove();
  const pieces = targets(s);
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const close = (/** @type {boolean} */ back) => {
    stop();
    menu.remove();
    if (back && before?.isConnected) before.focus({ preventScroll: true });
  };
  const items = actionsFor(s, pieces).flatMap((a) => {
    const fits = a.fits(s, pieces);
    if (fits.length === 0) return [];
    const run = () => {
      close(true);
      perform(s, a.id, voice);
    };
    const label = a.label(s, fits);
    return [
      el(
        'button',
        {
          class: 'menu-item', role: 'menuitem', tabindex: '-1', 'aria-label': label,
          'data-action': a.id, onclick: run,
        },
        icon(a.icon), el('span', {}, label),
        a.key ? el('kbd', { 'aria-hidden': 'true' }, a.key) : null,
      ),
    ];
  });
  if (items.length === 0) return;
  const menu = el(
    'div', { class: 'menu', role: 'menu', 'aria-label': msg('core.bar.label') }, ...items
  );
  s.page.main.append(menu);
  const { left, top, w, h } = s.view.camera;
  menu.style.maxHeight = `${h - 2 * EDGE}px`;
  // x and left are coordinates of the page. Where lines run from right to left, a menu opens to the
  // left.
  const toLeft = getComputedStyle(menu).direction === 'rtl';
  const edge = toLeft ? x - menu.offsetWidth : x;
  menu.style.left = `${clamp(edge, left + EDGE, left + w - menu.offsetWidth - EDGE)}px`;
  menu.style.top = `${clamp(y, top + EDGE, top + h - menu.offsetHeight - EDGE)}px`;
  const key = (/** @type {KeyboardEvent} */ e) => {
    e.stopPropagation();
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[e.key];
    if (to !== undefined) items[(to + items.length) % items.length].focus();
    else if (e.key === 'Escape' || e.key === 'Tab') close(true);
    else if (e.key !== 'Enter' && e.key !== ' ') find(items, at, e.key);
    if (e.key !== 'Enter' && e.key !== ' ') e.preventDefault();
  };
  const stop = all(
    on(menu, 'keydown', key),
    on(document, 'pointerdown', (/** @type {PointerEvent} */ e) => {
      if (!menu.contains(/** @type {Node} */ (e.target))) close(false);
    }, { capture: true }),
    on(menu, 'contextmenu', (/** @type {Event} */ e) => e.preventDefault()),
    on(window, 'blur', () => close(false)),
  );
  items[0].focus({ preventScroll: true });
}

/**
 * Moves the focus to the next item that begins with a letter.
 * @param {HTMLElement[]} items
 * @param {number} at
 * @param {string} letter
 */
function find(items, at, letter) {
  for (let i = 1; i <= items.length; i++) {
    const item = items[(at + i) % items.length];
    if (item.getAttribute('aria-label')?.toLowerCase().startsWith(letter.toLowerCase())) {
      item.focus();
      return;
    }
  }
}
