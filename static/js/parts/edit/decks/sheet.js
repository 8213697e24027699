// The form that cuts a sheet: columns, rows, margin and gutter, with a preview that follows, and
// what each cell becomes.

import { el, setAttr, setText } from '../../../view/dom.js';
import { icon } from '../../../view/icons.js';
import { labelled, newId, numberField } from '../form.js';
import { baseOf, lackPicture } from './deck.js';
import { MOST_CELLS, cardsOf, cellsOf, firstOf, guessGrid, isPlain } from './cut.js';
import { msg } from './msg.js';

/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./pictures.js').Sheet} Sheet */
/** @typedef {import('./pictures.js').Pictures} Pictures */

/** How long nothing may change before cards are compared, in ms. */
const REST = 150;

/**
 * What becomes of a sheet.
 * @typedef {object} Cut
 * @property {{name: string, count: number, place: import('./cut.js').Rect}[]} cards
 * @property {{name: string, place: import('./cut.js').Rect}|null} back
 * @property {boolean} inOrder whether they go to the rows without a picture
 */

/**
 * Makes the form.
 * @param {Sheet} sheet
 * @param {Deck} deck
 * @param {{take: (cut: Cut) => void, one: () => void, leave: () => void}} runs
 */
export function createSheet(sheet, deck, { take, one, leave }) {
  const base = sheet.name.replace(/\.[a-z0-9]{1,5}$/i, '');
  const grid = {
    ...guessGrid(sheet.width, sheet.height, deck.width / deck.height), margin: 0, gutter: 0,
  };
  const lacking = lackPicture(deck).length;
  /** Which cells somebody leaves out, or not. @type {Map<number, boolean>} */
  const chosen = new Map();
  /** Those of one colour, which are left out unless somebody takes them. @type {Set<number>} */
  let plain = new Set();
  const isOut = (/** @type {number} */ i) => i === back || (chosen.get(i) ?? plain.has(i));
  let back = -1;
  /** @type {import('./cut.js').Rect[]} */
  let places = [];
  /** @type {number[]} */
  let first = [];
  let timer = 0;

  const field = (
    /** @type {keyof typeof grid} */ key, /** @type {string} */ label, /** @type {number} */ min,
    /** @type {number} */ max,
  ) => numberField(label, grid[key], { min, max }, (n) => {
    grid[key] = n;
    if (key === 'columns' || key === 'rows') chosen.clear();
    lay();
  });
  const { width, height } = sheet;
  const fields = [
    field('columns', msg('decks.sheet.columns'), 1, MOST_CELLS),
    field('rows', msg('decks.sheet.rows'), 1, MOST_CELLS),
    field('margin', msg('decks.sheet.margin'), 0, Math.max(width, height)),
    field('gutter', msg('decks.sheet.gutter'), 0, Math.max(width, height)),
  ];
  const cells = el('div', {
    class: 'cut-cells', role: 'group', 'aria-label': msg('decks.sheet.cells'),
  });
  const view = el('div', { class: 'cut-view' }, el('img', { src: sheet.shown, alt: '' }), cells);
  view.style.setProperty('--ratio', String(width / height));
  const backs = el('select', {
    id: newId(), onchange: () => {
      back = Number(backs.value);
      draw();
    },
  });
  const check = (/** @type {string} */ label, /** @type {boolean} */ checked) => {
    const input = el('input', { type: 'checkbox', checked, onchange: () => draw() });
    return { input, root: el('label', { class: 'deck-check' }, input, label) };
  };
  const together = check(msg('decks.sheet.together'), true);
  const inOrder = check(msg('decks.sheet.inOrder', { n: lacking }), lacking > 0);
  inOrder.root.hidden = lacking === 0;
  const says = el('p', { class: 'cut-says', role: 'status' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const add = el('button', { class: 'primary', type: 'submit' });
  const heading = el('h3', { tabindex: '-1' }, msg('decks.sheet.title', { name: sheet.name }));

  const isOrdered = () => inOrder.input.checked && lacking > 0;
  const cards = () => cardsOf(first, new Set(places.flatMap((_, i) => (isOut(i) ? i : []))),
    together.input.checked && !isOrdered());
  const draw = () => {
    const list = cards();
    const total = list.reduce((sum, { count }) => sum + count, 0);
    together.input.disabled = isOrdered();
    [...cells.children].forEach((button, i) => {
      const left = isOut(i);
      setAttr(button, 'aria-pressed', left ? 'false' : 'true');
      const same = together.input.checked && !isOrdered() && !left && first[i] !== i;
      setText(/** @type {Element} */ (button.firstElementChild),
        i === back ? msg('decks.back') : left ? '–' : same ? `= ${first[i] + 1}` : String(i + 1));
      setAttr(button, 'aria-label', msg(i === back ? 'decks.sheet.cell.back'
        : same ? 'decks.sheet.cell.same' : 'decks.sheet.cell', { n: i + 1, of: first[i] + 1 }));
      setAttr(button, 'data-as', i === back ? 'back' : left ? 'out' : same ? 'same' : 'card');
    });
    const left = places.filter((_, i) => i !== back && isOut(i)).length;
    setText(says, [
      msg('decks.sheet.finds', { n: total, sorts: list.length }),
      left > 0 ? msg('decks.sheet.left', { n: left }) : '',
    ].filter(Boolean).join(' '));
    setText(add, msg('decks.sheet.add', { n: list.length }));
    add.disabled = list.length === 0;
  };
  /** Lays the cells over the preview. */
  const lay = () => {
    places = cellsOf(width, height, grid);
    const isWrong = places.length === 0;
    problem.hidden = !isWrong;
    setText(problem, isWrong ? msg('decks.sheet.wrong', { most: MOST_CELLS }) : '');
    first = places.map((_, i) => i);
    plain = new Set();
    if (!isWrong && back >= places.length) back = -1;
    cells.replaceChildren(...places.map((place, i) => {
      const button = el('button', {
        class: 'cut-cell', onclick: () => {
          chosen.set(i, i !== back && !isOut(i));
          if (i === back) back = -1;
          backs.value = String(back);
          draw();
        },
      }, el('span', {}));
      const part = (/** @type {number} */ n, /** @type {number} */ of) => `${(100 * n) / of}%`;
      Object.assign(button.style, {
        left: part(place.x, width), top: part(place.y, height),
        width: part(place.width, width), height: part(place.height, height),
      });
      return button;
    }));
    backs.replaceChildren(
      el('option', { value: -1, selected: back < 0 }, msg('decks.sheet.noBack')),
      ...places.map((_, i) => el('option', { value: i, selected: i === back },
        msg('decks.sheet.cell', { n: i + 1 }))),
    );
    draw();
    clearTimeout(timer);
    timer = window.setTimeout(compare, REST);
  };
  /** Finds the cells that are the same, and leaves out those with one colour. */
  const compare = () => {
    const blocks = places.map((place) => sheet.blocks(place));
    first = firstOf(blocks);
    plain = new Set(blocks.flatMap((rgba, i) => (isPlain(rgba) ? i : [])));
    draw();
  };
  const submit = () => {
    if (places.length === 0) return;
    clearTimeout(timer);
    take({
      cards: cards().map(({ cell, count }, i) => ({
        name: msg('decks.sheet.name', { name: base, n: i + 1 }), count, place: places[cell],
      })),
      back: back < 0 ? null
        : { name: msg('decks.sheet.backName', { name: base }), place: places[back] },
      inOrder: isOrdered(),
    });
  };
  const root = el(
    'form', {
      class: 'edit-form deck-sheet', novalidate: true, onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        submit();
      },
    },
    el('button', { class: 'plain edit-back', onclick: leave }, icon('back'),
      msg('decks.sheet.leave')),
    heading,
    el('div', { class: 'cut-both' }, view, el(
      'div', { class: 'cut-fields' },
      el('div', { class: 'edit-row' }, fields[0].root, fields[1].root),
      el('div', { class: 'edit-row' }, fields[2].root, fields[3].root),
      el('p', { class: 'quiet' }, msg('decks.sheet.hint')),
      labelled(backs, msg('decks.sheet.back')).root,
      together.root, inOrder.root, says, problem,
      el('div', { class: 'cut-send' }, add,
        el('button', { class: 'secondary', onclick: one }, msg('decks.sheet.one'))),
    )),
  );
  lay();
  return {
    root,
    focus: () => fields[0].input.focus({ preventScroll: true }),
    /** Ends it. */
    close: () => {
      clearTimeout(timer);
      sheet.close();
    },
    /** Whether this name is that of the sheet. @param {string} name */
    is: (name) => baseOf(name) === baseOf(sheet.name),
  };
}
