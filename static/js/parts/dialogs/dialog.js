// Dialogs: one shape for all of them.

import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/**
 * Opens a modal dialog. It is removed when it is closed. Another open dialog is removed at once.
 * @param {HTMLElement} main
 * @param {string} name its class
 * @param {string} title
 * @param {string} close the label of its close button
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(main, name, title, close, ...content) {
  main.querySelector('dialog')?.remove();
  const d = el(
    'dialog', { class: `dialog ${name}`, 'aria-labelledby': 'dialog-title', 'data-dialog': name },
  );
  const x = el(
    'button', { class: 'plain', 'aria-label': close, onclick: () => d.close() },
    icon('close'),
  );
  d.append(
    el('div', { class: 'panel-head' }, el('h2', { id: 'dialog-title' }, title), x),
    el('div', { class: 'dialog-body', tabindex: '0' }, ...content),
  );
  d.addEventListener('close', () => d.remove());
  d.addEventListener('click', (e) => {
    if (e.target === d) d.close(); // outside the dialog
  });
  main.append(d);
  d.showModal();
  return d;
}
