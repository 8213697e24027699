// The panel of the score sheet: its title, the table, its tools, and a line about the connection.

import { all, el, on, setAttr, setText, wantsStill } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import {
  accept,
  addColumn,
  addRow,
  removeColumn,
  removeRow,
  suggestion,
  writeAt,
  writeTitle,
} from './write.js';
import { bindEditing } from './edit.js';
import {
  createGrid,
  describe,
  drawGrid,
  goTo,
  HEADINGS,
  isSame,
  keyOf,
  nameOfColumn,
  nameOfRow,
  NAMES,
  textAt,
  TOTALS,
} from './grid.js';
import { csvOf, MOST_TITLE } from './model.js';
import { msg } from './msg.js';
import { list } from '../../messages.js';

/** @typedef {import('./model.js').Sheet} Sheet */
/** @typedef {import('./grid.js').Address} Address */
/** @typedef {import('./write.js').Store} Store */
/** @typedef {import('./write.js').Rank} Rank */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** Milliseconds for which changes by others are collected before they are announced. */
const GATHER = 1200;

/** The greatest number of changes that are announced one by one. More are counted. */
const AT_ONCE = 3;

/** Milliseconds for which a cell shows that somebody else has just changed it. */
const FRESH = 1600;

/**
 * What the panel needs to know of the table.
 * @typedef {object} Around
 * @property {Store} store
 * @property {() => Sheet} read reads the sheet, in the language of the page
 * @property {(typed: string, most: number) => string} lineOf makes a line of at most so many
 *   characters from typed text
 * @property {() => boolean} mayWrite
 * @property {() => Rank} rank
 * @property {() => {id: number, nick: string}[]} players
 * @property {() => boolean} isOffline
 * @property {(at: Address) => boolean} isWaiting returns whether the contents of a cell have not
 *   been sent
 * @property {() => void} onClose
 */

/**
 * The panel.
 * @typedef {object} Panel
 * @property {Around} around
 * @property {Voice} voice
 * @property {ReturnType<typeof createGrid>} grid
 * @property {ReturnType<typeof elementsFor>} parts
 * @property {ReturnType<typeof bindEditing>} editing
 * @property {ReturnType<typeof gather>} news
 * @property {boolean} isSuggested whether the drawn sheet is a suggestion
 * @property {(() => void)|null} undo undoes the last removal; null if there is none
 * @property {boolean} isWriting whether this person is writing. Then cells are not marked as new.
 */

/** Makes the panel, closed. @param {Around} around @param {Voice} voice */
export function createPanel(around, voice) {
  const { store } = around;
  const grid = createGrid();
  const parts = elementsFor(grid, around, {
    addRow: () => add(panel, 'row'),
    addColumn: () => add(panel, 'column'),
    removeRow: () => remove(panel, 'row'),
    removeColumn: () => remove(panel, 'column'),
    undo: () => putBack(panel),
    download: () => save(grid.sheet),
  });
  const { root, title, scroll, close } = parts;
  const editing = bindEditing(grid, {
    lineOf: around.lineOf,
    mayWrite: around.mayWrite,
    write: (/** @type {Address} */ at, /** @type {string} */ text) =>
      write(panel, () => writeAt(store, at, text)),
    changed: () => draw(panel),
    leave: () => around.onClose(),
  });
  const news = gather(voice, () => grid.sheet);
  /** @type {Panel} */
  const panel = {
    around, voice, grid, parts, editing, news,
    isSuggested: false, undo: null, isWriting: false,
  };
  const keepTitle = () =>
    write(panel, () => writeTitle(store, around.lineOf(title.value, MOST_TITLE)));
  const stop = all(
    on(title, 'change', () => grid.sheet.title !== title.value && keepTitle()),
    on(title, 'keydown', (/** @type {KeyboardEvent} */ e) => keyInTitle(panel, e)),
    // Stops all keys of the panel, so that they do nothing on the table.
    on(root, 'keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key === 'Escape' && !e.defaultPrevented) around.onClose();
      e.stopPropagation();
    }),
    on(grid.table, 'focusin', () => drawRest(panel)),
    editing.stop,
    news.stop,
  );

  return {
    root,
    draw: () => draw(panel),
    stop,
    /** Opens the panel, and focuses the first empty cell. */
    open() {
      root.hidden = false;
      grid.at = { row: HEADINGS, column: NAMES };
      draw(panel);
      goTo(grid, firstEmpty(grid.sheet) ?? grid.at, true);
      if (scroll.hidden) close.focus();
    },
    close() {
      editing.end(true);
      if (document.activeElement === title) title.blur();
      root.hidden = true;
    },
  };
}

/**
 * Makes the elements of the panel.
 * @param {Panel['grid']} grid
 * @param {Around} around
 * @param {Parameters<typeof toolsFor>[0]} runs what the tools do
 */
function elementsFor(grid, around, runs) {
  const close = el(
    'button',
    {
      class: 'plain',
      'aria-label': msg('sheet.close'),
      onclick: () => around.onClose(),
    },
    icon('close'),
  );
  const title = el('input', {
    type: 'text',
    class: 'sheet-title',
    'aria-label': msg('sheet.title'),
    placeholder: msg('sheet.name'),
    maxlength: MOST_TITLE,
    autocomplete: 'off',
    enterkeyhint: 'done',
  });
  const says = el('p', { class: 'sheet-says', role: 'status' });
  const scroll = el('div', { class: 'sheet-scroll' }, grid.table);
  const tools = toolsFor(runs);
  const root = el(
    'section',
    { class: 'sheet', 'aria-label': msg('sheet.name'), 'data-sheet': true, hidden: true },
    el('div', { class: 'panel-head' }, title, close),
    scroll,
    says,
    tools.root,
  );
  return { root, close, title, says, scroll, tools };
}

/** Writes what this person has changed. @param {Panel} panel @param {() => void} f */
function write(panel, f) {
  panel.isWriting = true;
  if (panel.isSuggested) accept(panel.around.store, panel.grid.sheet);
  f();
  draw(panel);
  panel.isWriting = false;
}

/** @param {Panel} panel @param {'row'|'column'} what */
function add(panel, what) {
  const { around, editing, voice } = panel;
  if (!around.mayWrite()) return;
  editing.end(true);
  const isRow = what === 'row';
  let added = -1;
  write(panel, () => {
    added = (isRow ? addRow : addColumn)(around.store, around.read(), around.rank());
  });
  if (added < 0) voice.notice(isRow ? msg('sheet.rowsFull') : msg('sheet.columnsFull'));
  else editing.begin(isRow ? { row: added, column: NAMES } : { row: HEADINGS, column: added });
}

/**
 * Removes the row or column of the cell that has the focus, or had it last.
 * @param {Panel} panel
 * @param {'row'|'column'} what
 */
function remove(panel, what) {
  const { around, grid, editing, voice, parts } = panel;
  const { row, column } = grid.at;
  if (!around.mayWrite() || panel.isSuggested || !canRemove(grid, what)) return;
  editing.end(false);
  const says =
    what === 'row'
      ? msg('sheet.rowRemoved', { name: nameOfRow(grid.sheet, row) })
      : msg('sheet.columnRemoved', { heading: nameOfColumn(grid.sheet, column) });
  write(panel, () => {
    panel.undo =
      what === 'row' ? removeRow(around.store, row) : removeColumn(around.store, column);
  });
  voice.whisper(says);
  draw(panel);
  parts.tools.buttons.undo.focus();
}

/** Undoes the last removal. @param {Panel} panel */
function putBack(panel) {
  const { grid, undo } = panel;
  panel.undo = null;
  if (undo && panel.around.mayWrite()) write(panel, undo);
  goTo(grid, grid.at, true);
}

/**
 * Returns whether the cell with the focus lies in a row or column that can be removed.
 * @param {Panel['grid']} grid
 * @param {'row'|'column'} what
 */
const canRemove = ({ at }, what) =>
  what === 'row' ? at.row !== HEADINGS && at.row !== TOTALS : at.column !== NAMES;

/** @param {Panel} panel */
function draw(panel) {
  const { around, grid, editing } = panel;
  if (panel.parts.root.hidden) return;
  const read = around.read();
  const isSuggested = isEmpty(read) && around.mayWrite();
  panel.isSuggested = isSuggested;
  const sheet = isSuggested ? { ...suggestion(around.players()), title: read.title } : read;
  const known = grid.cells.size > 0;
  const changed = drawGrid(grid, sheet, (at) => !isSuggested && around.isWaiting(at));
  if (!editing.check()) panel.voice.notice(msg('sheet.gone'));
  grid.table.classList.toggle('suggested', isSuggested);
  if (known && !panel.isWriting)
    for (const at of changed) if (at.row !== TOTALS) announce(panel, at);
  drawRest(panel);
}

/**
 * Shows and announces that somebody else has changed a cell.
 * @param {Panel} panel
 * @param {Address} at
 */
function announce({ grid, news }, at) {
  const cell = grid.cells.get(keyOf(at));
  if (!cell) return;
  news.add(at);
  if (wantsStill()) return;
  cell.classList.add('fresh');
  setTimeout(() => cell.classList.remove('fresh'), FRESH);
}

/** Draws what is around the table. @param {Panel} panel */
function drawRest(panel) {
  const { around, grid, isSuggested } = panel;
  const { title, tools, scroll, says } = panel.parts;
  const { sheet } = grid;
  const may = around.mayWrite();
  if (document.activeElement !== title) title.value = sheet.title;
  title.readOnly = !may;
  tools.root.hidden = !may && sheet.rows.length === 0;
  for (const name of /** @type {const} */ (['addRow', 'addColumn', 'removeRow', 'removeColumn']))
    tools.buttons[name].hidden = !may;
  tools.buttons.undo.hidden = !may || panel.undo === null;
  tools.disable(
    'removeRow',
    isSuggested || !canRemove(grid, 'row'),
    msg('sheet.removeRow', { name: nameOfRow(sheet, grid.at.row) }),
  );
  tools.disable(
    'removeColumn',
    isSuggested || !canRemove(grid, 'column'),
    msg('sheet.removeColumn', { heading: nameOfColumn(sheet, grid.at.column) }),
  );
  tools.disable('download', isSuggested || isEmpty(sheet));
  scroll.hidden = isEmpty(sheet);
  setText(says, sayings(panel, may));
  says.hidden = says.textContent === '';
}

/** What the line below the table says. @param {Panel} panel @param {boolean} mayWrite */
function sayings({ around, grid: { sheet }, isSuggested }, mayWrite) {
  if (around.isOffline()) return msg('sheet.offline');
  if (!mayWrite) return sheet.rows.length === 0 ? msg('sheet.empty') : msg('sheet.watching');
  if (!isSuggested) return '';
  return sheet.columns.length > 0
    ? msg('sheet.suggested', { nicks: list(sheet.columns.map((c) => c.heading)) })
    : msg('sheet.begin');
}

/** @param {Panel} panel @param {KeyboardEvent} e */
function keyInTitle({ grid, parts }, e) {
  if (e.isComposing || (e.key !== 'Enter' && e.key !== 'Escape')) return;
  if (e.key === 'Escape') parts.title.value = grid.sheet.title;
  goTo(grid, grid.at, true);
  e.preventDefault();
}

/** @param {Sheet} sheet */
const isEmpty = ({ columns, rows }) => columns.length + rows.length === 0;

/**
 * Returns the first empty cell, where somebody is likely to write.
 * @param {Sheet} sheet
 * @returns {Address|null}
 */
function firstEmpty(sheet) {
  for (const { row, cells } of sheet.rows)
    for (const { column } of sheet.columns) if (!cells.has(column)) return { row, column };
  return null;
}

/**
 * Makes the buttons below the table.
 * @param {Record<'addRow'|'addColumn'|'removeRow'|'removeColumn'|'undo'|'download', () => void>}
 *   runs
 */
function toolsFor(runs) {
  const make = (
    /** @type {keyof typeof runs} */ name,
    /** @type {string} */ picture,
    /** @type {string} */ label,
  ) =>
    el(
      'button',
      {
        class: 'sheet-tool',
        'aria-label': label,
        title: label,
        'data-tool': name,
        onclick: runs[name],
      },
      icon(picture),
      el('span', { 'aria-hidden': 'true' }, msg(`sheet.short.${name}`)),
    );
  const buttons = {
    addRow: make('addRow', 'add', msg('sheet.addRow')),
    addColumn: make('addColumn', 'add', msg('sheet.addColumn')),
    removeRow: make('removeRow', 'remove', ' '),
    removeColumn: make('removeColumn', 'remove', ' '),
    undo: make('undo', 'unrotate', msg('sheet.undo')),
    download: make('download', 'download', msg('sheet.download')),
  };
  /** @param {keyof typeof buttons} name @param {boolean} yes @param {string} [label] */
  const disable = (name, yes, label) => {
    buttons[name].disabled = yes;
    if (!label) return;
    setAttr(buttons[name], 'aria-label', label);
    setAttr(buttons[name], 'title', label);
  };
  return { root: el('div', { class: 'sheet-tools' }, ...Object.values(buttons)), buttons, disable };
}

/** Says what is in a cell now. @param {Sheet} sheet @param {Address} at */
function changeOf(sheet, at) {
  const where = describe(sheet, at);
  const text = textAt(sheet, at);
  return text ? msg('sheet.changed', { where, text }) : msg('sheet.cleared', { where });
}

/**
 * Collects changes by others, for screen readers.
 * @param {Voice} voice
 * @param {() => Sheet} sheetNow
 */
function gather(voice, sheetNow) {
  /** @type {Address[]} */
  let changed = [];
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const tell = () => {
    timer = undefined;
    const sheet = sheetNow();
    if (changed.length > AT_ONCE) voice.whisper(msg('sheet.changes', { n: changed.length }));
    else
      voice.whisper(changed.map((at) => changeOf(sheet, at)).join(' '));
    changed = [];
  };
  return {
    /** @param {Address} at */
    add(at) {
      if (!changed.some((other) => isSame(other, at))) changed.push(at);
      timer ??= setTimeout(tell, GATHER);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Offers the sheet to the browser as a file. @param {Sheet} sheet */
function save(sheet) {
  const text = csvOf(sheet, {
    rows: msg('sheet.names'),
    total: msg('sheet.total'),
    nameOf: (row, i) => row.name || String(i + 1),
  });
  // The file begins with a byte order mark, because without it some spreadsheets do not recognise
  // UTF-8.
  const address = URL.createObjectURL(
    new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }),
  );
  el('a', { href: address, download: msg('sheet.file') }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}
