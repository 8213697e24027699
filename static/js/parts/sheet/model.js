// Reads the score sheet from its components (docs/protocol/component.md, C13, C14): columns, rows,
// cells and sums. It also exports the sheet as comma-separated values. No DOM, no state.

/** The greatest number of rows and of columns. */
export const MOST_ROWS = 256;
export const MOST_COLUMNS = 32;

/** The greatest number of characters of a title, and of a name, a heading or a cell. */
export const MOST_TITLE = 80;
export const MOST_LINE = 40;

/**
 * The texts of the sheet; null if there is none.
 * @typedef {object} Texts
 * @property {() => string|null} title
 * @property {(column: number) => string|null} heading by the number of the column, from 0
 * @property {(row: number) => string|null} name by the number of the row, from 0
 * @property {(row: number, column: number) => string|null} cell
 */

/**
 * @typedef {object} Sheet
 * @property {string} title empty if there is none
 * @property {{column: number, heading: string}[]} columns in order
 * @property {{row: number, name: string, cells: Map<number, string>}[]} rows in order; cells by
 *   column, without empty ones
 */

/**
 * The score sheet with which the game begins (docs/protocol/game.md, G15).
 * @typedef {object} GameSheet
 * @property {string} [title]
 * @property {string[]} columns headings
 * @property {string[]} [rows] names
 */

/**
 * Returns the texts of the sheet with those of the game in the language of the page (G13). What
 * people have written stays as it is.
 * @param {Texts} texts
 * @param {GameSheet} [game] as the game is written
 * @param {GameSheet} [shown] the same in the language of the page
 * @returns {Texts}
 */
export function inLanguage(texts, game, shown) {
  if (!game || !shown) return texts;
  const of = (
    /** @type {string|null} */ text, /** @type {string} */ from = '', /** @type {string} */ to = '',
  ) => (text && text === from ? to : text);
  return {
    title: () => of(texts.title(), game.title, shown.title),
    heading: (n) => of(texts.heading(n), game.columns[n], shown.columns[n]),
    name: (n) => of(texts.name(n), game.rows?.[n], shown.rows?.[n]),
    cell: texts.cell,
  };
}

/**
 * Reads the sheet. A column exists if it has a heading, and a row exists if it has a name, even an
 * empty one. Other cells are not shown.
 * @param {Texts} texts
 * @returns {Sheet}
 */
export function readSheet(texts) {
  const columns = numbered(MOST_COLUMNS, texts.heading).map(([column, heading]) => ({
    column,
    heading,
  }));
  const rows = numbered(MOST_ROWS, texts.name).map(([row, name]) => {
    /** @type {Map<number, string>} */
    const cells = new Map();
    for (const { column } of columns) {
      const text = texts.cell(row, column);
      if (text) cells.set(column, text);
    }
    return { row, name, cells };
  });
  return { title: texts.title() ?? '', columns, rows };
}

/** @param {number} most @param {(n: number) => string|null} textOf @returns {[number, string][]} */
function numbered(most, textOf) {
  /** @type {[number, string][]} */
  const found = [];
  for (let n = 0; n < most; n++) {
    const text = textOf(n);
    if (text !== null) found.push([n, text]);
  }
  return found;
}

/**
 * Returns the number of a new row or column. People who add at the same moment, or off line, have
 * to get different numbers, because one number is one row or column. So each of them takes every
 * n-th number after the last one, with a different start. If none is left after the last one, it
 * takes a free number in between.
 * @param {Set<number>} used
 * @param {number} most the greatest possible number of rows or columns
 * @param {{rank: number, of: number}} who the place of the person who adds among all who may, from
 *   0
 * @returns {number} -1 if there is no room
 */
export function freeNumber(used, most, { rank, of }) {
  const last = Math.max(-1, ...used);
  for (let n = last + 1; n < most; n++) if (n % of === rank % of) return n;
  for (let n = 0; n < most; n++) if (!used.has(n) && n % of === rank % of) return n;
  for (let n = 0; n < most; n++) if (!used.has(n)) return n;
  return -1;
}

// ---- sums ----

/** An exact number: units of 10^-places. @typedef {{units: bigint, places: number}} Exact */

const PLAIN = /^([+\-\u2212]?)(\d*)(?:[.,](\d+))?$/u;

/**
 * Numbers with thousands in groups: separated by commas, points, spaces of any kind or apostrophes,
 * the same throughout.
 */
const GROUPED = /^([+\-\u2212]?)([1-9]\d{0,2})([.,'\u2019\s])(\d{3}(?:\3\d{3})*)$/u;

/**
 * Returns the number in a cell; null if the text is not a number. A single point or comma begins a
 * fraction, unless three digits follow it, as in 1,250: in scores those are thousands.
 * @param {string} text
 * @returns {Exact|null}
 */
export function numberIn(text) {
  const grouped = GROUPED.exec(text);
  if (grouped) return exact(grouped[1], grouped[2] + grouped[4].replace(/\D/gu, ''), '');
  const plain = PLAIN.exec(text);
  const [, sign = '', whole = '', part = ''] = plain ?? [];
  return whole + part === '' ? null : exact(sign, whole, part);
}

/** @param {string} sign @param {string} whole @param {string} part @returns {Exact} */
function exact(sign, whole, part) {
  const units = BigInt(whole + part);
  return { units: sign === '' || sign === '+' ? units : -units, places: part.length };
}

/**
 * Returns the sum of the numbers in a column as text; empty if there are none.
 * @param {Sheet} sheet
 * @param {number} column
 */
export function sumOf(sheet, column) {
  const numbers = sheet.rows.flatMap(({ cells }) => numberIn(cells.get(column) ?? '') ?? []);
  if (numbers.length === 0) return '';
  const places = Math.max(...numbers.map((n) => n.places));
  let units = 0n;
  for (const n of numbers) units += n.units * 10n ** BigInt(places - n.places);
  return write({ units, places });
}

/** @param {Exact} n */
function write({ units, places }) {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places).replace(/0+$/u, '');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/gu, '\u2009') : whole;
  return `${units < 0n ? '\u2212' : ''}${grouped}${part ? `.${part}` : ''}`;
}

// ---- export ----

/**
 * Returns the sheet as comma-separated values (RFC 4180), with the sums in the last line.
 * Spreadsheets take a text that begins with = or a similar character for a formula, so a quote is
 * put before it.
 * @param {Sheet} sheet
 * @param {{rows: string, total: string, nameOf: (row: Sheet['rows'][number], i: number) => string}}
 *   words
 */
export function csvOf(sheet, { rows, total, nameOf }) {
  const lines = [
    [rows, ...sheet.columns.map((c) => c.heading)],
    ...sheet.rows.map((row, i) => [
      nameOf(row, i),
      ...sheet.columns.map((c) => row.cells.get(c.column) ?? ''),
    ]),
    [
      total,
      ...sheet.columns.map((c) =>
        sumOf(sheet, c.column).replace('\u2212', '-').replaceAll('\u2009', ''),
      ),
    ],
  ];
  return `${lines.map((line) => line.map(field).join(',')).join('\r\n')}\r\n`;
}

/** @param {string} text */
function field(text) {
  const safe = /^[=+\-@\t\r]/u.test(text) && !numberIn(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
