// Describes pieces in words: their names, the text on them, their contents, their holders and their
// places.

import { faceAt, kindAt } from './catalog.js';
import { UNITS, turned } from './geometry.js';
import { isInMyHand } from '../state.js';
import { strings } from '../strings.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/** Returns the name of what a piece shows. @param {State} s @param {Piece} piece */
export function nameOf(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  if (k.hand) return s.parts.cards?.handName(s, piece) ?? k.name;
  const face = faceAt(k, piece.face);
  if (!k.name) return strings.piece.unknown;
  const plain =
    !face.name ||
    face.name === k.name ||
    (k.faces.length === 1 && !s.catalog.masks.has(piece.kind));
  return plain ? k.name : strings.piece.showing(k.name, face.name);
}

/** Returns the nick of a seat. @param {State} s @param {number} seat */
export function nickOf(s, seat) {
  return s.sync.seats.get(seat)?.nick ?? strings.somebody;
}

/**
 * Describes a piece in a few words: its name, who holds it or what fixes it, and its place.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} height
 */
export function describe(s, piece, height) {
  const t = strings.piece;
  const parts = [
    nameOf(s, piece),
    ...(s.parts.clocks?.timesOf(s, piece) ?? []),
    ...saysOf(s, piece),
    ...(s.parts.marks?.saysOf(piece.id) ?? []),
    ...(s.parts.guests?.saysOfGuest(s, piece) ?? []),
  ];
  if (height > 1) parts.push(t.topOf(height));
  if (piece.holder)
    parts.push(piece.holder === s.sync.you ? t.heldByYou : t.heldBy(nickOf(s, piece.holder)));
  if (isInMyHand(s, piece))
    parts.push(piece.owner === s.sync.you ? t.inYourHand : t.inHandOf(nickOf(s, piece.owner)));
  if (piece.locked) parts.push(t.locked);
  else if (piece.pinned) parts.push(t.pinned);
  if (s.waiting.has(piece.id)) parts.push(t.pending);
  const angle = (piece.angle + s.view.turn * 100) % 36000; // the angle at which this person sees it
  if (angle !== 0) parts.push(t.turned(Math.round(angle / 100)));
  parts.push(placeOf(s, piece));
  return parts.join(', ');
}

/** Describes the text on a piece and its contents. @param {State} s @param {Piece} piece */
function saysOf(s, piece) {
  const t = strings.piece;
  const k = kindAt(s.catalog, piece.kind);
  const parts = [s.parts.cards?.holdingsOf(s, piece) ?? ''];
  if (k.counter || k.currency) parts.push(t.worth(piece.value ?? 0));
  if (k.text) parts.push(piece.text ? t.says(piece.text.replaceAll('\n', ' ')) : t.blank);
  if (k.seat)
    parts.push(
      piece.owner === 0
        ? t.nobodys
        : piece.owner === s.sync.you
          ? t.yours
          : t.ownedBy(nickOf(s, piece.owner)),
    );
  if (k.hand) parts.push(...(s.parts.cards?.saysOfHand(s, piece) ?? []));
  return parts.filter(Boolean);
}

/**
 * Describes the place of a piece as this person sees the table.
 * @param {State} s
 * @param {{x: number, y: number}} at
 */
export function placeOf(s, at) {
  const v = turned(at.x, at.y, s.view.turn);
  const cx = Math.round(v.x / (10 * UNITS));
  const cy = Math.round(v.y / (10 * UNITS));
  const t = strings.place;
  const across = cx < 0 ? t.left(-cx) : cx > 0 ? t.right(cx) : '';
  const along = cy < 0 ? t.up(-cy) : cy > 0 ? t.down(cy) : '';
  return across || along ? t.at(across, along) : t.middle;
}

/**
 * Formats a number with a thin space between thousands, from five digits on.
 * @param {number} value
 */
export function written(value) {
  const digits = String(Math.abs(value));
  const grouped = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, '\u2009') : digits;
  return value < 0 ? `\u2212${grouped}` : grouped;
}
