// The cards of a deck as they will look: the back, and each row, with how many there are.

import { el, setAttr, setText } from '../../../view/dom.js';
import { backOf, frontOf, pictureNamed } from './cards.js';
import { cell, countOf, filled } from './deck.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */
/** @typedef {import('./pictures.js').Pictures} Pictures */

/** What stands for the back, and the shape of cards. */
const BACK = 'back';
const CARD = /** @type {const} */ ('card');

/**
 * A card. `paint` draws it as it is to look now; what is out of sight waits for that.
 * @typedef {object} View
 * @property {HTMLElement} root
 * @property {HTMLElement} button
 * @property {HTMLImageElement} image
 * @property {HTMLElement} count
 * @property {string} key of how it is to look
 * @property {string} painted the key of how it looks
 * @property {boolean} isSeen
 * @property {() => void} paint
 */

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
  /** @type {WeakMap<Element, View>} */
  const byRoot = new WeakMap();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const view = byRoot.get(target);
      if (!view) continue;
      view.isSeen = isIntersecting;
      if (isIntersecting) view.paint();
    }
  });
  let turn = 0;

  /** @param {Row|string} of @returns {View} */
  const create = (of) => {
    const image = el('img', { alt: '', decoding: 'async' });
    const count = el('span', { class: 'deck-count', 'aria-hidden': 'true' });
    const button = el('button', {
      class: 'deck-card', onclick: () => choose(typeof of === 'string' ? null : of),
    }, image, count);
    const root = el('li', {}, button);
    const view = {
      root, button, image, count, key: '', painted: '', isSeen: false, paint: () => {},
    };
    byRoot.set(root, view);
    views.set(of, view);
    observer.observe(root);
    return view;
  };
  const draw = async () => {
    const own = ++turn;
    const { svgOf } = await s.load('layers');
    if (own !== turn) return;
    const deck = deckOf();
    const box = { width: deck.width * 10, height: deck.height * 10, shape: CARD };
    list.style.setProperty('--ratio', String(deck.width / deck.height));
    /** @param {Row|string} of @param {any[]} layers @param {string} label @param {string} badge */
    const show = (of, layers, label, badge) => {
      const view = views.get(of) ?? create(of);
      const sources = new Map(layers.flatMap(({ art }) =>
        (art ? [[art, pictures.get(art)?.thumb ?? '']] : [])));
      setAttr(view.button, 'aria-label', label);
      setText(view.count, badge);
      view.count.hidden = badge === '';
      view.key = JSON.stringify([box, layers,
        [...sources.values()].map((thumb) => thumb.slice(-40))]);
      view.paint = () => {
        if (view.painted === view.key) return;
        view.painted = view.key;
        const svg = svgOf(box, layers, sources);
        view.image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      };
      if (view.isSeen) view.paint();
      return view.root;
    };
    const art = (/** @type {string} */ name) =>
      pictureNamed(pictures, name)?.name.toLowerCase() ?? '';
    const rows = filled(deck);
    const roots = [
      show(BACK, backOf(deck, art(deck.back.picture)), msg('decks.card.back'), msg('decks.back')),
      ...rows.map((row, i) => {
        const n = countOf(deck, row) || 0;
        const name = cell(deck, row, 'name') || cell(deck, row, 'title') || String(i + 1);
        return show(row, frontOf(deck, row, art(cell(deck, row, 'picture'))),
          msg('decks.card', { name, n }), n === 1 ? '' : msg('decks.times', { n }));
      }),
    ];
    const has = [...list.children];
    if (has.length !== roots.length || has.some((one, i) => one !== roots[i]))
      list.replaceChildren(...roots);
    if (views.size === roots.length) return;
    const isThere = new Set([BACK, ...rows]);
    for (const [of, { root }] of views)
      if (!isThere.has(of)) {
        observer.unobserve(root);
        views.delete(of);
      }
  };
  return {
    root: list,
    draw: () => void draw().catch(() => {}),
    close: () => observer.disconnect(),
  };
}
