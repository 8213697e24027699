// The buttons of the bars.

import { el } from '../view/dom.js';
import { icon } from '../view/icons.js';
import { msg } from '../msg.js';

/**
 * Makes a button with picture, name and key, for a bar of tools.
 * @param {string} picture
 * @param {string} label
 * @param {string} key
 * @param {() => void} run
 */
export function button(picture, label, key, run) {
  return el(
    'button',
    {
      class: 'tool',
      'aria-label': label,
      title: key ? msg('core.bar.keyed', { label, key }) : label,
      onclick: run,
    },
    icon(picture),
    el('span', { class: 'tool-name' }, label),
    key && el('kbd', { class: 'tool-key', 'aria-hidden': 'true' }, key),
  );
}
