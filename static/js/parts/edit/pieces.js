// The tab for pieces: what can be made, the form of what is being made, and the kinds of the table.

import { el } from '../../view/dom.js';
import { addIcons, icon } from '../../view/icons.js';
import { drawWithBars } from '../../bars/state.js';
import { isBundle } from './bundles.js';
import { createBundle } from './bundleview.js';
import { createForm } from './form.js';
import { RECIPES } from './kinds.js';
import { msg } from './msg.js';
import { longerSide } from './picture.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./kinds.js').Recipe} Recipe */

/** From how many pixels on, on the longer side, a picture is that of a board at first. */
const LARGE = 1000;

addIcons({
  boardKind: 'M4 4h16v16H4zM4 12h16M12 4v16',
  tokenKind: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  tileKind: 'M4 8h12v12H4zM8 8V4h12v12h-4',
  dieKind: 'M5 5h14v14H5zM9 9v.1M15 9v.1M12 12v.1M9 15v.1M15 15v.1',
  counterKind: 'M4 6h16v12H4zM10 10l2-1v6M8 15h8',
  noteKind: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8 8h8M8 12h5',
  handKind: 'M4 18 8 7l5 2-3 11zM9 7l2-3 5 2-1 3M16 8l3-1 1 11-5 1',
  zoneKind: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z',
  bagKind: 'M5 9h14l1 11H4zM9 12V7a3 3 0 0 1 6 0v5',
  clockKind: 'M12 5a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 9v4l3 2M9 2h6',
});

/**
 * Makes the tab.
 * @param {State} s
 * @param {Voice} voice
 * @param {() => void} put called when a piece is on the table
 * @returns {import('./panel.js').Content}
 */
export function createPieces(s, voice, put) {
  const palette = el('ul', { class: 'edit-palette' }, ...RECIPES.map((recipe) => el('li', {}, el(
    'button', { class: 'edit-make', 'data-makes': recipe.id, onclick: () => make(recipe) },
    icon(`${recipe.id}Kind`), el('span', {}, msg(`edit.makes.${recipe.id}`)),
  ))));
  const kinds = el('ul', { class: 'kinds' });
  const none = el('p', { class: 'quiet' }, msg('edit.noKinds'));
  const list = el(
    'div', { class: 'edit-list' },
    el('h3', {}, msg('edit.make')), palette,
    el('p', { class: 'quiet edit-hint' }, msg('edit.hint')),
    el('h3', {}, msg('edit.kinds')), none, kinds,
  );
  const place = el('div', { hidden: true });
  const root = el('div', { class: 'edit-pieces' }, list, place);
  /** @type {ReturnType<typeof createForm>|null} */
  let form = null;

  let leave = () => {};
  const toList = () => {
    const id = form?.recipe.id;
    form = null;
    place.replaceChildren();
    leave();
    place.hidden = true;
    list.hidden = false;
    draw();
    const button = palette.querySelector(id ? `[data-makes="${id}"]` : 'button');
    if (button instanceof HTMLElement) button.focus();
  };
  const make = (/** @type {Recipe} */ recipe) => {
    form = createForm(s, voice, recipe, () => {
      toList();
      put();
    }, open);
    show(form.root);
    form.focus();
    return form;
  };
  /** Shows something in the place of the list. @param {HTMLElement} what
   * @param {() => void} [stop] gives up what it does */
  const show = (what, stop = () => {}) => {
    leave();
    leave = stop;
    place.replaceChildren(
      el('button', { class: 'plain edit-back', onclick: toList }, icon('back'), msg('edit.back')),
      what,
    );
    list.hidden = true;
    place.hidden = false;
    root.parentElement?.scrollTo(0, 0);
  };
  /** Opens a file with several pictures. @param {File} file */
  const open = (file) => {
    form = null;
    const view = createBundle(s, voice, file, {
      done: () => {
        toList();
        put();
      },
      close: toList,
    });
    show(view.root, view.stop);
    view.focus();
  };
  let shown = '';
  const draw = () => {
    const now = `${s.catalog.hash} ${s.catalog.album.size}`; // which pictures are drawn
    if (list.hidden || shown === now) return;
    shown = now;
    const all = s.parts.dialogs?.kindEntries(s, true) ?? [];
    kinds.replaceChildren(...all.map(({ item }) => item).reverse()); // the newest first
    none.hidden = all.length > 0;
  };
  drawWithBars(s, draw);
  return {
    root,
    draw,
    back: () => {
      if (place.hidden) return false;
      toList();
      return true;
    },
    takeFile: (file) => void (async () => {
      if (await isBundle(file)) {
        open(file);
        return;
      }
      if (form?.takesPictures) {
        await form.takeFile(file);
        return;
      }
      const is = await longerSide(file) >= LARGE ? 'board' : 'token';
      await make(/** @type {Recipe} */ (RECIPES.find(({ id }) => id === is))).takeFile(file);
    })(),
  };
}

