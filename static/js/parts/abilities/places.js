// What belongs to a seat of the game beside its hand (T92): a zone, a counter. The page shows whose
// it is: by a colour, by a name at the first piece of each seat, and in words.

import { css, inkOn } from '../../view/colour.js';
import { setText } from '../../view/dom.js';
import { drawLabel, drawTag } from '../../view/piece.js';
import { eachFrame } from '../../view/state.js';
import { nickOf } from '../../view/names.js';
import { seatAt } from '../../view/sides.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../view/catalog.js').Side} Side */

/** Keeps the marks of all these pieces up to date. @param {State} s */
export function bindPlaces(s) {
  eachFrame(s, () => {
    s.catalog.sides.forEach((side, i) => {
      if (!side.pieces) return;
      const seat = seatAt(s, i + 1);
      for (const id of side.pieces) mark(s, side, seat, id);
    });
    return false;
  });
  s.redraw();
}

/**
 * Marks a piece as that of a seat of the game, if it is not marked that way yet.
 * @param {State} s
 * @param {Side} side
 * @param {Seat|undefined} seat that has the side
 * @param {number} id
 */
function mark(s, side, seat, id) {
  const p = s.view.shown.get(id);
  const piece = s.sync.pieces.get(id);
  if (!p || !piece) return;
  const colour = seat ? css(seat.colour) : side.colour;
  const name = seat ? nickOf(s, seat.id) : side.name;
  const key = `${colour} ${name} ${seat?.id ?? 0}`;
  if (p.el.dataset.place === key) return;
  p.el.dataset.place = key;
  p.el.style.setProperty('--place', colour);
  drawLabel(s, p, piece);
  if (side.pieces?.[0] !== id) return;
  drawTag(s, p, 'place', name);
  const tag = /** @type {HTMLElement|null} */ (p.el.querySelector(':scope > .place'));
  if (!tag) return;
  tag.style.background = colour;
  tag.style.color = inkOn(colour);
  tag.classList.toggle('free', !seat);
  setText(tag, seat?.id === s.sync.you ? msg('abilities.place.you') : name);
}

/**
 * What a screen reader says of a piece that belongs to a seat of the game.
 * @param {State} s
 * @param {Piece} piece
 * @returns {string[]}
 */
export function saysOfPlace(s, { id }) {
  const i = s.catalog.sides.findIndex(({ pieces }) => pieces?.includes(id));
  if (i < 0) return [];
  const seat = seatAt(s, i + 1);
  if (!seat) return [msg('abilities.place.isFree', { name: s.catalog.sides[i].name })];
  return [
    seat.id === s.sync.you
      ? msg('abilities.place.isYours')
      : msg('abilities.place.isOf', { nick: nickOf(s, seat.id) }),
  ];
}
