// Opens the menu of a piece by the right mouse button or the menu key.

import { all, on } from '../../view/dom.js';
import { use } from '../../parts.js';
import { focusOn, focused, select } from '../../input/select.js';
import { plays } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Listens for requests to open the menu.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops listening
 */
export function bindMenu(s, voice) {
  const open = (/** @type {number} */ x, /** @type {number} */ y) =>
    use(s, voice, 'dialogs', (dialogs) => dialogs.openMenu(s, x, y, voice));
  const reach = (/** @type {PointerEvent} */ e) => {
    // if loading fails, opening the menu says so
    if (e.button === 2) s.load('dialogs').catch(() => {});
  };
  const asked = (/** @type {MouseEvent} */ e) => {
    const target = /** @type {Element} */ (e.target).closest('[data-piece]');
    const id = Number(target?.getAttribute('data-piece') ?? 0);
    if (s.input.touch || !s.sync.pieces.has(id) || !plays(s)) return;
    e.preventDefault();
    if (!s.input.selection.has(id)) select(s, [id]);
    focusOn(s, id, true);
    const byKey = e.clientX === 0 && e.clientY === 0;
    const box = target?.getBoundingClientRect();
    open(
      byKey && box ? box.left + box.width / 2 : e.clientX,
      byKey && box ? box.top + box.height / 2 : e.clientY,
    );
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    const wanted = e.key === 'ContextMenu' || (e.key === 'F10' && e.shiftKey);
    const p = s.view.shown.get(focused(s));
    if (!wanted || !p || !plays(s)) return;
    e.preventDefault();
    const box = p.el.getBoundingClientRect();
    if (!s.input.selection.has(p.id)) select(s, [p.id]);
    open(box.left + box.width / 2, box.top + box.height / 2);
  };
  return all(
    on(s.page.window, 'pointerdown', reach),
    on(s.page.window, 'contextmenu', asked),
    on(s.page.window, 'keydown', key),
  );
}
