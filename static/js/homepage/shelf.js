// Finds games on the shelf of the front page (G19): filters, and a game at random. All texts stand
// in the page (templates/home.templ).

import { another, fits, fold, setupFor, spansIn } from './filter.js';
import { part } from './part.js';

/** @typedef {import('./filter.js').Game & {item: HTMLElement, radio: HTMLInputElement}} Item */

/** Reads a game of the page. @param {HTMLElement} item @returns {Item} */
function read(item) {
  const radio = item.querySelector('input');
  if (!radio) throw new Error('a game without its radio button');
  const { spans = '', minutes = '', genres = '', also = '' } = item.dataset;
  const texts = [...item.querySelectorAll('.shelf-name, .shelf-text')];
  return {
    item, radio, minutes: Number(minutes), spans: spansIn(spans),
    text: fold([...texts.map((e) => e.textContent), also].join(' ')),
    genres: genres.split(' ').filter(Boolean),
  };
}

/** Chooses a set-up for so many players. @param {HTMLElement} item @param {string} players */
function chooseSetup(item, players) {
  const select = item.querySelector('.shelf-setup > select');
  if (!(select instanceof HTMLSelectElement)) return;
  const spans = [...select.options].map(({ dataset }) => spansIn(dataset.span ?? ''));
  select.selectedIndex = setupFor(spans, select.selectedIndex, players);
}

/** @param {Item|undefined} game what the item is called, "" if there is none */
const nameOf = (game) => game?.item.querySelector('.shelf-name')?.textContent ?? '';

/** @param {HTMLElement} filters what finds games @param {HTMLElement} shelf what has them */
export function bindShelf(filters, shelf) {
  const items = /** @type {HTMLElement[]} */ ([...shelf.querySelectorAll('[data-item]')]);
  const all = items.map(read);
  const groups = /** @type {HTMLElement[]} */ ([...shelf.querySelectorAll('[data-group]')]);
  const fields = /** @type {Record<string, HTMLInputElement|HTMLSelectElement>} */ ({});
  for (const name of ['words', 'players', 'genre', 'time'])
    fields[name] = /** @type {HTMLInputElement} */ (part(filters, name));
  const surprise = /** @type {HTMLButtonElement} */ (part(filters, 'surprise'));
  const form = /** @type {HTMLFormElement} */ (shelf.closest('form'));
  const start = /** @type {HTMLButtonElement} */ (form.querySelector('button[type="submit"]'));
  const count = part(filters, 'count');
  /** What somebody chose, also while the filters hide it. @type {Item|undefined} */
  let wanted = all.find(({ radio }) => radio.checked);
  let shown = all;

  const mark = () => {
    const chosen = all.find(({ radio }) => radio.checked && !radio.disabled);
    part(form, 'chosen').textContent = nameOf(chosen);
    start.disabled = !chosen;
  };

  /** Shows the games that fit. A game that is hidden is never the chosen one. */
  const apply = () => {
    const wish = {
      words: fields.words.value.trim(), players: fields.players.value,
      genre: fields.genre.value, time: fields.time.value,
    };
    shown = all.filter((game) => fits(game, wish));
    for (const game of all) {
      game.item.hidden = !shown.includes(game);
      game.radio.disabled = game.item.hidden; // so arrow keys pass over it
      chooseSetup(game.item, wish.players);
    }
    for (const group of groups) group.hidden = !group.querySelector('[data-item]:not([hidden])');
    const next = wanted && shown.includes(wanted) ? wanted : shown[0];
    if (next) next.radio.checked = true;
    const isAsked = Object.values(wish).some(Boolean);
    const text = filters.dataset.shown ?? '';
    count.textContent = isAsked ? text.replace('{shown}', String(shown.length)) : '';
    for (const field of Object.values(fields))
      field.classList.toggle('set', field.value !== '');
    part(shelf, 'empty').hidden = shown.length > 0;
    surprise.disabled = shown.length === 0;
    mark();
  };

  /** Chooses a game, and leads there. @param {Item} game @param {ScrollIntoViewOptions} how */
  const lead = (game, how) => {
    wanted = game;
    game.radio.checked = true;
    mark();
    game.radio.focus({ preventScroll: true });
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    game.item.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', ...how });
  };

  filters.addEventListener('input', apply);
  fields.words.addEventListener('keydown', (e) => {
    if (!(e instanceof KeyboardEvent) || e.key !== 'Enter' || e.isComposing) return;
    e.preventDefault(); // otherwise the same key press would start the game
    const chosen = shown.find(({ radio }) => radio.checked);
    if (chosen) lead(chosen, { block: 'nearest' });
  });
  surprise.addEventListener('click', () => {
    const game = another(shown, shown.find(({ radio }) => radio.checked) ?? null);
    if (game) lead(game, { block: 'center' });
  });
  part(shelf, 'clear').addEventListener('click', () => {
    for (const field of Object.values(fields)) field.value = '';
    apply();
    fields.words.focus();
  });
  shelf.addEventListener('change', ({ target }) => {
    const game = all.find(({ radio }) => radio === target);
    if (!game) return;
    wanted = game;
    mark();
    game.item.scrollIntoView({ block: 'nearest' }); // its set-ups have come below it
  });
  addEventListener('pageshow', apply); // a browser that comes back may have filled the filters in
  apply();
  if (location.search && wanted) wanted.item.scrollIntoView({ block: 'nearest' });
}
