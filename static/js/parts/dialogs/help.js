// How to play: gestures and keys in one dialog.

import { kindAt } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { rulesButton } from './rules.js';
import { firstMessage, idsOf } from '../../messages.js';
import { el } from '../../view/dom.js';
import { lower } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */

/** Opens the help. @param {State} s */
export function openHelp(s) {
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const sections = [
    section(msg('dialogs.help.mouse'), rowsFor('mouse'), false),
    section(msg('dialogs.help.touch'), rowsFor('touch'), false),
    section(msg('dialogs.help.keys'), rowsFor('keys'), true),
  ];
  const offers = rowsOffered(s);
  if (offers.length > 0) sections.push(section(msg('dialogs.help.offers'), offers, true));
  if (isTouch) sections.unshift(...sections.splice(1, 1));
  const online = s.net.status.state === 'online';
  const trip = s.parts.datagrams?.roundTrip() ?? null;
  const way = el('p', { class: 'help-way' }, online ? wayOf(trip) : '');
  const no = online && trip === null ? hindrance(s) : '';
  const why = el('p', { class: 'help-why' }, no && msg(`dialogs.help.why.${no}`));
  const door = rulesButton(s);
  openDialog(
    s.page.main, 'help', msg('dialogs.help.title'), msg('dialogs.help.close'),
    el(
      'div', {}, door && el('p', {}, door),
      el('div', { class: 'help-sections' }, ...sections), way, why,
    ),
  );
}

/**
 * Returns rows of the help: what to do, and what it does. Each has two messages, `x` and `x.does`,
 * and they come in the order of the file.
 * @param {'mouse'|'touch'|'keys'} group
 */
function rowsFor(group) {
  const names = idsOf(`dialogs.help.${group}.`).filter((name) => !name.endsWith('.does'));
  return names.map((name) => [
    firstMessage([`dialogs.help.${group}.${name}`]),
    firstMessage([`dialogs.help.${group}.${name}.does`]),
  ]);
}

/** Says how the page is connected. @param {number|null} ms round-trip time by datagrams */
function wayOf(ms) {
  if (ms === null) return msg('dialogs.help.webSocket');
  return ms > 0
    ? msg('dialogs.help.datagramsIn', { n: Math.ceil(ms) })
    : msg('dialogs.help.datagrams');
}

/**
 * Returns why the stream does not use datagrams, as far as the page can tell; '' if nothing is in
 * the way.
 * @param {State} s
 * @returns {'unencrypted'|'browser'|'server'|'blocked'|''}
 */
function hindrance({ page, parts }) {
  if (!isSecureContext) return 'unencrypted';
  if (!('WebTransport' in window)) return 'browser';
  if (!page.main.dataset.parts?.includes('datagrams')) return 'server';
  return parts.datagrams?.isBlocked() ? 'blocked' : '';
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
    ({ key, label, kinds }) => {
      const names = [...kinds].map(lower).join(', ');
      return [
        key.toUpperCase(), msg('dialogs.help.offered', { label: lower(label), kinds: names }),
      ];
    },
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
