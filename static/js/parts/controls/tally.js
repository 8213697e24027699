// Says at the pointer how many pieces a drag takes along, before anything moves, and how many a
// selection frame has in it. Meanwhile all of these pieces are drawn lifted.

import { el, setText } from '../../view/dom.js';
import { msg } from './msg.js';
import { drawWithBars } from '../../bars/state.js';
import { eachFrame } from '../../view/state.js';

/** @typedef {import('../../state.js').State} State */

/** How far beside the pointer the number stands, in px, and how much room it needs there. */
const BESIDE = 16;
const ROOM = { w: 96, h: 40 };

/**
 * Returns the number to show and where the pointer is; null if there is none to show.
 * @param {State} s
 * @returns {{n: number, x: number, y: number}|null}
 */
export function tallyOf({ input }) {
  const { carry, band, poised, selection } = input;
  if (band) return { n: selection.size, x: band.x1, y: band.y1 };
  if (carry?.by === 'pointer') return many(carry.from.size, carry.px, carry.py);
  return poised && many(poised.n, poised.x, poised.y);
}

/** @param {number} n @param {number} x @param {number} y */
const many = (n, x, y) => (n > 1 ? { n, x, y } : null);

/**
 * Draws the number. Screen readers learn it from the selection itself.
 * @param {State} s
 */
export function bindTally(s) {
  const badge = el('div', { class: 'tally', 'aria-hidden': 'true', hidden: true });
  s.page.band.after(badge);
  const place = () => {
    const now = tallyOf(s);
    if (!now || badge.hidden) return false;
    const { innerWidth: w, innerHeight: h } = window;
    const x = now.x + BESIDE + ROOM.w > w ? now.x - BESIDE - ROOM.w : now.x + BESIDE;
    const y = now.y - BESIDE - ROOM.h < 0 ? now.y + BESIDE : now.y - BESIDE - ROOM.h;
    badge.style.transform = `translate(${x}px, ${Math.min(y, h - ROOM.h)}px)`;
    return false; // whoever moves the pointer asks for the next frame
  };
  drawWithBars(s, () => {
    const now = tallyOf(s);
    s.page.main.classList.toggle('poised', s.input.poised !== null);
    badge.hidden = now === null;
    if (now) setText(badge, msg('controls.tally', { n: now.n }));
  });
  eachFrame(s, place);
}
