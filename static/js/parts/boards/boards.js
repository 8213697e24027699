// The part of the page for boards: pieces whose kind has a grid. What is put down near a cell snaps
// into its middle, cells have names, and what is captured goes to a tray. It is loaded with the
// first board on the table. The server knows nothing of all that, except the cells of racks: it
// gets ordinary updates.

import { change, refusal } from '../../input/ops.js';
import { onEvent } from '../../listeners.js';
import { takerOf } from '../../sync/kinds.js';
import { kindOf } from '../../view/catalog.js';
import { nameOf, the } from '../../view/describe.js';
import { turned } from '../../view/geometry.js';
import { eachFrame, invalidate } from '../../view/state.js';
import { beside, isCell, middleOf, nameOfCell, placeAt } from './cells.js';
import { drawMarks, forgetMarks } from './marks.js';
import { msg } from './msg.js';
import { orderPieces } from './reading.js';
import { cellTyped, nextOnBoard } from './walk.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./cells.js').Place} Place */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** The kind of a piece with a grid or snap points. @typedef {Kind} BoardKind */
/** A cell of a board. @typedef {{board: Piece, kind: BoardKind, place: Place}} Cell */

/** Says something to screen readers. @type {(text: string) => void} */
let whisper = () => {};

/**
 * Describes all pieces again, now with the names of their cells.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  whisper = voice.whisper;
  let ordered = '';
  eachFrame(s, () => {
    const { moving, drawn, camera } = s.view;
    const now = `${drawn} ${camera.turn}`;
    if (moving.size > 0 || s.input.carry || now === ordered) return false;
    ordered = now;
    const boards = boardsOn(s);
    orderPieces(s, (piece) => cellName(s, piece, boards) !== '');
    return false;
  });
  for (const id of s.view.shown.keys()) invalidate(s, id);
  s.redraw();
  onEvent(s, ({ type }) => {
    if (type === 'rewound') forgetMarks(); // it was another game
  });
  return forgetMarks;
}

export { forgetMarks };

/**
 * Returns the cell on which a point lies, of the uppermost board there.
 * @param {State} s
 * @param {Point} at
 * @param {Piece[]} [boards] the boards, the uppermost first, for whoever asks often
 * @returns {Cell|null}
 */
export function cellAt(s, at, boards = boardsOn(s)) {
  const cell = gridAt(s, at, boards);
  return cell && isCell(cell.kind, cell.place) ? cell : null;
}

/**
 * The same, also where the grid has no cell.
 * @param {State} s
 * @param {Point} at
 * @param {Piece[]} [boards]
 */
function gridAt(s, at, boards = boardsOn(s)) {
  for (const board of boards) {
    const kind = kindOf(s, board);
    const place = placeAt(kind, board, at);
    if (place) return { board, kind, place };
  }
  return null;
}

/** Returns the name of the cell at a place, or ''. @param {State} s @param {Point} at */
export function nameAt(s, at) {
  return cellName(s, at);
}

/** Returns the boards on the table, the uppermost first. @param {State} s */
function boardsOn(s) {
  return [...s.view.boards]
    .flatMap((id) => s.sync.pieces.get(id) ?? [])
    .sort((a, b) => s.view.order.rank(b.id) - s.view.order.rank(a.id));
}

/**
 * Returns the name of the cell on which a point lies; empty if it has none.
 * @param {State} s
 * @param {Point} at
 * @param {Piece[]} [boards]
 */
function cellName(s, at, boards) {
  const cell = cellAt(s, at, boards);
  return cell ? nameOfCell(cell.kind, cell.place) : '';
}

/**
 * Returns what to say of a place on a board: the name of its cell, or that it is in a tray; empty
 * if there is nothing to say.
 * @param {State} s
 * @param {Point} at
 */
export function placeName(s, at) {
  return cellName(s, at) || (cellAt(s, at)?.kind.grid?.tray ? msg('boards.inTray') : '');
}

/**
 * Returns the next piece on the board on which a piece lies, in a direction as this person sees the
 * table; 0 if there is none.
 * @param {State} s
 * @param {Piece} from
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 */
export function neighbour(s, from, dx, dy) {
  const cell = kindOf(s, from).weight === 'light' ? cellAt(s, from) : null;
  return cell ? nextOnBoard(s, cell, dx, dy) : 0;
}

/**
 * Returns which cell somebody means who types a name, as cellTyped does.
 * @param {State} s
 * @param {string} text
 */
export function typed(s, text) {
  return cellTyped(s, boardsOn(s), text);
}

/** Says what the beginning of a name waits for. @param {string} letter @param {Voice} voice */
export function sayTyped(letter, voice) {
  voice.notice(msg('boards.typed', { text: letter.toUpperCase() }));
}

/** Says that nothing stands on a cell. @param {string} name @param {Voice} voice */
export function sayEmpty(name, voice) {
  voice.notice(msg('boards.empty', { name }));
}

/**
 * Returns the place of a piece that is put down: the middle of a cell. A piece that goes into a
 * hand or a container does not snap, unless that hand is a rack with cells (T96.11), and neither
 * does a heavy one or one that is too large.
 * @param {State} s
 * @param {Piece} piece
 * @param {Point} at where it is put down
 * @returns {Point|null} null if it does not snap
 */
export function snapped(s, piece, at) {
  if (kindOf(s, piece).weight === 'heavy') return null;
  const taker = takerOf(s, { ...piece, ...at }, 'release');
  const cell = cellAt(s, at);
  const rack = cell?.kind.rack ? cell.board.owner : 0;
  if (taker && (taker.into !== 0 || taker.owner !== rack)) return null;
  if (!taker && piece.owner !== 0) return null; // it stays in its hand
  return cell && fits(kindOf(s, piece), cell) ? middleOf(cell.kind, cell.board, cell.place) : null;
}

/**
 * Returns whether a piece is small enough for a cell. Pieces may overlap their neighbours a little.
 * @param {Kind} kind
 * @param {Cell} cell
 */
function fits({ width, height }, { kind: { grid } }) {
  if (!grid) return true;
  return width <= 2 * grid.stepX && height <= 2 * grid.stepY;
}

/**
 * Returns the middle of the place beside a point of a board, in a direction as this person sees the
 * table.
 * @param {State} s
 * @param {Point} at
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @returns {Point|null} null if the point lies on no board, or at its edge
 */
export function nextTo(s, at, dx, dy) {
  const cell = gridAt(s, at);
  if (!cell) return null;
  const { board, kind, place } = cell;
  const next = beside(kind, place, dx, dy, board.angle / 100 + s.view.camera.turn);
  return next && middleOf(kind, board, next);
}

/**
 * This person is about to put a piece down. If pieces are captured on the board there, what else
 * lies in the cell goes to a tray. That is sent before the release, and belongs to its gesture
 * (T62): one undo takes both back.
 * @param {State} s
 * @param {Piece} piece held
 * @param {Point} at where it comes to lie
 * @param {Map<number, Point>} from where it and what is put down with it lay
 */
export function capture(s, piece, at, from) {
  const cell = cellAt(s, at);
  const before = from.get(piece.id);
  if (!cell?.kind.grid?.captures || !before || !isIn(cell, at)) return;
  if (isSame(cell, cellAt(s, before)) || takerOf(s, { ...piece, ...at }, 'release')) return;
  const free = freeCells(s);
  for (const p of lightPieces(s)) {
    if (from.has(p.id) || !isSame(cell, cellAt(s, p)) || p.holder || refusal(s, p, 'move'))
      continue;
    const { value } = free.next();
    if (!value) return; // it stays below
    change(s, p.id, 'move', value);
    whisper(msg('boards.took', { what: the(nameOf(s, piece)), taken: the(nameOf(s, p)) }));
  }
}

/**
 * This person has put pieces down. The cells of each that has snapped to another cell are marked.
 * @param {State} s
 * @param {Map<number, Point>} from where the pieces lay
 */
export function noteDropped(s, from) {
  for (const [id, before] of from) {
    const piece = s.sync.pieces.get(id);
    const cell = piece && cellAt(s, piece);
    if (cell && isIn(cell, piece)) mark(s, before, piece);
  }
}

/** Returns whether a piece lies in the middle of a cell. @param {Cell} cell @param {Point} at */
function isIn({ kind, board, place }, { x, y }) {
  const middle = middleOf(kind, board, place);
  return middle.x === x && middle.y === y;
}

/**
 * Somebody has moved a piece: its cells are marked.
 * @param {State} s
 * @param {Piece} before
 * @param {Piece} after
 * @returns {{from: string, to: string}|null} the names of the cells; null if it has not moved
 */
export function noteMoved(s, before, after) {
  if (before.x === after.x && before.y === after.y) return null;
  mark(s, before, after);
  return { from: cellName(s, before), to: cellName(s, after) };
}

/**
 * Marks the cells of the last move to a cell of a board: of one that began elsewhere, such as in a
 * bowl, that cell alone.
 * @param {State} s
 * @param {Point} from
 * @param {Point} to
 */
function mark(s, from, to) {
  const a = cellAt(s, from);
  const b = cellAt(s, to);
  if (!b || b.kind.grid?.tray || b.kind.rack || isSame(a, b)) return;
  const begun = a?.board.id === b.board.id ? [a.place] : [];
  drawMarks(s, b.board.id, b.kind, [...begun, b.place]);
}

/** @param {Cell|null} a @param {Cell|null} b */
function isSame(a, b) {
  return (
    a !== null && b !== null && a.board.id === b.board.id &&
    a.place.column === b.place.column && a.place.row === b.place.row
  );
}

/** @param {State} s */
function lightPieces(s) {
  return [...s.sync.pieces.values()].filter((p) => kindOf(s, p).weight === 'light');
}

/**
 * Returns the free cells of the trays: first those of the tray that is nearest to this person, of
 * two the right one.
 * @param {State} s
 * @returns {Generator<Point, undefined>}
 */
function* freeCells(s) {
  const trays = boardsOn(s)
    .filter((p) => kindOf(s, p).grid?.tray)
    .map((board) => ({ board, v: turned(board.x, board.y, s.view.camera.turn) }))
    .sort((a, b) => b.v.y - a.v.y || b.v.x - a.v.x);
  for (const { board } of trays) {
    const kind = kindOf(s, board);
    const { columns = 0, rows = 0 } = kind.grid ?? {};
    const taken = new Set(
      lightPieces(s).map((p) => JSON.stringify(placeAt(kind, board, p))),
    );
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const place = { column, row };
        if (isCell(kind, place) && !taken.has(JSON.stringify(place)))
          yield middleOf(kind, board, place);
      }
  }
  return undefined;
}
