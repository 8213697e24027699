// The cards of a deck as they will look: the back, and each row, with how many there are.

import { el, setAttr, setText, whenIdle } from '../../../view/dom.js';
import { backOf, frontOf, pictureNamed } from './cards.js';
import { cell, countOf, filled } from './deck.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */
/** @typedef {import('./pictures.js').Pictures} Pictures */

/** How many cards are drawn before the page may do something else. */
const AT_ONCE = 24;

/** @typedef {{root: HTMLElement, image: HTMLImageElement, count: HTMLElement, key: string}} View */

/**
 * Makes the list.
 * @param {State} s
 * @param {() => Deck} deckOf
 * @param {Pictures} pictures
 * @param {(row: Row|null) => void} choose called with the row of a card, or null for the back
 */
export function createViews(s, deckOf, pictures, choose) {
  const list = el('ul', { class: 'deck-cards' });
  /** @type {Map<Row|string, View>} */
  const views = new Map();
  let turn = 0;

  /** @param {Row|string} of @returns {View} */
  const create = (of) => {
    const image = el('img', { alt: '', decoding: 'async' });
    const count = el('span', { class: 'deck-count', 'aria-hidden': 'true' });
    const root = el('li', {}, el('button', {
      class: 'deck-card', onclick: () => choose(typeof of === 'string' ? null : of),
    }, image, count));
    return { root, image, count, key: '' };
  };
  /** @param {any[]} layers */
  const sourcesOf = (layers) => {
    const sources = new Map();
    for (const { art } of layers)
      if (art) sources.set(art, pictures.get(art)?.thumb ?? '');
    return sources;
  };
  const draw = async () => {
    const own = ++turn;
    const deck = deckOf();
    const { svgOf } = await s.load('layers');
    if (own !== turn) return;
    /** @param {Row|string} of @param {any[]} layers @param {string} label @param {string} badge */
    const show = (of, layers, label, badge) => {
      const view = views.get(of) ?? create(of);
      views.set(of, view);
      const sources = sourcesOf(layers);
      const key = JSON.stringify([deck.width, deck.height, layers,
        [...sources.values()].map((thumb) => thumb.slice(-40))]);
      setAttr(/** @type {Element} */ (view.root.firstElementChild), 'aria-label', label);
      setText(view.count, badge);
      view.count.hidden = badge === '';
      if (view.key !== key) {
        view.key = key;
        const box = { width: deck.width * 10, height: deck.height * 10 };
        const svg = svgOf({ ...box, shape: 'card' }, layers, sources);
        view.image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      }
      return view.root;
    };
    const art = (/** @type {string} */ name) =>
      pictureNamed(pictures, name)?.name.toLowerCase() ?? '';
    const roots = [
      show('back', backOf(deck, art(deck.back.picture)), msg('decks.card.back'), msg('decks.back')),
    ];
    const rows = filled(deck);
    for (const [i, row] of rows.entries()) {
      if (i % AT_ONCE === AT_ONCE - 1) {
        await whenIdle({ timeout: 100 });
        if (own !== turn) return;
      }
      const n = countOf(deck, row) || 0;
      const name = cell(deck, row, 'name') || cell(deck, row, 'title') || String(i + 1);
      roots.push(show(row, frontOf(deck, row, art(cell(deck, row, 'picture'))),
        msg('decks.card', { name, n }), n === 1 ? '' : msg('decks.times', { n })));
    }
    const has = [...list.children];
    if (has.length !== roots.length || has.some((one, i) => one !== roots[i]))
      list.replaceChildren(...roots);
    for (const of of views.keys())
      if (typeof of !== 'string' && !rows.includes(of)) views.delete(of);
  };
  return { root: list, draw: () => void draw().catch(() => {}) };
}
