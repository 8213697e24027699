// Dialogs: one shape for help, invitations and the box of pieces.

import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/**
 * Opens a modal dialog; it goes away when it is closed.
 * @param {HTMLElement} main @param {string} name class @param {string} title @param {string} close label
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(main, name, title, close, ...content) {
  main.querySelector('dialog')?.remove();
  const d = el('dialog', { class: `dialog ${name}`, 'aria-labelledby': 'dialog-title', 'data-dialog': name });
  const x = el('button', { type: 'button', class: 'plain', 'aria-label': close, onclick: () => d.close() }, icon('close'));
  d.append(
    el('div', { class: 'panel-head' }, el('h2', { id: 'dialog-title' }, title), x),
    el('div', { class: 'dialog-body', tabindex: '0' }, ...content),
  );
  d.addEventListener('close', () => d.remove());
  d.addEventListener('click', (e) => {
    if (e.target === d) d.close(); // outside of it
  });
  main.append(d);
  d.showModal();
  return d;
}
