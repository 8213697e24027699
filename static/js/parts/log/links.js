// Makes addresses in what people write into links. Text stays text: nothing of it is markup.

import { el } from '../../view/dom.js';

/** An address of a page, up to a space or what ends a sentence. */
const ADDRESS = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,:;!?)\]}]/g;

/**
 * Splits a text into plain parts and addresses of pages.
 * @param {string} text
 * @returns {{text: string, href: string}[]} `href` is empty for plain text
 */
export function split(text) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    if (!URL.canParse(found)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: '' });
    parts.push({ text: found, href: new URL(found).href });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: '' });
  return parts;
}

/**
 * Returns the nodes of a text. Links open a new tab, and tell the other page nothing.
 * @param {string} text
 * @returns {(string|HTMLAnchorElement)[]}
 */
export function linked(text) {
  return split(text).map(({ text: part, href }) =>
    href
      ? el('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow ugc' }, part)
      : part);
}
