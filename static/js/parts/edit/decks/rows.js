// The rows of a deck as a table of fields. Arrow keys and Enter lead from row to row, Alt and an
// arrow key move a row, and a block of a spreadsheet can be pasted anywhere.

import { el, setAttr, setText } from '../../../view/dom.js';
import { icon } from '../../../view/icons.js';
import { newId } from '../form.js';
import { MOST_ROWS, USES, addRow, cell, moveRow, readColour, removeRow, wrongIn } from './deck.js';
import { msg } from './msg.js';

/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */
/** How many rows are shown at first, and as many more when somebody comes to their end. */
const SHOWN = 150;

/** What can be done to a row. */
const DOES = /** @type {const} */ (['up', 'down', 'remove']);

/** @typedef {{root: HTMLTableRowElement, head: HTMLElement, inputs: HTMLInputElement[]}} Line */

/**
 * Makes the table.
 * @param {() => Deck} deckOf
 * @param {{
 *   changed: () => void,
 *   paste: (row: number, column: number, text: string) => void,
 *   say: (text: string) => void,
 *   picture: (row: Row, file: File) => void,
 * }} runs
 */
export function createRows(deckOf, { changed, paste, say, picture }) {
  const names = el('datalist', { id: newId() });
  const head = el('tr');
  const body = el('tbody');
  let shown = SHOWN;
  const more = el('button', {
    class: 'secondary deck-more', hidden: true, onclick: () => extend(),
  });
  new IntersectionObserver(([{ isIntersecting }]) => {
    if (isIntersecting) extend();
  }).observe(more);
  const extend = () => {
    shown += SHOWN;
    draw();
  };
  const root = el('div', { class: 'deck-rows', role: 'group', 'aria-label': msg('decks.rows') }, el(
    'table', {}, el('thead', {}, head), body,
  ), more, names);
  /** @type {Map<Row, Line>} */
  const lines = new Map();
  let columns = '';

  /**
   * Writes what changes with the place and the content of a line.
   * @param {Row} row
   * @param {number} i
   * @param {Line} line
   */
  const fill = (row, i, line) => {
    const deck = deckOf();
    line.head.textContent = String(i + 1);
    const wrong = wrongIn(deck, row);
    line.inputs.forEach((input, n) => {
      if (input.value !== row[n]) input.value = row[n];
      setAttr(input, 'aria-label', msg('decks.cell', { column: deck.columns[n], n: i + 1 }));
      const isWrong = wrong.some((use) => deck.uses[use] === n);
      setAttr(input, 'aria-invalid', isWrong ? 'true' : null);
      if (n === deck.uses.colour)
        input.style.setProperty('--swatch', readColour(row[n]) ?? 'transparent');
    });
    const name = cell(deck, row, 'name') || String(i + 1);
    for (const button of line.root.querySelectorAll('button')) {
      const does = DOES.find((one) => one === button.dataset.does);
      if (does) setAttr(button, 'aria-label', msg(`decks.row.${does}`, { name }));
    }
  };
  const draw = () => {
    const deck = deckOf();
    const now = JSON.stringify([deck.columns, deck.uses]);
    if (now !== columns) {
      columns = now;
      lines.clear();
      head.replaceChildren(
        el('th', { class: 'deck-number', scope: 'col' }, msg('decks.number')),
        ...deck.columns.map((text, i) =>
          el('th', { scope: 'col', 'data-use': useOf(deck, i) }, text)),
        el('th', { scope: 'col' }, el('span', { class: 'unseen' }, msg('decks.actions'))),
      );
    }
    const focused = /** @type {HTMLElement|null} */ (document.activeElement);
    const rest = deck.rows.length - shown;
    more.hidden = rest <= 0;
    if (rest > 0) setText(more, msg('decks.more', { n: rest }));
    const all = deck.rows.slice(0, shown).map((row, i) => {
      const line = lines.get(row) ?? create(row);
      lines.set(row, line);
      fill(row, i, line);
      return line.root;
    });
    const has = [...body.children];
    if (has.length !== all.length || has.some((one, i) => one !== all[i])) {
      body.replaceChildren(...all);
      if (focused && body.contains(focused)) focused.focus({ preventScroll: true });
    }
    if (lines.size > 2 * deck.rows.length + 50)
      for (const row of lines.keys()) if (!deck.rows.includes(row)) lines.delete(row);
  };
  /** @param {Row} row @returns {Line} */
  const create = (row) => {
    const deck = deckOf();
    const inputs = deck.columns.map((_, n) => {
      const input = el('input', {
        type: 'text', autocomplete: 'off', 'data-column': n,
        inputmode: n === deck.uses.count ? 'numeric' : null,
        list: n === deck.uses.picture ? names.id : null,
        oninput: () => {
          row[n] = input.value;
          fill(row, deckOf().rows.indexOf(row), /** @type {Line} */ (lines.get(row)));
          changed();
        },
      });
      return input;
    });
    const button = (/** @type {string} */ does, /** @type {string} */ sign) => el('button', {
      class: 'plain deck-do', 'data-does': does, onclick: () => act(row, does),
    }, icon(sign));
    const number = el('th', { scope: 'row', class: 'deck-number' });
    const line = el(
      'tr', {}, number,
      ...inputs.map((input, n) => el('td', { 'data-use': useOf(deck, n) }, input)),
      el('td', { class: 'deck-dos' }, button('up', 'rowUp'), button('down', 'rowDown'),
        button('remove', 'remove')),
    );
    return { root: line, head: number, inputs };
  };
  /** @param {Row} row @param {string} does */
  const act = (row, does) => {
    const deck = deckOf();
    const at = deck.rows.indexOf(row);
    if (does === 'remove') {
      removeRow(deck, row);
      draw();
      focus(deck.rows[Math.min(at, deck.rows.length - 1)], 0);
    } else move(row, does === 'up' ? -1 : 1);
    changed();
  };
  /** @param {Row} row @param {1|-1} by */
  const move = (row, by) => {
    const deck = deckOf();
    if (!moveRow(deck, row, by)) return;
    shown = Math.max(shown, deck.rows.indexOf(row) + 1);
    draw();
    say(msg('decks.moved', { n: deck.rows.indexOf(row) + 1 }));
  };
  /** @param {Row|undefined} row @param {number} column */
  const focus = (row, column) => {
    const at = row ? deckOf().rows.indexOf(row) : -1;
    if (at >= shown) {
      shown = at + SHOWN;
      draw();
    }
    const input = row && lines.get(row)?.inputs[column];
    input?.focus();
    input?.select();
  };
  const add = () => {
    const deck = deckOf();
    if (deck.rows.length >= MOST_ROWS) return;
    const row = addRow(deck);
    draw();
    changed();
    focus(row, deck.uses.name);
  };
  /** The row and the column of a field. @param {EventTarget|null} target */
  const placeOf = (target) => {
    if (!(target instanceof HTMLInputElement)) return null;
    const column = Number(target.dataset.column);
    const row = deckOf().rows.find((one) => lines.get(one)?.inputs[column] === target);
    return row ? { row, column } : null;
  };
  body.addEventListener('keydown', (e) => {
    const place = placeOf(e.target);
    const by = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[e.key];
    if (!place || !by || e.ctrlKey || e.metaKey || e.isComposing) return;
    e.preventDefault();
    const { rows } = deckOf();
    const at = rows.indexOf(place.row);
    if (e.altKey) {
      move(place.row, by < 0 ? -1 : 1);
      changed();
    } else if (rows[at + by]) focus(rows[at + by], place.column);
    else if (e.key === 'Enter') add();
  });
  /** Takes a picture that is brought to a row. @param {Event} e @param {DataTransfer|null} data
   * @param {Row|undefined} row */
  const bring = (e, data, row) => {
    const files = [...data?.files ?? []];
    if (!row || files.length !== 1 || !files[0].type.startsWith('image/')) return;
    e.preventDefault();
    e.stopPropagation();
    picture(row, files[0]);
  };
  body.addEventListener('drop', (e) => {
    const at = e.target instanceof Element ? e.target.closest('tr') : null;
    bring(e, e.dataTransfer, deckOf().rows.find((row) => lines.get(row)?.root === at));
  });
  body.addEventListener('paste', (e) => {
    const place = placeOf(e.target);
    if (!e.clipboardData?.types.includes('text/plain')) bring(e, e.clipboardData, place?.row);
    const text = e.clipboardData?.getData('text/plain') ?? '';
    if (!place || !/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return;
    e.preventDefault();
    e.stopPropagation();
    paste(deckOf().rows.indexOf(place.row), place.column, text);
  });
  return {
    root, draw, add, focus,
    /** Offers names for the column of pictures. @param {string[]} all */
    offer: (all) => names.replaceChildren(...all.map((value) => el('option', { value }))),
  };
}

/** Returns what a column fills. @param {Deck} deck @param {number} column */
const useOf = ({ uses }, column) => USES.find((use) => uses[use] === column) ?? null;
