// A small panel with the fronts that somebody shows to this person, or that they look at themselves
// (T31). A key or a press closes it. Nobody else sees it, and closing it discards its contents.

import { msg } from './msg.js';
import { artOf, faceAt, isBack, kindAt, kindOf } from '../../view/catalog.js';
import { el, on } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { lower, nameOf, the } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { drawWithBars } from '../../bars/state.js';
import { takeFaces } from '../../relay/faces.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../relay/state.js').Seen} Seen */

/** The most panels at a time. A new one replaces the oldest. */
const MOST = 3;

/**
 * Opens panels for what is shown.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bindReveals(s, voice) {
  const place = el('div', { class: 'reveals' });
  s.page.main.append(place);
  drawWithBars(s, () => {
    for (const seen of takeFaces(s)) open(s, place, seen, voice);
  });
  return on(document, 'keydown', (/** @type {KeyboardEvent} */ e) => {
    const last = place.lastElementChild;
    if (e.key !== 'Escape' || !last || s.input.carry) return;
    if (document.querySelector('dialog, .editor, .menu')) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    close(s, last);
  }, { capture: true });
}

/**
 * @param {State} s
 * @param {HTMLElement} place
 * @param {Seen} seen
 * @param {import('../../bars/say.js').Voice} voice
 */
function open(s, place, seen, voice) {
  const own = seen.by === s.sync.you;
  const title = titleOf(s, seen);
  const names = seen.kinds.map((kind) => nameOfFace(s, kind, seen));
  const cards = el(
    'ul', { class: 'reveal-cards' }, ...seen.kinds.map((kind, i) => card(s, kind, seen, names[i]))
  );
  const panel = el(
    'section',
    { class: 'reveal', role: 'dialog', 'aria-label': title },
    el('div', { class: 'panel-head' }, el('h2', {}, title), el('button', {
      class: 'plain', 'aria-label': msg('cards.shown.close'),
      onclick: () => close(s, panel),
    }, icon('close'))),
    cards,
  );
  cards.addEventListener('click', () => close(s, panel));
  while (place.childElementCount >= MOST) place.firstElementChild?.remove();
  place.append(panel);
  voice.whisper(msg('cards.shown.says', { title, names: names.join(', ') }));
  if (own) panel.querySelector('button')?.focus({ preventScroll: true });
}

/** @param {State} s @param {Element} panel */
function close(s, panel) {
  const had = panel.contains(document.activeElement);
  panel.remove();
  const p = s.view.shown.get(s.input.focus);
  if (had) (p?.el ?? s.page.window).focus({ preventScroll: true });
}

/** @param {State} s @param {Seen} seen */
function titleOf(s, { by, op, piece: id, kinds }) {
  if (op === 'show') return msg('cards.shown.by', { nick: nickOf(s, by) });
  const piece = s.sync.pieces.get(id);
  const container = piece && kindOf(s, piece).container;
  if (piece && container)
    return msg('cards.shown.top', { n: kinds.length, what: the(nameOf(s, piece)) });
  return msg('cards.shown.look');
}

/** @param {State} s @param {number} kind @param {Seen} seen */
function nameOfFace(s, kind, { face }) {
  const k = kindAt(s.catalog, kind);
  const shown = faceAt(k, isBack(s.catalog, { kind, face }) ? 0 : face);
  return k.faces.length > 1 && (!k.secret || face > 1) && shown.name !== k.name
    ? msg('core.piece.showing', { name: k.name, face: lower(shown.name) })
    : k.name;
}

/** @param {State} s @param {number} kind @param {Seen} seen @param {string} name */
function card(s, kind, { face }, name) {
  const k = kindAt(s.catalog, kind);
  const art = artOf(s.catalog, faceAt(k, isBack(s.catalog, { kind, face }) ? 0 : face));
  return el('li', {}, el('img', { src: art, alt: name, draggable: 'false' }));
}
