// The elements of the table page, made once. What is in them is drawn by the modules they belong to.

import { el } from './view/dom.js';
import { strings } from './strings.js';

/**
 * @typedef {object} Page
 * @property {HTMLElement} main
 * @property {HTMLElement} title
 * @property {HTMLElement} chips     who is here, small
 * @property {HTMLElement} bar       at the top
 * @property {HTMLElement} window    scrolls; shows a part of the table
 * @property {HTMLElement} sizer     gives the scrolled size
 * @property {HTMLElement} outer     takes the zoom while it goes on
 * @property {HTMLElement} inner     has the settled zoom and turn
 * @property {HTMLElement} aloft     has the same, for what moves: a box of its own, or the layers of what moves would make one of
 *   the whole world, drawn at its full size
 * @property {HTMLElement} arrows    has the same, for the cursors of others
 * @property {HTMLElement} world     contains what lies still
 * @property {HTMLElement} surface
 * @property {HTMLElement} ground    boards and hands
 * @property {HTMLElement} pieces    everything light
 * @property {HTMLElement} overlay   what moves
 * @property {HTMLElement} band      the frame of a selection being drawn
 * @property {HTMLElement} toolbar
 * @property {HTMLElement} lap       this person's own hand on a small screen
 * @property {HTMLElement} viewbar
 * @property {HTMLElement} people
 * @property {HTMLElement} banner
 * @property {HTMLElement} notice    the sentence of the moment
 * @property {HTMLElement} hint
 * @property {HTMLElement} polite    for the ears
 * @property {HTMLElement} assertive
 */

/**
 * Builds the page into main.
 * @param {HTMLElement} main
 * @returns {Page}
 */
export function buildPage(main) {
  const title = el('h1', { class: 'title' }, strings.loading);
  const chips = el('div', { class: 'chips' });
  const bar = el('div', { class: 'bar' }, title, chips);

  const surface = el('div', { class: 'surface' });
  const ground = el('div', { class: 'ground' });
  const pieces = el('div', { class: 'pieces' });
  const world = el('div', { class: 'world' }, surface, ground, pieces);
  const overlay = el('div', { class: 'overlay' });
  const inner = el('div', { class: 'inner' }, world);
  const aloft = el('div', { class: 'inner' }, overlay);
  const arrows = el('div', { class: 'inner arrows', 'aria-hidden': 'true' });
  const outer = el('div', { class: 'outer', role: 'group' }, inner, aloft, arrows);
  const sizer = el('div', { class: 'sizer' }, outer);
  const win = el('div', { class: 'window', 'data-window': true }, sizer);

  const page = {
    main,
    title,
    chips,
    bar,
    window: win,
    sizer,
    outer,
    inner,
    aloft,
    arrows,
    world,
    surface,
    ground,
    pieces,
    overlay,
    band: el('div', { class: 'band', hidden: true }),
    toolbar: el('div', { class: 'toolbar', role: 'toolbar', 'aria-label': strings.actions.bar, hidden: true }),
    lap: el('div', { class: 'lap', 'aria-hidden': 'true', hidden: true }),
    viewbar: el('div', { class: 'viewbar', role: 'toolbar', 'aria-label': strings.view.label }),
    people: el('aside', { class: 'people', 'aria-label': strings.people.title, hidden: true }),
    banner: el('div', { class: 'banner', hidden: true }),
    notice: el('div', { class: 'notice', 'aria-hidden': 'true' }),
    hint: el('div', { class: 'hint', hidden: true }),
    polite: el('div', { class: 'unseen', role: 'log', 'aria-live': 'polite', 'data-live': 'polite' }),
    assertive: el('div', { class: 'unseen', role: 'alert', 'aria-live': 'assertive', 'data-live': 'assertive' }),
  };
  const messages = el('div', { class: 'messages' }, page.banner, page.notice);
  main.append(win, page.band, bar, messages, page.people, page.hint, page.lap, page.toolbar, page.viewbar);
  main.append(page.polite, page.assertive);
  return page;
}
