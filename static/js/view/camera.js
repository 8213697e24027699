// What the window shows: everything, the part where one plays, one's own side or a single piece.

import { kindOf } from './catalog.js';
import { isSmall, wantsStill } from './dom.js';
import { UNITS, clamp, toContent } from './geometry.js';
import { boxOf } from './piece.js';
import { turnOfSide } from './sides.js';
import { LEAST } from './zoom.js';

/** @typedef {import('../state.js').State} State */

/** The greatest scale to which a part of the table is enlarged so that it fills the window. */
const CLOSE = 2.5;

/**
 * Shows a part of the table as large as it fits, at a scale of at most CLOSE.
 * @param {State} s
 * @param {{left: number, top: number, right: number, bottom: number}} box in units
 */
function show(s, box) {
  const v = s.view.camera;
  v.live = null;
  const room = roomIn(s);
  const sideways = v.turn % 180 !== 0;
  const w = (sideways ? box.bottom - box.top : box.right - box.left) / UNITS;
  const h = (sideways ? box.right - box.left : box.bottom - box.top) / UNITS;
  v.scale = clamp(Math.min(room.w / Math.max(w, 1), room.h / Math.max(h, 1)), LEAST, CLOSE);
  const middle = toContent(v, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  v.sx = middle.x - (room.x + room.w / 2);
  v.sy = middle.y - (room.y + room.h / 2);
  s.view.dirtyCamera = true;
  s.redraw();
}

/** The part of the window that the bars leave free, in px of the window. @param {State} s */
function roomIn(s) {
  const small = isSmall();
  const top = small ? 60 : 68;
  const bottom = !small ? 88 : s.parts.cards?.isStripShown(s) ? 124 : 76;
  const side = small ? 10 : 32;
  return {
    x: side,
    y: top,
    w: Math.max(80, s.view.camera.w - 2 * side),
    h: Math.max(80, s.view.camera.h - top - bottom),
  };
}

/**
 * Shows everything. A large window shows the whole table. In a small window the whole table would
 * be too small to touch, so the window shows where this person plays. If it shows that already, or
 * if there is neither a board nor a hand, it shows all pieces.
 * @param {State} s
 */
export function fit(s) {
  const { width, height } = s.view.camera;
  const margin = 160; // for the frame of the table
  const table = {
    left: -width / 2 - margin,
    top: -height / 2 - margin,
    right: width / 2 + margin,
    bottom: height / 2 + margin,
  };
  if (!isSmall() || s.sync.pieces.size === 0) {
    show(s, table);
    return;
  }
  const before = whereabouts(s);
  const stage = boardOf(s) ?? handAndMiddle(s);
  if (stage) show(s, grown(stage, 60));
  const same = before === whereabouts(s);
  if (!stage || same) show(s, grown(allOf(s), 80));
}

/** Returns a text that changes when the camera moves visibly. @param {State} s */
function whereabouts({ view: { camera } }) {
  return `${camera.scale} ${Math.round(camera.sx)} ${Math.round(camera.sy)}`;
}

/** Takes over the size that the table has now. @param {State} s */
export function resizeTable(s) {
  const { info } = s.sync;
  const v = s.view.camera;
  if (!info || (v.width === info.width && v.height === info.height)) return;
  v.width = info.width;
  v.height = info.height;
  s.view.dirtyCamera = true;
}

/**
 * Returns the box of the board that people play on: the largest heavy piece, other than a hand,
 * that covers the middle and more than a sixteenth of the table. Null if there is none.
 * @param {State} s
 */
function boardOf(s) {
  let best = null;
  let most = (s.view.camera.width * s.view.camera.height) / 16;
  for (const piece of s.sync.pieces.values()) {
    const k = kindOf(s, piece);
    const box = boxOf(s, piece);
    const over = box.left < 0 && box.right > 0 && box.top < 0 && box.bottom > 0;
    if (k.weight !== 'heavy' || k.hand || !over || k.width * k.height <= most) continue;
    best = box;
    most = k.width * k.height;
  }
  return best;
}

/**
 * Returns the box of this person's hand and of the middle of the table before it, or null without a
 * hand. If a strip shows the cards of the hand, the box has only the middle, as wide as the hand.
 * @param {State} s
 */
function handAndMiddle(s) {
  const hand = ownHand(s);
  if (!hand) return null;
  const b = boxOf(s, hand);
  const reach = 700; // a pack would lie so far beyond the middle
  if (s.parts.cards?.isStripShown(s)) {
    const wide = Math.max(b.right - b.left, b.bottom - b.top) / 2;
    return { left: -wide, top: -wide, right: wide, bottom: wide };
  }
  return {
    left: Math.min(b.left, -reach),
    top: Math.min(b.top, -reach),
    right: Math.max(b.right, reach),
    bottom: Math.max(b.bottom, reach),
  };
}

/** @param {State} s */
function ownHand(s) {
  for (const piece of s.sync.pieces.values()) {
    if (piece.owner !== 0 && piece.owner === s.sync.you && kindOf(s, piece).hand)
      return piece;
  }
  return null;
}

/** Returns the box around all pieces. @param {State} s */
function allOf(s) {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const piece of s.sync.pieces.values()) {
    const b = boxOf(s, piece);
    all.left = Math.min(all.left, b.left);
    all.top = Math.min(all.top, b.top);
    all.right = Math.max(all.right, b.right);
    all.bottom = Math.max(all.bottom, b.bottom);
  }
  return all;
}

/** @param {{left: number, top: number, right: number, bottom: number}} b @param {number} by */
function grown(b, by) {
  return { left: b.left - by, top: b.top - by, right: b.right + by, bottom: b.bottom + by };
}

/**
 * Turns the table so that this person's hand lies at the lower edge, or without a hand their side
 * of the game. Called at the start, before `fit`.
 * @param {State} s
 */
export function turnToSide(s) {
  const hand = ownHand(s);
  if (!hand) {
    s.view.camera.turn = turnOfSide(s) ?? s.view.camera.turn;
    s.view.dirtyCamera = true;
    return;
  }
  const across = hand.x / s.view.camera.width;
  const along = hand.y / s.view.camera.height;
  if (Math.abs(along) >= Math.abs(across)) s.view.camera.turn = along < 0 ? 180 : 0;
  else s.view.camera.turn = across < 0 ? 270 : 90;
  s.view.dirtyCamera = true;
}

/** Scrolls just far enough to show a piece. @param {State} s @param {number} id */
export function reveal(s, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return;
  const v = s.view.camera;
  const box = boxOf(s, piece);
  const a = toContent(v, { x: box.left, y: box.top });
  const b = toContent(v, { x: box.right, y: box.bottom });
  const room = roomIn(s);
  const dx = outside(Math.min(a.x, b.x), Math.max(a.x, b.x), v.sx + room.x, v.sx + room.x + room.w);
  const dy = outside(Math.min(a.y, b.y), Math.max(a.y, b.y), v.sy + room.y, v.sy + room.y + room.h);
  if (dx === 0 && dy === 0) return;
  s.page.window.scrollBy({ left: dx, top: dy, behavior: wantsStill() ? 'instant' : 'smooth' });
}

/** Returns how far [lo, hi] has to move to lie in [from, to]; 0 if it is too large for that. */
function outside(
  /** @type {number} */ lo,
  /** @type {number} */ hi,
  /** @type {number} */ from,
  /** @type {number} */ to,
) {
  if (hi - lo > to - from) return 0;
  if (lo < from) return lo - from;
  return hi > to ? hi - to : 0;
}
