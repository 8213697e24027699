// Pieces in words: what they are, what stands on them or lies in them, who has them, where they lie.

import { faceAt, kindAt } from './catalog.js';
import { reading, UNSET } from './clock.js';
import { UNITS, turned } from './geometry.js';
import { holdingsOf } from './holdings.js';
import { written } from './inscription.js';
import { countIn, isInMyHand, isMine } from './state.js';
import { strings } from './strings.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Piece} Piece */

/**
 * The name of what a piece shows.
 * @param {State} s @param {Piece} piece
 */
export function nameOf(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  if (k.hand) return handName(s, piece);
  const face = faceAt(k, piece.face);
  if (!k.name) return strings.piece.unknown;
  const plain = !face.name || face.name === k.name || (k.faces.length === 1 && !s.catalog.masks.has(piece.kind));
  return plain ? k.name : strings.piece.showing(k.name, face.name);
}

/** The nick of a seat. @param {State} s @param {number} seat */
export function nickOf(s, seat) {
  return s.sync.seats.get(seat)?.nick ?? strings.somebody;
}

/**
 * A piece in words, short: name, what keeps it, where it lies.
 * @param {State} s @param {Piece} piece @param {number} height
 */
export function describe(s, piece, height) {
  const t = strings.piece;
  const parts = [nameOf(s, piece), ...timesOf(s, piece), ...saysOf(s, piece)];
  if (height > 1) parts.push(t.topOf(height));
  if (piece.holder) parts.push(piece.holder === s.sync.you ? t.heldByYou : t.heldBy(nickOf(s, piece.holder)));
  if (isInMyHand(s, piece)) parts.push(piece.owner === s.sync.you ? t.inYourHand : t.inHandOf(nickOf(s, piece.owner)));
  if (piece.locked) parts.push(t.locked);
  else if (piece.pinned) parts.push(t.pinned);
  if (s.waiting.has(piece.id)) parts.push(t.pending);
  const angle = (piece.angle + s.view.turn * 100) % 36000; // as this person sees it
  if (angle !== 0) parts.push(t.turned(Math.round(angle / 100)));
  parts.push(placeOf(s, piece));
  return parts.join(', ');
}

/** What stands on a piece or lies in it, in words. @param {State} s @param {Piece} piece */
function saysOf(s, piece) {
  const t = strings.piece;
  const k = kindAt(s.catalog, piece.kind);
  const parts = [holdingsOf(s, piece)];
  if (k.counter || k.currency) parts.push(t.worth(piece.value ?? 0));
  if (k.text) parts.push(piece.text ? t.says(piece.text.replaceAll('\n', ' ')) : t.blank);
  if (k.seat) parts.push(piece.owner === 0 ? t.nobodys : piece.owner === s.sync.you ? t.yours : t.ownedBy(nickOf(s, piece.owner)));
  if (k.hand) {
    const team = teamOf(s, piece);
    if (team.length > 0) parts.push(t.sharedWith(team));
    const sum = sumIn(s, piece);
    if (sum > 0) parts.push(t.sum(sum));
  }
  return parts.filter(Boolean);
}

/** What a clock shows now, in words; nothing of any other piece. @param {State} s @param {Piece} piece */
function timesOf(s, piece) {
  const kind = kindAt(s.catalog, piece.kind).clock;
  if (!kind) return [];
  const clock = piece.clock ?? UNSET;
  const t = strings.clock;
  return kind.displays.map((_, i) => {
    const ms = reading(kind, clock, i + 1, s.serverNow());
    const time = t.time(Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60);
    const said = clock.running === i + 1 ? t.runs(time) : t.stands(time);
    return kind.displays.length === 2 ? t.side(sideName(s, piece, i + 1), said) : said;
  });
}

/**
 * Where a side of a clock with two sides is as this person sees it.
 * @param {State} s @param {Piece} piece @param {number} side
 */
export function sideName(s, piece, side) {
  const displays = kindAt(s.catalog, piece.kind).clock?.displays ?? [];
  if (displays.length < 2) return '';
  const [own, other] = side === 1 ? displays : [displays[1], displays[0]];
  const dx = own.x + own.width / 2 - other.x - other.width / 2;
  const dy = own.y + own.height / 2 - other.y - other.height / 2;
  const v = turned(dx, dy, piece.angle / 100 + s.view.turn);
  const t = strings.clock.sides;
  if (Math.abs(v.x) > Math.abs(v.y)) return v.x < 0 ? t.left : t.right;
  return v.y < 0 ? t.upper : t.lower;
}

/**
 * Where a piece lies as this person sees the table.
 * @param {State} s @param {{x: number, y: number}} at
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

/** What stands at a hand: whose it is, with whom it is shared, how many pieces lie in it. @param {State} s @param {Piece} piece */
export function handTag(s, piece) {
  const t = strings.holds;
  const name = piece.owner === 0 ? strings.piece.freeHandTag : handName(s, piece);
  const team = teamOf(s, piece);
  const n = piece.owner === 0 ? null : countIn(s, piece);
  const sum = sumIn(s, piece);
  return [team.length > 0 ? t.shared(name, team) : name, n ? t.number(n) : '', sum > 0 ? written(sum) : ''].filter(Boolean).join(' · ');
}

/** What the currency is worth that lies in a hand into which this person sees. @param {State} s @param {Piece} hand */
function sumIn(s, hand) {
  if (!isMine(s, hand)) return 0;
  let sum = 0;
  for (const p of s.sync.pieces.values()) {
    if (kindAt(s.catalog, p.kind).currency && p.owner === hand.owner && p.holder === 0) sum += p.value ?? 0;
  }
  return sum;
}

/** @param {State} s @param {Piece} piece */
function handName(s, piece) {
  if (piece.owner === 0) return strings.piece.freeHand;
  if (piece.owner === s.sync.you) return strings.piece.yourHand;
  return strings.piece.handOf(nickOf(s, piece.owner));
}

/** With whom a hand is shared. @param {State} s @param {Piece} piece */
function teamOf(s, { team = [] }) {
  return team.map((seat) => (seat === s.sync.you ? strings.you : nickOf(s, seat)));
}
