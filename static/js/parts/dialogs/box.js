// The box of pieces: the kinds of the catalogue that can be added, with pictures and a search.

import { artOf, faceAt } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { clamp, toTable } from '../../view/geometry.js';
import { sendMake } from '../../input/ops.js';
import { hosts } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Opens the box.
 * @param {State} s
 * @param {() => void} edit opens the editor of the game, for who may edit it (T99)
 */
export function openBox(s, edit) {
  const entries = kindEntries(s);
  const none = el('p', { class: 'quiet', hidden: true, role: 'status' }, msg('dialogs.box.none'));
  const search = el('input', {
    type: 'search',
    id: 'box-search',
    autocomplete: 'off',
    oninput: () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let found = 0;
      for (const { name, item } of entries) {
        item.hidden = !words.every((w) => name.includes(w));
        if (!item.hidden) found++;
      }
      none.hidden = found > 0;
    },
  });
  const make = el('button', {
    class: 'secondary box-make', 'data-part': 'edit',
    hidden: !hosts(s) && !s.sync.seats.get(s.sync.you)?.editsBy,
    onclick: () => {
      d.close();
      edit();
    },
  }, icon('edit'), msg('dialogs.box.make'));
  const d = openDialog(
    s.page.main,
    'box',
    msg('dialogs.box.title'),
    msg('dialogs.box.close'),
    el(
      'div', { class: 'field' }, el('label', { for: 'box-search' }, msg('dialogs.box.search')),
      search,
    ),
    make,
    none,
    el('ul', { class: 'kinds' }, ...entries.map((e) => e.item)),
  );
  search.focus();
}

/**
 * Returns a button for each kind of which pieces can be added, with its name in small letters.
 * @param {State} s
 * @param {boolean} [hands] whether hands are among them
 */
export function kindEntries(s, hands = false) {
  return s.catalog.kinds.flatMap((kind, i) =>
    (kind.hand && !hands) || kind.unknown || s.catalog.masks.has(i) ? [] : [entry(s, i)]);
}

/** @param {State} s @param {number} index */
function entry(s, index) {
  const kind = s.catalog.kinds[index];
  const art = artOf(s.catalog, faceAt(kind, 0));
  const picture = art
    ? el('img', { src: art, alt: '', loading: 'lazy', decoding: 'async' })
    : el('span', { class: 'blank' });
  const add = el(
    'button',
    {
      class: 'kind', 'aria-label': msg('dialogs.box.add', { name: kind.name }),
      'data-kind': index, onclick: () => addPiece(s, index),
    },
    el('span', { class: 'kind-art' }, picture),
    el('span', { class: 'kind-name', 'aria-hidden': 'true' }, kind.name),
  );
  return { name: kind.name.toLowerCase(), item: el('li', {}, add) };
}

/** The number of pieces added so far. */
let added = 0;

/**
 * Adds a piece where this person is looking, each one beside the previous one.
 * @param {State} s
 * @param {number} kind
 */
export function addPiece(s, kind) {
  const v = s.view.camera;
  const at = toTable(v, v.left + v.w / 2, v.top + v.h / 2);
  const step = (added++ % 8) * 60;
  const x = Math.round(clamp(at.x + step, -v.width / 2, v.width / 2));
  const y = Math.round(clamp(at.y + step, -v.height / 2, v.height / 2));
  sendMake(s, 'add', { kind, x, y });
}
