// The part of the page for the score sheet, which the players share (docs/protocol/component.md,
// C13, C14).

import { all } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { sharedOf } from '../../parts.js';
import { plays } from '../../rights.js';
import { HEADINGS, NAMES } from './grid.js';
import { inLanguage, readSheet } from './model.js';
import { createPanel } from './panel.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./grid.js').Address} Address */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

addIcons({ download: 'M12 4v11m-4-4 4 4 4-4M5 20h14' });

/** The panel, once it has been opened. @type {ReturnType<typeof createPanel>|null} */
let panel = null;

/** The element that had the focus when the panel was opened. @type {HTMLElement|null} */
let before = null;

/** Functions to call when the page ends. @type {(() => void)[]} */
const stops = [];

/** Does nothing until the sheet is opened. @returns {() => void} stops */
export function bind() {
  return () => all(...stops)();
}

/** Opens or closes the sheet. @param {State} s @param {Voice} voice */
export function toggle(s, voice) {
  if (panel && !panel.root.hidden) {
    shut(s);
    return;
  }
  panel ??= begin(s, voice);
  before = /** @type {HTMLElement|null} */ (document.activeElement);
  panel.open();
  redrawBars(s);
}

/** Returns whether the sheet is open. */
export function isOpen() {
  return panel !== null && !panel.root.hidden;
}

/** @param {State} s */
function shut(s) {
  panel?.close();
  redrawBars(s);
  if (before?.isConnected) before.focus({ preventScroll: true });
}

/** @param {State} s @param {Voice} voice */
function begin(s, voice) {
  const { replica, COMPONENTS, entities, lineOf } = sharedOf(s);
  const { row: name, column, cell } = COMPONENTS;
  const rowOf = (/** @type {number} */ row) => entities.FIRST_ROW + row;
  const waits = (/** @type {Address} */ at) => {
    if (at.row === HEADINGS)
      return at.column !== NAMES && replica.pending(entities.SHEET, column, at.column);
    if (rowOf(at.row) > entities.LAST_ROW) return false;
    return at.column === NAMES
      ? replica.pending(rowOf(at.row), name)
      : replica.pending(rowOf(at.row), cell, at.column);
  };
  const isOffline = () => s.net.status.state !== 'online';
  const store = storeIn({ replica, COMPONENTS, entities });
  const made = createPanel(
    {
      store,
      read: () => readSheet(inLanguage(store, s.catalog.sheet, s.catalog.sheetIn)),
      lineOf,
      mayWrite: () => plays(s),
      rank: () => rankIn(s),
      players: () => playersOf(s),
      isOffline,
      isWaiting: (at) => isOffline() && waits(at),
      onClose: () => shut(s),
    },
    voice,
  );
  s.page.toolbar.before(made.root);
  drawWithBars(s, made.draw);
  const touches = (/** @type {number} */ entity) =>
    entity >= entities.SHEET && entity <= entities.LAST_ROW;
  stops.push(
    made.stop,
    replica.listen((changes) => {
      if ([...changes.keys()].some(touches)) made.draw();
    }),
  );
  return made;
}

/**
 * Returns the components of the sheet as texts.
 * @param {Pick<Shared, 'replica'|'COMPONENTS'|'entities'>} shared
 * @returns {import('./write.js').Store}
 */
function storeIn({ replica, COMPONENTS: of, entities: { SHEET, FIRST_ROW } }) {
  /** @param {number} entity @param {typeof of.cell} component @param {number} [n] */
  const get = (entity, component, n) => replica.get(entity, component, n)?.text ?? null;
  /**
   * @param {number} entity
   * @param {typeof of.cell} component
   * @param {string|null} text
   * @param {number} [n]
   */
  const put = (entity, component, text, n) => {
    if (text === null) replica.remove(entity, component, n);
    else replica.put(entity, component, { text }, n);
  };
  return {
    title: () => get(SHEET, of.sheet),
    heading: (column) => get(SHEET, of.column, column),
    name: (row) => get(FIRST_ROW + row, of.row),
    cell: (row, column) => get(FIRST_ROW + row, of.cell, column),
    putTitle: (text) => put(SHEET, of.sheet, text),
    putHeading: (column, text) => put(SHEET, of.column, text, column),
    putName: (row, text) => put(FIRST_ROW + row, of.row, text),
    putCell: (row, column, text) => put(FIRST_ROW + row, of.cell, text, column),
  };
}

/** Returns the players in the order of their seats. @param {State} s */
function playersOf(s) {
  return [...s.sync.seats.values()]
    .filter(({ role }) => role !== 'spectator' && role !== 'referee')
    .sort((a, b) => a.id - b.id);
}

/**
 * Returns the place of this person among all who may write.
 * @param {State} s
 * @returns {import('./write.js').Rank}
 */
function rankIn(s) {
  const all = playersOf(s).map(({ id }) => id);
  return { rank: Math.max(0, all.indexOf(s.sync.you)), of: Math.max(1, all.length) };
}
