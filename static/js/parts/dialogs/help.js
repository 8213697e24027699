// How to play: gestures and keys in one dialog.

import { kindAt } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { dialogwords } from './words.js';
import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */

/** Opens the help. @param {State} s */
export function openHelp(s) {
  const coarse = matchMedia('(pointer: coarse)').matches;
  const h = dialogwords.help;
  const sections = [
    section(h.mouse, h.rowsMouse, false), section(h.touch, h.rowsTouch, false),
    section(h.keys, h.rowsKeys, true),
  ];
  const offers = rowsOffered(s);
  if (offers.length > 0) sections.push(section(h.offers, offers, true));
  if (coarse) sections.unshift(...sections.splice(1, 1));
  const online = s.link.state === 'online';
  const trip = s.parts.datagrams?.roundTrip() ?? null;
  const way = el('p', { class: 'help-way' }, online ? h.way(trip) : '');
  const why = el('p', { class: 'help-why' }, online && trip === null ? h.why[hindrance(s)] : '');
  openDialog(
    s.page.main, 'help', h.title, h.close,
    el('div', {}, el('div', { class: 'help-sections' }, ...sections), way, why),
  );
}

/**
 * Returns why the stream does not use datagrams, as far as the page can tell.
 * @param {State} s
 * @returns {keyof typeof dialogwords.help.why}
 */
function hindrance({ page, parts }) {
  if (!isSecureContext) return 'unencrypted';
  if (!('WebTransport' in window)) return 'browser';
  if (!page.main.dataset.parts?.includes('datagrams')) return 'server';
  return parts.datagrams?.isBlocked() ? 'blocked' : 'none';
}

/**
 * Returns what the pieces of this table offer, by key, with the kinds that make each offer.
 * @param {State} s
 */
function rowsOffered(s) {
  /** @type {Map<string, {key: string, label: string, kinds: Set<string>}>} */
  const found = new Map();
  s.catalog.kinds.forEach((k, i) => {
    for (const { key, label } of s.parts.abilities?.offersOf(s.catalog, i) ?? []) {
      if (!key) continue;
      const name = k.secret ? kindAt(s.catalog, k.mask ?? i).name : k.name;
      const entry = found.get(`${key} ${label}`) ?? { key, label, kinds: new Set() };
      found.set(`${key} ${label}`, entry);
      entry.kinds.add(name);
    }
  });
  return [...found.values()].map(
    ({ key, label, kinds }) => [key.toUpperCase(), dialogwords.help.offered(label, [...kinds])],
  );
}

/** @param {string} title @param {string[][]} rows @param {boolean} keys */
function section(title, rows, keys) {
  const list = el('dl', {});
  for (const [what, does] of rows) {
    list.append(el('div', {}, el('dt', {}, keys ? el('kbd', {}, what) : what), el('dd', {}, does)));
  }
  return el('section', { class: keys ? 'help-keys' : null }, el('h3', {}, title), list);
}
