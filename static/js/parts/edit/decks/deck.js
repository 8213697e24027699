// A deck that is being made: a table of rows, as in a spreadsheet, and what its columns mean. No
// DOM.

/** What a column can fill. @typedef {typeof USES[number]} Use */
export const USES = /** @type {const} */ ([
  'name', 'count', 'title', 'text', 'colour', 'picture',
]);

/** The most rows and columns, and cards of a row. */
export const MOST_ROWS = 2000;
export const MOST_COLUMNS = 60;
export const MOST_COUNT = 500;

/**
 * A row: a text for each column. A row stays the same object as long as it is there.
 * @typedef {string[]} Row
 */
/**
 * What stands on a side: the name of a picture, or a colour with a text.
 * @typedef {{colour: string, text: string, picture: string}} Side
 */
/**
 * @typedef {object} Deck
 * @property {string} name
 * @property {number} width in millimetres
 * @property {number} height
 * @property {string[]} columns their headings
 * @property {number} own how many of them, from the first one on, came with a table of somebody:
 *   the others are left out of a file while they are empty
 * @property {Record<Use, number>} uses the number of the column that fills it; -1: none
 * @property {Row[]} rows
 * @property {string} colour of fronts that have none of their own
 * @property {Side} back
 */

/** How many empty rows a new deck has. */
const FIRST = 3;

/**
 * Returns a deck with empty rows.
 * @param {string} name
 * @param {Record<Use, string>} headings of the columns
 * @returns {Deck}
 */
export function newDeck(name, headings) {
  const columns = USES.map((use) => headings[use]);
  const uses = /** @type {Record<Use, number>} */ (
    Object.fromEntries(USES.map((use, i) => [use, i])));
  return {
    name, width: 63.5, height: 88.9, columns, own: 0, uses,
    rows: Array.from({ length: FIRST }, () => columns.map(() => '')),
    colour: '#e9e2d0', back: { colour: '#2f5d50', text: '', picture: '' },
  };
}

/** Returns what a row has for something. @param {Deck} deck @param {Row} row @param {Use} use */
export const cell = ({ uses }, row, use) => (row[uses[use]] ?? '').trim();

/** Returns whether nothing stands in a row. @param {Row} row */
export const isEmpty = (row) => row.every((text) => text.trim() === '');

/** Returns the rows in which something stands. @param {Deck} deck */
export const filled = (deck) => deck.rows.filter((row) => !isEmpty(row));

/**
 * Returns how many cards a row stands for: 1 if it does not say, NaN if that is no number.
 * @param {Deck} deck
 * @param {Row} row
 */
export function countOf(deck, row) {
  const text = cell(deck, row, 'count');
  if (text === '') return 1;
  const [, digits = ''] = /^[x×]?\s*(\d+)(?:[.,]0+)?\s*[x×]?$/i.exec(text) ?? [];
  return digits !== '' && Number(digits) <= MOST_COUNT ? Number(digits) : Number.NaN;
}

/** How many cards a deck has. What is no number counts as none. @param {Deck} deck */
export const size = (deck) =>
  filled(deck).reduce((sum, row) => sum + (countOf(deck, row) || 0), 0);

/** Names of colours that people write into spreadsheets. */
const COLOURS = /** @type {Record<string, string>} */ ({
  black: '#1d1b19', white: '#ffffff', grey: '#8a8578', gray: '#8a8578', silver: '#c3c3c3',
  red: '#b5342c', crimson: '#a01c3c', pink: '#e59bb0', orange: '#d9822b', brown: '#6b4a34',
  yellow: '#efc93d', gold: '#c9a227', green: '#3f7d43', lime: '#9bc53d', teal: '#2f7f7a',
  turquoise: '#3fb0ac', cyan: '#4fb3d4', blue: '#2f5f9f', navy: '#1f3357', purple: '#6d3f86',
  violet: '#7f5aa8', magenta: '#b03a8c', beige: '#e9dcc0', cream: '#f6efe0',
});

/**
 * Reads a colour: "#b5342c", "b5342c", "#b53" or a name. Null if it is none.
 * @param {string} text
 */
export function readColour(text) {
  const is = text.trim().toLowerCase();
  const [, digits = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(is) ?? [];
  if (digits.length === 6) return `#${digits}`;
  if (digits) return `#${[...digits].map((d) => d + d).join('')}`;
  return Object.hasOwn(COLOURS, is) ? COLOURS[is] : null;
}

/** The columns of a row that hold something which cannot be. @typedef {'count'|'colour'} Wrong */

/** Returns what of a row cannot be. @param {Deck} deck @param {Row} row @returns {Wrong[]} */
export function wrongIn(deck, row) {
  if (isEmpty(row)) return [];
  const colour = cell(deck, row, 'colour');
  /** @type {Wrong[]} */
  const wrong = [];
  if (Number.isNaN(countOf(deck, row))) wrong.push('count');
  if (colour && readColour(colour) === null) wrong.push('colour');
  return wrong;
}

/** Adds an empty row. @param {Deck} deck @param {number} [at] its number; at the end */
export function addRow(deck, at = deck.rows.length) {
  const row = deck.columns.map(() => '');
  deck.rows.splice(at, 0, row);
  return row;
}

/** Removes a row; there is always one. @param {Deck} deck @param {Row} row */
export function removeRow(deck, row) {
  deck.rows = deck.rows.filter((one) => one !== row);
  if (deck.rows.length === 0) addRow(deck);
}

/**
 * Moves a row up or down, past its neighbour. Returns whether it has moved.
 * @param {Deck} deck
 * @param {Row} row
 * @param {1|-1} by
 */
export function moveRow({ rows }, row, by) {
  const at = rows.indexOf(row);
  const to = at + by;
  if (at < 0 || to < 0 || to >= rows.length) return false;
  [rows[at], rows[to]] = [rows[to], rows[at]];
  return true;
}

/** Why a table cannot be used. @typedef {'empty'|'rows'|'columns'} Unfit */

/**
 * Writes a block of cells into the rows, from a cell on. Rows are added as needed, and columns.
 * @param {Deck} deck
 * @param {number} row its number
 * @param {number} column
 * @param {string[][]} block
 * @param {(n: number) => string} heading of a further column, by its number
 * @returns {Unfit|null} why nothing was written
 */
export function pasteBlock(deck, row, column, block, heading) {
  const width = Math.max(0, ...block.map((cells) => cells.length));
  if (width === 0) return 'empty';
  if (row + block.length > MOST_ROWS) return 'rows';
  if (column + width > MOST_COLUMNS) return 'columns';
  while (deck.columns.length < column + width) addColumn(deck, heading(deck.columns.length + 1));
  block.forEach((cells, i) => {
    const into = deck.rows[row + i] ?? addRow(deck);
    cells.forEach((text, n) => {
      into[column + n] = text.trim();
    });
  });
  return null;
}

/** @param {Deck} deck @param {string} heading */
function addColumn(deck, heading) {
  deck.columns.push(heading);
  for (const row of deck.rows) row.push('');
}

/** Headings of columns in spreadsheets, by what the column fills. */
const HEADINGS = /** @type {Record<Use, string[]>} */ ({
  name: ['name', 'card', 'cardname', 'karte', 'kartenname', 'nom', 'nombre', 'nome'],
  count: [
    'howmany', 'count', 'qty', 'quantity', 'copies', 'amount', 'anzahl', 'menge', 'quantite',
    'cantidad',
  ],
  title: ['title', 'heading', 'caption', 'titel', 'titre', 'titulo'],
  text: [
    'text', 'description', 'effect', 'rules', 'rulestext', 'ability', 'body', 'beschreibung',
    'effekt', 'texte', 'texto',
  ],
  colour: ['colour', 'color', 'background', 'farbe', 'couleur'],
  picture: [
    'picture', 'image', 'art', 'file', 'filename', 'photo', 'illustration', 'front', 'bild',
    'imagen', 'img',
  ],
});

/** Returns a heading without what does not matter. @param {string} heading */
const plain = (heading) => heading.normalize('NFD').toLowerCase()
  .replace(/[\s_.:\-()\p{M}]/gu, '');

/**
 * Returns the column that a heading of a table seems to name.
 * @param {string} heading
 * @returns {Use|undefined}
 */
const guess = (heading) => USES.find((use) => HEADINGS[use].includes(plain(heading)));

/**
 * Returns whether one of the names of columns in the first row of a table is known.
 * @param {string[][]} table
 * @param {Deck} deck
 */
export function knowsHeadings([first = []], { columns }) {
  const known = new Set(columns.map(plain));
  return first.some((text) => guess(text) || known.has(plain(text)));
}

/**
 * Returns whether the first row of a table has the names of its columns: one of them is known, or
 * each of them is different and none is a number.
 * @param {string[][]} table
 * @param {Deck} deck
 */
export function hasHeadings(table, deck) {
  const [first = [], ...rest] = table;
  if (knowsHeadings(table, deck)) return true;
  const isWord = (/** @type {string} */ text) => text.trim() !== '' && Number.isNaN(Number(text));
  return rest.length > 0 && first.length > 1 && first.every(isWord) &&
    new Set(first.map(plain)).size === first.length;
}

/**
 * Puts the rows of a table, such as of a CSV, into the place of those of a deck. What the columns
 * mean stays, as far as they have the same headings; so does what the table does not have, of rows
 * with the same name.
 * @param {Deck} deck
 * @param {string[][]} table
 * @param {Record<Use, string>} headings of columns that it lacks
 * @param {(n: number) => string} heading of a column that has none, by its number
 * @param {boolean} [isHeaded] whether its first row has the names of its columns
 * @returns {Unfit|null} why the deck is as it was
 */
export function readTable(deck, table, headings, heading, isHeaded = hasHeadings(table, deck)) {
  if (table.length === 0) return 'empty';
  const body = isHeaded ? table.slice(1) : table;
  const width = Math.max(...table.map((cells) => cells.length));
  if (body.length === 0) return 'empty';
  if (body.length > MOST_ROWS) return 'rows';
  if (width > MOST_COLUMNS - USES.length) return 'columns';
  const columns = Array.from({ length: width }, (_, i) =>
    (isHeaded && table[0][i]?.trim()) || (isHeaded ? heading(i + 1) : headings[USES[i]]) ||
    heading(i + 1));
  const before = { ...deck };
  const uses = usesOf(before, columns);
  const own = width;
  for (const use of /** @type {const} */ (['count', 'picture', 'colour', 'text']))
    if (uses[use] < 0 && !isUnused(before, use, columns))
      uses[use] = columns.push(headings[use]) - 1;
  const rows = body.map((cells) => columns.map((_, i) => (cells[i] ?? '').trim()));
  Object.assign(deck, { columns, own, uses, rows });
  keepOf(before, deck);
  return null;
}

/**
 * Returns whether somebody has chosen that nothing fills it, although there is a column for it.
 * @param {Deck} deck
 * @param {Use} use
 * @param {string[]} columns
 */
const isUnused = (deck, use, columns) => deck.uses[use] < 0 &&
  deck.columns.map(plain).join() === columns.slice(0, deck.columns.length).map(plain).join();

/**
 * Returns what the columns of a table mean.
 * @param {Deck} before
 * @param {string[]} columns
 * @returns {Record<Use, number>}
 */
function usesOf(before, columns) {
  const at = columns.map(plain);
  const was = before.columns.map(plain);
  const uses = /** @type {Record<Use, number>} */ ({});
  const taken = new Set();
  for (const use of USES) {
    const old = was[before.uses[use]];
    let found = old === undefined ? -1 : at.indexOf(old);
    // what somebody has left out on purpose stays out
    if (found < 0)
      found = columns.findIndex((text, i) => guess(text) === use && !taken.has(i) &&
        !(before.uses[use] < 0 && was.includes(at[i])));
    uses[use] = found;
    taken.add(found);
  }
  if (uses.name < 0) uses.name = Math.max(0, columns.findIndex((_, i) => !taken.has(i)));
  if (uses.title < 0 && !(before.uses.title < 0)) uses.title = uses.name;
  return uses;
}

/**
 * Gives rows what a new table has no column for, from the old rows with the same name.
 * @param {Deck} before
 * @param {Deck} deck
 */
function keepOf(before, deck) {
  const lacking = USES.filter((use) => deck.uses[use] >= deck.own && before.uses[use] >= 0);
  if (lacking.length === 0) return;
  /** @type {Map<string, Row[]>} */
  const old = new Map();
  for (const row of filled(before)) {
    const name = cell(before, row, 'name').toLowerCase();
    old.set(name, [...(old.get(name) ?? []), row]);
  }
  for (const row of deck.rows) {
    const same = old.get(cell(deck, row, 'name').toLowerCase());
    if (!same || same.length === 0) continue;
    const from = same.length > 1 ? /** @type {Row} */ (same.shift()) : same[0];
    for (const use of lacking) row[deck.uses[use]] = cell(before, from, use);
  }
}

/**
 * Returns the rows as a table with its headings. Columns that came with nobody's table are left out
 * while they are empty.
 * @param {Deck} deck
 * @returns {string[][]}
 */
export function tableOf(deck) {
  const rows = filled(deck);
  const isKept = (/** @type {number} */ i) => i < deck.own || i === deck.uses.name ||
    rows.some((row) => (row[i] ?? '').trim() !== '');
  const kept = deck.columns.map((_, i) => i).filter(isKept);
  return [deck.columns, ...rows].map((row) => kept.map((i) => row[i] ?? ''));
}

/** Returns a name of a file without folders and its ending, in small letters. @param {string} s */
export const baseOf = (s) => s.trim().replace(/^.*[/\\]/, '').replace(/\.[a-z0-9]{1,5}$/i, '')
  .toLowerCase();

/**
 * Returns the column for pictures, and adds one if there is none.
 * @param {Deck} deck
 * @param {string} heading
 */
function pictureColumn(deck, heading) {
  if (deck.uses.picture < 0) {
    addColumn(deck, heading);
    deck.uses.picture = deck.columns.length - 1;
  }
  return deck.uses.picture;
}

/**
 * Gives a row a picture, and a name if it has none.
 * @param {Deck} deck
 * @param {Row} row
 * @param {string} name of the picture
 * @param {string} heading of a column for it, if there is none
 */
export function setPicture(deck, row, name, heading) {
  row[pictureColumn(deck, heading)] = name;
  if (cell(deck, row, 'name') === '') row[deck.uses.name] = nameOf(name);
}

/**
 * Returns a name for a picture that none of those with which it comes has: files of two folders may
 * be called the same.
 * @param {string} name
 * @param {string[]} others
 */
export function freeFile(name, others) {
  const taken = new Set(others.map((other) => other.toLowerCase()));
  const base = nameOf(name);
  let own = name;
  for (let n = 2; taken.has(own.toLowerCase()); n++)
    own = `${base} ${n}${name.slice(base.length)}`;
  return own;
}

/** Returns the name of a file without its ending. @param {string} name */
const nameOf = (name) => name.replace(/\.[a-z0-9]{1,5}$/i, '');

/** Returns the rows that have no picture. @param {Deck} deck */
export const lackPicture = (deck) =>
  filled(deck).filter((row) => cell(deck, row, 'picture') === '');

/**
 * Gives pictures to the rows. Rows that name one have it already; the others go to rows without a
 * picture, in order, or else each gets a row of its own.
 * @param {Deck} deck
 * @param {{name: string, count: number}[]} pictures
 * @param {boolean} inOrder whether they go to rows without a picture, as far as there are some
 * @param {string} heading of a column for them, if there is none
 */
export function takePictures(deck, pictures, inOrder, heading) {
  const column = pictureColumn(deck, heading);
  const named = new Set(deck.rows.map((row) => baseOf(cell(deck, row, 'picture'))));
  const lacking = inOrder ? lackPicture(deck) : [];
  for (const { name, count } of pictures) {
    if (named.has(baseOf(name))) continue;
    const given = lacking.shift();
    if (given) {
      given[column] = name;
      continue;
    }
    const row = deck.rows.find(isEmpty) ?? addRow(deck);
    row[column] = name;
    row[deck.uses.name] = nameOf(name);
    if (count > 1 && deck.uses.count >= 0) row[deck.uses.count] = String(count);
  }
}
