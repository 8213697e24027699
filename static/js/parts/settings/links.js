// The links of the table: everybody can follow them, and hosts set them.

import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { sharedOf } from '../../parts.js';
import { of, set } from './components.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./dialog.js').Group} Group */
/** @typedef {{text: string, address: string}} Link */

/**
 * The greatest number of links, and the greatest number of characters of their names and addresses
 * (C14).
 */
const LINKS = 10;
const TEXT = 40;
const ADDRESS = 500;

/** The list of links to follow, if there are any. @param {State} s @returns {Group} */
export function linkList(s) {
  const list = el('ul', { class: 'table-links' });
  const root = el('section', {}, el('h3', {}, msg('settings.links')), list);
  let drawn = '';
  const refresh = () => {
    const links = linksOf(s);
    const key = JSON.stringify(links);
    root.hidden = links.length === 0;
    if (key === drawn) return;
    drawn = key;
    list.replaceChildren(
      ...links.map(({ text, address }) => {
        const { host } = new URL(address);
        const a = el(
          'a',
          {
            href: address, target: '_blank', rel: 'noopener noreferrer',
            title: msg('settings.opens'),
          },
          text || host,
          text && el('span', { class: 'quiet' }, host),
        );
        return el('li', {}, a);
      }),
    );
  };
  return { root, refresh };
}

/** Returns the links of the table that have valid addresses. @param {State} s @returns {Link[]} */
export function linksOf(s) {
  return (of(s, 'links')?.links ?? []).filter(({ address }) => addressOf(address) !== null);
}

/**
 * Returns an address as it is sent, with a host in ASCII; null if it cannot be the address of a
 * link.
 * @param {string} typed
 */
export function addressOf(typed) {
  const text = typed.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
  const is =
    url?.protocol === 'https:' &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    url.href.length <= ADDRESS;
  return url && is && text !== '' ? url.href : null;
}

/** The fields in which hosts set the links. @param {State} s @returns {Group} */
export function linkSet(s) {
  const rows = el('div', {});
  const add = el(
    'button', { class: 'secondary' }, icon('add'), msg('settings.addLink'),
  );
  const full = el('p', { class: 'quiet', hidden: true }, msg('settings.fullLinks'));
  let made = 0;
  let drawn = '';
  const apply = () => {
    const links = [];
    for (const row of rows.children) {
      const [text, address] = /** @type {HTMLInputElement[]} */ ([
        ...row.querySelectorAll('input'),
      ]);
      const href = addressOf(address.value);
      /** @type {HTMLElement} */ (row.querySelector('.problem')).hidden =
        href !== null || address.value === '';
      if (href) links.push({ text: sharedOf(s).lineOf(text.value, TEXT), address: href });
    }
    const key = JSON.stringify(links);
    if (key === drawn) return;
    drawn = key;
    set(s, 'links', links.length > 0 ? { links } : null);
  };
  const count = () => {
    add.hidden = rows.childElementCount >= LINKS;
    full.hidden = !add.hidden;
  };
  const row = (/** @type {Link} */ { text, address }) => {
    const id = ++made;
    const name = el('input', {
      type: 'text',
      id: `link-text-${id}`,
      maxlength: TEXT,
      autocomplete: 'off',
      value: text,
      onchange: apply,
    });
    const where = el('input', {
      type: 'url',
      id: `link-address-${id}`,
      maxlength: ADDRESS,
      autocomplete: 'off',
      placeholder: 'https://',
      value: address,
      onchange: apply,
    });
    const remove = el(
      'button',
      {
        class: 'plain',
        'aria-label': msg('settings.removeLink', { name: text || address }),
      },
      icon('remove'),
    );
    const line = el(
      'div',
      { class: 'link-row' },
      field(msg('settings.linkText'), name),
      field(msg('settings.linkAddress'), where),
      remove,
      el('p', { class: 'problem', role: 'alert', hidden: true }, msg('settings.badAddress')),
    );
    remove.addEventListener('click', () => {
      line.remove();
      count();
      apply();
      add.focus();
    });
    return line;
  };
  add.addEventListener('click', () => {
    const line = row({ text: '', address: '' });
    rows.append(line);
    count();
    line.querySelector('input')?.focus();
  });
  const refresh = () => {
    const links = linksOf(s);
    const key = JSON.stringify(links);
    if (key === drawn || rows.contains(document.activeElement)) return;
    drawn = key;
    rows.replaceChildren(...links.map(row));
    count();
  };
  const root = el(
    'fieldset', { class: 'set' }, el('legend', {}, msg('settings.setLinks')), rows, add, full,
  );
  return { root, refresh };
}

/** @param {string} label @param {HTMLInputElement} input */
function field(label, input) {
  return el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
}
