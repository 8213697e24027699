// The title of the table at the upper edge and in the tab of the browser, and what else the page
// shows of the table as a whole: its surface, and the role of this person.

import { el, setAttr, setText } from '../view/dom.js';
import { use } from '../parts.js';
import { msg } from '../msg.js';
import { drawWithBars } from './state.js';

/**
 * Shows the title, and changes it with the table. It opens the settings of the table.
 * @param {import('../state.js').State} s
 * @param {import('./say.js').Voice} voice
 */
export function bindTitle(s, voice) {
  const { title, main, outer, surface } = s.page;
  const called = el('span');
  const heading = el('button', {
    class: 'title-button',
    'data-part': 'settings',
    'aria-haspopup': 'dialog',
    title: msg('core.bar.keyed', { label: msg('core.view.table'), key: ',' }),
    'aria-keyshortcuts': ',',
    onclick: () => use(s, voice, 'settings', (settings) => settings.openTable(s, voice)),
  }, called);
  drawWithBars(s, () => {
    const { info, seats, you } = s.sync;
    setAttr(main, 'data-role', seats.get(you)?.role ?? null);
    if (!info) return;
    setAttr(surface, 'data-surface', info.surface || 'felt');
    const name = info.title;
    if (!name) return;
    setText(called, name);
    if (!heading.isConnected) title.replaceChildren(heading);
    setAttr(outer, 'aria-label', msg('core.tableOf', { title: name }));
    const mine = s.parts.abilities?.seatsToMove(s).has(you);
    const tab = mine ? msg('core.turn.tab', { title: name }) : `${name} · Holt`;
    const fits = mine ? document.title === tab : document.title.startsWith(name);
    if (!fits) document.title = tab;
  });
}
