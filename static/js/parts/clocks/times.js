// Clocks in words: what they show, and which side is which.

import { kindAt } from '../../view/catalog.js';
import { reading, UNSET } from '../../sync/clock.js';
import { clockwords } from './words.js';
import { turned } from '../../view/geometry.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * Returns what a clock shows now, in words; nothing for any other piece.
 * @param {State} s
 * @param {Piece} piece
 */
export function timesOf(s, piece) {
  const kind = kindAt(s.catalog, piece.kind).clock;
  if (!kind) return [];
  const clock = piece.clock ?? UNSET;
  const t = clockwords;
  return kind.displays.map((_, i) => {
    const ms = reading(kind, clock, i + 1, s.serverNow());
    const time = t.time(
      Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60,
    );
    const said = clock.running === i + 1 ? t.runs(time) : t.stands(time);
    return kind.displays.length === 2 ? t.side(sideName(s, piece, i + 1), said) : said;
  });
}

/**
 * Returns the position of a side of a two-sided clock as this person sees it; '' for other clocks.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} side
 */
export function sideName(s, piece, side) {
  const displays = kindAt(s.catalog, piece.kind).clock?.displays ?? [];
  if (displays.length < 2) return '';
  const [own, other] = side === 1 ? displays : [displays[1], displays[0]];
  const dx = own.x + own.width / 2 - other.x - other.width / 2;
  const dy = own.y + own.height / 2 - other.y - other.height / 2;
  const v = turned(dx, dy, piece.angle / 100 + s.view.turn);
  const t = clockwords.sides;
  if (Math.abs(v.x) > Math.abs(v.y)) return v.x < 0 ? t.left : t.right;
  return v.y < 0 ? t.upper : t.lower;
}
