// The panel of the editor: a column beside the table, and a sheet over it on phones, as that of the
// log. It has a tab for each thing that can be edited.

import { el, on, setAttr } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { msg } from './msg.js';
import { createDecks } from './decks/decks.js';
import { createGame } from './game.js';
import { createPieces } from './pieces.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/**
 * What a tab shows.
 * @typedef {object} Content
 * @property {HTMLElement} root
 * @property {() => void} draw shows what the table has now
 * @property {() => boolean} back goes back by one step; false if there is none
 * @property {(file: File, all: File[]) => void} [takeFile] makes something of a file, or of all
 *   that were brought with it
 * @property {(file: File, all: File[]) => boolean} [wants] whether a file, or all that came with
 *   it, is for this tab, whichever is open
 */

/**
 * The tabs. `make` gets what is called when a piece is on the table.
 * @type {{
 *   id: string, label: () => string,
 *   make: (s: State, voice: Voice, put: () => void) => Content
 * }[]}
 */
const TABS = [
  { id: 'pieces', label: () => msg('edit.tabs.pieces'), make: createPieces },
  { id: 'decks', label: () => msg('edit.tabs.decks'), make: createDecks },
  { id: 'game', label: () => msg('edit.tabs.game'), make: createGame },
];

/**
 * Makes the panel, closed.
 * @param {State} s
 * @param {Voice} voice
 * @param {{
 *   close: () => void, end: () => void, put: () => void, undo: () => void
 * }} runs
 */
export function createPanel(s, voice, runs) {
  const tabs = TABS.map(({ id, label, make }) => {
    const content = make(s, voice, runs.put);
    const tab = el('button', {
      class: 'edit-tab', role: 'tab', id: `edit-tab-${id}`, 'aria-controls': `edit-${id}`,
      onclick: () => choose(id),
    }, label());
    const root = el('div', {
      class: 'log-scroll edit-content', role: 'tabpanel', id: `edit-${id}`,
      'aria-labelledby': tab.id, tabindex: '-1',
    }, content.root);
    return { id, tab, root, content };
  });
  let [chosen] = tabs;
  const choose = (/** @type {string} */ id) => {
    for (const one of tabs) {
      if (one.id === id) chosen = one;
      setAttr(one.tab, 'aria-selected', one.id === id ? 'true' : 'false');
      setAttr(one.tab, 'tabindex', one.id === id ? '0' : '-1');
      one.root.hidden = one.id !== id;
    }
    chosen.content.draw();
  };
  const step = (/** @type {KeyboardEvent} */ e) => {
    const at = tabs.indexOf(chosen);
    const { length } = tabs;
    const isRtl = getComputedStyle(root).direction === 'rtl';
    const to = {
      ArrowRight: at + (isRtl ? -1 : 1), ArrowLeft: at + (isRtl ? 1 : -1), Home: 0, End: length - 1,
    }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    choose(tabs[(to + length) % length].id);
    chosen.tab.focus();
  };
  const root = el(
    'aside',
    { class: 'log edit', 'aria-label': msg('edit.title'), 'data-edit': true, hidden: true },
    el(
      'div', { class: 'panel-head' },
      el('h2', {}, msg('edit.title')),
      el('button', { class: 'secondary edit-end', onclick: runs.end }, msg('edit.end')),
      el('button', { class: 'plain', 'aria-label': msg('edit.close'), onclick: runs.close },
        icon('close')),
    ),
    el('div', {
      class: 'edit-tabs', role: 'tablist', 'aria-label': msg('edit.title'), onkeydown: step,
    }, ...tabs.map(({ tab }) => tab)),
    ...tabs.map((one) => one.root),
  );
  // Keys do nothing on the table while the focus is here, except for the undo.
  on(root, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    const isField = /** @type {Element} */ (e.target).matches('input, select, textarea');
    if (e.key === 'z' && (e.ctrlKey || e.metaKey) && !e.shiftKey && !isField) runs.undo();
    if (e.key === 'Escape' && !e.defaultPrevented && !chosen.content.back()) runs.close();
    e.stopPropagation();
  });
  choose(chosen.id);
  return {
    root,
    draw: () => chosen.content.draw(),
    focus: () => chosen.tab.focus({ preventScroll: true }),
    /** Makes something of a file. @param {File} file @param {File[]} files */
    takeFile: (file, files) => {
      const taker = tabs.find((t) => t.content.wants?.(file, files)) ??
        (chosen.content.takeFile ? chosen : tabs.find((t) => t.content.takeFile));
      if (!taker) return;
      choose(taker.id);
      taker.content.takeFile?.(file, files);
    },
  };
}
