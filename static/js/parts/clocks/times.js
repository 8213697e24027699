// Clocks in words: what they show, and which side is which.

import { kindOf } from '../../view/catalog.js';
import { sideAt, sideThatRuns } from '../../sync/curves.js';
import { msg } from './msg.js';
import { turned } from '../../view/geometry.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */

/**
 * Returns what a clock shows now, in words; nothing for any other piece.
 * @param {State} s
 * @param {Piece} piece
 */
export function timesOf(s, piece) {
  const kind = kindOf(s, piece).clock;
  if (!kind) return [];
  const running = sideThatRuns(piece);
  return kind.displays.map((_, i) => {
    const ms = sideAt(piece, i + 1, s.net.serverNow());
    const time = timeOf(
      Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60,
    );
    const said = running === i + 1 ? msg('clocks.runs', { time }) : time;
    return kind.displays.length === 2
      ? msg('clocks.side', { side: sideName(s, piece, i + 1), says: said })
      : said;
  });
}

/** Returns a time in words. @param {number} h @param {number} m @param {number} s */
function timeOf(h, m, s) {
  return [
    h > 0 && msg('clocks.hours', { n: h }),
    m > 0 && msg('clocks.minutes', { n: m }),
    (s > 0 || h + m === 0) && msg('clocks.seconds', { n: s }),
  ].filter(Boolean).join(' ');
}

/**
 * Returns the name of a side of a two-sided clock as this person sees it; '' for other clocks.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} side
 */
export function sideName(s, piece, side) {
  const position = positionOf(s, piece, side);
  return position && msg(`clocks.sides.${position}`);
}

/**
 * Returns where a side of a two-sided clock is as this person sees it; '' for other clocks.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} side
 * @returns {'upper'|'lower'|'left'|'right'|''}
 */
export function positionOf(s, piece, side) {
  const displays = kindOf(s, piece).clock?.displays ?? [];
  if (displays.length < 2) return '';
  const [own, other] = side === 1 ? displays : [displays[1], displays[0]];
  const dx = own.x + own.width / 2 - other.x - other.width / 2;
  const dy = own.y + own.height / 2 - other.y - other.height / 2;
  const v = turned(dx, dy, piece.angle / 100 + s.view.camera.turn);
  if (Math.abs(v.x) > Math.abs(v.y)) return v.x < 0 ? 'left' : 'right';
  return v.y < 0 ? 'upper' : 'lower';
}
