// The elements of a table's page. They are made once; other modules fill them.

import { el } from './view/dom.js';
import { msg } from './msg.js';

/**
 * @typedef {object} Page
 * @property {HTMLElement} main
 * @property {HTMLElement} title
 * @property {HTMLElement} chips who is present, small
 * @property {HTMLElement} bar at the top
 * @property {HTMLElement} window scrolls; shows a part of the table
 * @property {HTMLElement} sizer has the scrolled size
 * @property {HTMLElement} outer has the current zoom gesture
 * @property {HTMLElement} inner has the settled zoom and turn
 * @property {HTMLElement} aloft has the same, for moving pieces. In the same box, their layers
 *   would make the whole world a layer that is drawn at its full size.
 * @property {HTMLElement} arrows has the same, for the cursors of others
 * @property {HTMLElement} world contains the resting pieces
 * @property {HTMLElement} surface
 * @property {HTMLElement} ground boards and hands
 * @property {HTMLElement} pieces the light pieces
 * @property {HTMLElement} overlay the moving pieces
 * @property {HTMLElement} band the frame of a selection that is being drawn
 * @property {HTMLElement} toolbar
 * @property {HTMLElement} handStrip this person's hand at the lower edge
 * @property {HTMLElement} viewbar
 * @property {HTMLElement} people
 * @property {HTMLElement} banner
 * @property {HTMLElement} notice the current notice
 * @property {HTMLElement} hint
 * @property {HTMLElement} polite for screen readers
 * @property {HTMLElement} assertive
 */

/**
 * Builds the page into main.
 * @param {HTMLElement} main
 * @returns {Page}
 */
export function buildPage(main) {
  const title = el('h1', { class: 'title' }, msg('core.loading'));
  const chips = el('div', { class: 'chips' });
  const { back } = main.dataset;
  const bar = el(
    'div', { class: 'bar' },
    back !== undefined && el(
      'a', { class: 'way-back', href: back, 'aria-label': msg('core.wayBack') },
      msg('core.wayBackShort'),
    ),
    title, chips,
  );

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
    toolbar: el(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': msg('core.bar.label'), hidden: true },
    ),
    handStrip: el('div', { class: 'lap', 'aria-hidden': 'true', hidden: true }),
    viewbar: el('div', { class: 'viewbar', role: 'toolbar', 'aria-label': msg('core.view.label') }),
    people: el('aside', { class: 'people', 'aria-label': msg('core.people.title'), hidden: true }),
    banner: el('div', { class: 'banner', hidden: true }),
    notice: el('div', { class: 'notice', 'aria-hidden': 'true' }),
    hint: el('div', { class: 'hint', hidden: true }),
    polite: live('log', 'polite'),
    assertive: live('alert', 'assertive'),
  };
  const messages = el('div', { class: 'messages' }, page.banner, page.notice);
  main.append(win, page.band, bar, messages, page.people, page.hint, page.handStrip);
  main.append(page.toolbar, page.viewbar, page.polite, page.assertive);
  return page;
}

/** Makes an element that a screen reader speaks. @param {string} role @param {string} how */
function live(role, how) {
  return el('div', { class: 'unseen', role, 'aria-live': how, 'data-live': how });
}
