// The menu of the selected pieces: all that can be done with them, with keys and a search. The
// right button opens it at the pointer, "More" at its button. On a small screen it is a sheet at
// the lower edge.

import { all, el, isSmall, on, setAttr } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { reasonFor } from '../../reasons.js';
import { refocus, targets } from '../../input/select.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../input/action.js').Action} Action */

/** The free space between the menu and the edge of the window, in px. */
const EDGE = 8;

/** Reasons that may pass: an action that they prevent is listed, and says so. */
const PASSING = new Set(['held', 'pinned', 'locked', 'cooling', 'othersCards']);

/** What closes the menu that is open, and the button that opened it. */
let open = { close: () => {}, by: /** @type {Element|null} */ (null) };

/**
 * Opens the menu at a button, or closes it if this button has opened it.
 * @param {State} s
 * @param {HTMLElement} button
 * @param {Voice} voice
 */
export function openMenuAt(s, button, voice) {
  if (open.by === button) {
    open.close();
    return;
  }
  const { left, top, bottom } = button.getBoundingClientRect();
  const isBelow = top < s.view.camera.top + s.view.camera.h / 2;
  openMenu(s, left, isBelow ? bottom + EDGE : top - EDGE, voice, button);
}

/**
 * Opens the menu for the pieces that an action would apply to.
 * @param {State} s
 * @param {number} x in the page
 * @param {number} y
 * @param {Voice} voice
 * @param {HTMLElement|null} [by] the button that opens it
 */
export function openMenu(s, x, y, voice, by = null) {
  open.close();
  const pieces = targets(s);
  const entries = entriesFor(s, pieces);
  if (entries.length === 0) return;
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const close = (/** @type {boolean} */ back) => {
    open = { close: () => {}, by: null };
    stop();
    menu.remove();
    if (by) setAttr(by, 'aria-expanded', null);
    if (back && before?.isConnected) before.focus({ preventScroll: true });
    if (back) refocus(s);
  };
  const run = (/** @type {string} */ id) => {
    close(true);
    s.parts.controls?.perform(s, id, voice);
  };
  const items = entries.map((entry) => itemFor(entry, run));
  const shown = () => items.filter((item) => !item.hidden);
  const none = el('p', { class: 'quiet', hidden: true, role: 'status' }, msg('dialogs.menu.none'));
  const search = el('input', {
    type: 'search', autocomplete: 'off', 'aria-label': msg('dialogs.menu.search'),
    placeholder: msg('dialogs.menu.search'),
    oninput: () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      items.forEach((item, i) => {
        const name = entries[i].label.toLowerCase();
        item.hidden = !words.every((w) => name.includes(w));
      });
      none.hidden = shown().length > 0;
    },
  });
  const menu = el(
    'div', { class: 'menu', role: 'dialog', 'aria-label': msg('core.bar.label') },
    search, none,
    el('div', { class: 'menu-items', role: 'menu', 'aria-label': msg('core.bar.label') }, ...items),
  );
  s.page.main.append(menu);
  stand(s, menu, x, y, by !== null);
  if (by) setAttr(by, 'aria-expanded', 'true');

  const step = (/** @type {string} */ key) => {
    const list = shown();
    const at = list.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const last = list.length - 1;
    const to = {
      ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1,
      Home: 0, End: last,
    }[key];
    if (to === undefined) return false;
    list[to]?.focus();
    return true;
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    e.stopPropagation();
    const isSearching = document.activeElement === search;
    if (isSearching && (e.key === 'Home' || e.key === 'End')) return;
    if (step(e.key)) e.preventDefault();
    else if (e.key === 'Escape' || e.key === 'Tab') {
      e.preventDefault();
      close(true);
    } else if (e.key === 'Enter' && isSearching) {
      e.preventDefault();
      shown().find((item) => !item.hasAttribute('aria-disabled'))?.click();
    } else if (!isSearching && e.key.length === 1 && e.key !== ' ' && !e.ctrlKey && !e.metaKey) {
      search.focus(); // the letter goes into the field
    }
  };
  const stop = all(
    on(menu, 'keydown', key),
    on(document, 'pointerdown', (/** @type {PointerEvent} */ e) => {
      const at = /** @type {Node} */ (e.target);
      if (!menu.contains(at) && !by?.contains(at)) close(false);
    }, { capture: true }),
    on(menu, 'contextmenu', (/** @type {Event} */ e) => e.preventDefault()),
    on(window, 'blur', () => close(false)),
  );
  open = { close: () => close(true), by };
  // On a phone the field would open the keyboard, which covers the menu.
  (s.input.touch ? items[0] : search).focus({ preventScroll: true });
}

/**
 * Returns what the menu lists: what can be done, and what only something prevents that may pass.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function entriesFor(s, pieces) {
  const { controls } = s.parts;
  return controls?.actionsFor(s, pieces).flatMap((a) => {
    const fits = a.fits(s, pieces);
    if (fits.length > 0) return [{ ...entryOf(a), label: a.label(s, fits), no: '' }];
    if (!a.isOffer) return [];
    const no = controls.hindranceOf(s, a, pieces);
    return PASSING.has(no.reason)
      ? [{ ...entryOf(a), label: a.label(s, pieces), no: reasonFor(s, no) }]
      : [];
  }) ?? [];
}

/** @param {Action} action */
function entryOf({ id, icon: picture, key }) {
  return { id, picture, key };
}

/**
 * @param {ReturnType<typeof entriesFor>[number]} entry
 * @param {(id: string) => void} run
 */
function itemFor({ id, picture, key, label, no }, run) {
  return el(
    'button',
    {
      class: 'menu-item', role: 'menuitem', tabindex: '-1', 'aria-label': label,
      'aria-disabled': no ? 'true' : null, title: no || null, 'data-action': id,
      onclick: () => run(id),
    },
    icon(picture), el('span', {}, label),
    key ? el('kbd', { 'aria-hidden': 'true' }, key) : null,
  );
}

/**
 * Places the menu at a point, within the window. A small screen shows it as a sheet.
 * @param {State} s
 * @param {HTMLElement} menu
 * @param {number} x
 * @param {number} y
 * @param {boolean} isAtButton whether it opens upwards if the point is in the lower half
 */
function stand(s, menu, x, y, isAtButton) {
  if (isSmall()) return;
  const { left, top, w, h } = s.view.camera;
  const opensUp = isAtButton && y > top + h / 2;
  const room = isAtButton ? (opensUp ? y - top : top + h - y) - EDGE : h - 2 * EDGE;
  menu.style.maxHeight = `${room}px`;
  // x and left are coordinates of the page. Where lines run from right to left, a menu opens to the
  // left.
  const toLeft = getComputedStyle(menu).direction === 'rtl';
  const edge = toLeft ? x - menu.offsetWidth : x;
  const upper = opensUp ? y - menu.offsetHeight : y;
  menu.style.left = `${clamp(edge, left + EDGE, left + w - menu.offsetWidth - EDGE)}px`;
  menu.style.top = `${clamp(upper, top + EDGE, top + h - menu.offsetHeight - EDGE)}px`;
}
