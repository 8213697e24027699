// Marks the two cells of the last move on a board. The marks are children of the board, so that
// they lie below all pieces and move and turn with it.

import { el } from '../../view/dom.js';
import { UNITS } from '../../view/geometry.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./cells.js').Place} Place */

/** The marks that are shown. @type {HTMLElement[]} */
let shown = [];

/**
 * Marks some places of a board, and nothing else.
 * @param {State} s
 * @param {number} id the board
 * @param {import('./boards.js').BoardKind} kind
 * @param {Place[]} places the last one is where the piece lies now
 */
export function drawMarks(s, id, { grid }, places) {
  forgetMarks();
  const board = s.view.shown.get(id);
  if (!board || !grid) return;
  const mm = (/** @type {number} */ units) => `${units / UNITS}px`;
  shown = places.map(({ column, row }, i) => {
    const e = el('span', {
      class: i < places.length - 1 ? 'last-move begun' : 'last-move', 'aria-hidden': 'true',
    });
    e.style.left = mm(grid.x + (column - 0.5) * grid.stepX);
    e.style.top = mm(grid.y + (row - 0.5) * grid.stepY);
    e.style.width = mm(grid.stepX);
    e.style.height = mm(grid.stepY);
    return e;
  });
  board.el.append(...shown);
}

/** Removes the marks. */
export function forgetMarks() {
  for (const e of shown) e.remove();
  shown = [];
}
