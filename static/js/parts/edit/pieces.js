// The tab for pieces: what can be made, the form of what is being made, and the kinds of the table.

import { artOf, faceAt } from '../../view/catalog.js';
import { el, setText } from '../../view/dom.js';
import { addIcons, icon } from '../../view/icons.js';
import { drawWithBars } from '../../bars/state.js';
import { onDone } from '../../listeners.js';
import { createChange, takeBack } from './changeform.js';
import { isBundle } from './bundles.js';
import { createBundle } from './bundleview.js';
import { createForm } from './form.js';
import { RECIPES } from './kinds.js';
import { msg } from './msg.js';
import { longerSide } from './picture.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./kinds.js').Recipe} Recipe */
/** @typedef {import('./changeform.js').Change} Change */

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
  turnKind: 'M12 4a8 8 0 1 1-7.4 5M4 4v5h5M12 9v3.5l2.5 1.5',
  buttonKind: 'M4 10h16v7H4zM4 10l2-3h12l2 3M9 13.5h6',
  clockKind: 'M12 5a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 9v4l3 2M9 2h6',
});

/**
 * Makes the tab.
 * @param {State} s
 * @param {Voice} voice
 * @param {() => void} put called when a piece is on the table, or is tried there
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
    'div', { class: 'edit-list', onfocusin: () => drawSelected() },
    el('h3', {}, msg('edit.make')), palette,
    el('p', { class: 'quiet edit-hint' }, msg('edit.hint')),
    el('h3', {}, msg('edit.kinds')), none, kinds,
  );
  const change = el('button', { class: 'secondary', onclick: () => {
    const [kind] = selectedKinds(s);
    if (kind !== undefined) void alter(kind);
  } }, icon('edit'), msg('edit.changeIt'));
  const selectedName = el('span', {});
  const selected = el('p', { class: 'edit-selected', hidden: true }, selectedName, change);
  const changedName = el('span', {});
  const undo = el('p', { class: 'edit-selected', hidden: true }, changedName, el(
    'button', { class: 'secondary', onclick: () => void backOut() }, msg('edit.takeBack'),
  ));
  list.prepend(selected, undo);
  const place = el('div', { hidden: true });
  const root = el('div', { class: 'edit-pieces' }, list, place);
  /** @type {ReturnType<typeof createForm>|null} */
  let form = null;
  /**
   * A form that was left although much was filled in.
   * @type {ReturnType<typeof createForm>|null}
   */
  let kept = null;
  /** What shows what the table has now, in the form that is there. */
  let refresh = () => {};
  /** The changes that this person can take back, the newest at last. @type {Change[]} */
  const changes = [];

  let leave = () => {};
  const toList = () => {
    const id = form?.recipe.id;
    if (form?.isKept()) kept = form;
    form = null;
    refresh = () => {};
    place.replaceChildren();
    leave();
    place.hidden = true;
    list.hidden = false;
    draw();
    const button = palette.querySelector(id ? `[data-makes="${id}"]` : 'button');
    if (button instanceof HTMLElement) button.focus();
  };
  /**
   * Opens the form that changes a kind.
   * @param {number} kind
   * @param {boolean} [isTried] whether a piece of it has just been made, to be tried
   */
  const alter = async (kind, isTried = false) => {
    try {
      const is = await createChange(s, voice, kind, (made, toTry) => {
        if (made) changes.push(made);
        if (toTry) put();
        else toList();
      });
      form = null;
      ({ refresh } = is);
      show(is.root);
      if (isTried) await is.tryIt();
      else is.focus();
    } catch {
      voice.alarm(msg('edit.unreachable'));
    }
  };
  /** Takes the last change back. */
  const backOut = async () => {
    const last = changes.pop();
    if (!last) return;
    const problem = await takeBack(s, last).catch(() => msg('edit.unreachable'));
    if (problem) voice.alarm(problem);
    else voice.notice(msg('edit.isBack', { name: last.name }));
    draw();
  };
  /**
   * Shows something in the place of the list.
   * @param {HTMLElement} what
   * @param {() => void} [stop] gives up what it does
   */
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
  const make = (/** @type {Recipe} */ recipe) => {
    const made = kept?.recipe === recipe ? kept : createForm(s, voice, recipe, (kind, isTried) => {
      if (isTried) {
        void alter(kind, true);
        return;
      }
      toList();
      put();
    }, open);
    kept = null;
    form = made;
    ({ refresh } = made);
    refresh();
    show(made.root);
    made.focus();
    return made;
  };
  /** Opens a file with several pictures. @param {File} file */
  const open = (file) => {
    form = null;
    refresh = () => {};
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
  const drawSelected = () => {
    const chosen = selectedKinds(s);
    selected.hidden = chosen.length !== 1;
    if (chosen.length === 1)
      setText(selectedName, msg('edit.selected', { name: s.catalog.kinds[chosen[0]].name }));
  };
  const draw = () => {
    refresh();
    drawSelected();
    const last = changes[changes.length - 1];
    undo.hidden = !last;
    if (last) setText(changedName, msg('edit.isChanged', { name: last.name }));
    const now = `${s.catalog.hash} ${s.catalog.album.size}`; // which pictures are drawn
    if (list.hidden || shown === now) return;
    shown = now;
    const entries = s.parts.dialogs?.kindEntries(s, true) ?? [];
    const all = [...s.catalog.kinds.keys()].flatMap((kind) => {
      const of = entries.find(({ item }) => item.querySelector(`[data-kind="${kind}"]`));
      return of || s.catalog.masks.has(kind) ? [entryOf(s, kind, of?.item, alter)] : [];
    });
    kinds.replaceChildren(...all.reverse()); // the newest first
    none.hidden = all.length > 0;
  };
  drawWithBars(s, draw);
  onDone(s, drawSelected);
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


/**
 * Returns the kinds of the chosen pieces, as this person sees them. A tap on a button presses it:
 * so the one that was tapped last counts as chosen, too.
 * @param {State} s
 */
function selectedKinds(s) {
  const { selection, focus } = s.input;
  const tapped = s.sync.pieces.get(focus);
  const pieces = selection.size === 0 && tapped && s.catalog.kinds[tapped.kind]?.button
    ? [tapped] : [...selection].flatMap((id) => s.sync.pieces.get(id) ?? []);
  return [...new Set(pieces.map(({ kind }) => kind))].filter((n) => {
    const kind = s.catalog.kinds[n];
    return kind && !kind.unknown;
  });
}

/**
 * Returns an entry of the list of kinds: the one that adds a piece, if there is one, with a button
 * that changes the kind.
 * @param {State} s
 * @param {number} n
 * @param {HTMLElement|undefined} item
 * @param {(kind: number) => void} alter
 */
function entryOf(s, n, item, alter) {
  const kind = s.catalog.kinds[n];
  const change = el('button', {
    class: 'plain kind-change', 'aria-label': msg('edit.change', { name: kind.name }),
    onclick: () => alter(n),
  }, icon('edit'));
  if (item) {
    item.classList.add('edit-kind');
    item.append(change);
    return item;
  }
  const art = artOf(s.catalog, faceAt(kind, 0));
  return el('li', { class: 'edit-kind' }, el(
    'div', { class: 'kind' },
    el('span', { class: 'kind-art' }, art ? el('img', { src: art, alt: '' })
      : el('span', { class: 'blank' })),
    el('span', { class: 'kind-name' }, kind.name),
  ), change);
}
