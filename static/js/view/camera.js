// What the window shows: everything, the part where one plays, one's own side or a single piece.

import { kindOf } from './catalog.js';
import { isSmall, wantsStill } from './dom.js';
import { UNITS, clamp, toContent, toPage } from './geometry.js';
import { boxOf } from './piece.js';
import { sideOf, turnOfSide } from './sides.js';
import { LEAST } from './zoom.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/** Edges in units. @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** The greatest scale to which a part of the table is enlarged so that it fills the window. */
const CLOSE = 2.5;

/**
 * The part of a window in which one's own hand lies, in px from its lower edge: on the table, or in
 * a strip of this height that covers it there (parts/cards/handstrip.js).
 */
export const OWN = 150;
export const OWN_SMALL = 124;

/** How much of the table a small window shows at both sides of its middle, in units. */
const REACH = 1600;

/**
 * Shows a part of the table as large as it fits, at a scale of at most CLOSE.
 * @param {State} s
 * @param {Box} box
 * @param {boolean} [isLow] whether its lower edge lies at the lower edge of the free room, else its
 *   middle in the middle
 */
function show(s, box, isLow = false) {
  const v = s.view.camera;
  v.live = null;
  const room = roomIn(s);
  const sideways = v.turn % 180 !== 0;
  const w = (sideways ? box.bottom - box.top : box.right - box.left) / UNITS;
  const h = (sideways ? box.right - box.left : box.bottom - box.top) / UNITS;
  v.scale = clamp(Math.min(room.w / Math.max(w, 1), room.h / Math.max(h, 1)), LEAST, CLOSE);
  const middle = toContent(v, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
  v.sx = middle.x - (room.x + room.w / 2);
  const below = (h * v.scale - room.h) / 2;
  v.sy = middle.y - (room.y + room.h / 2) + (isLow ? below : 0);
  s.view.dirtyCamera = true;
  s.redraw();
}

/**
 * Returns the part of the window that the bars and the hand leave free, in px of the window. The
 * bar for the selection comes and goes, so its room is always kept.
 * @param {State} s
 */
function roomIn(s) {
  const small = isSmall();
  const top = small ? 60 : 68;
  const bottom = s.isReplay ? 16 : lapOf(s) ? (small ? OWN_SMALL : OWN) : small ? 76 : 88;
  const side = small ? 10 : 32;
  return {
    x: side,
    y: top,
    w: Math.max(80, s.view.camera.w - 2 * side),
    h: Math.max(80, s.view.camera.h - top - bottom),
  };
}

/** How much of the room around the table is shown: its frame, in units. */
const FRAME = 160;

/**
 * Shows the whole table and all pieces, also those that stick out. One's own hand at the edge of
 * the table lies at the lower edge of the window then, unless that would cover more than hands.
 * @param {State} s
 */
export function fit(s) {
  const { width, height } = s.view.camera;
  const all = allOf(s);
  const table = grown({
    left: Math.min(all.left, -width / 2),
    top: Math.min(all.top, -height / 2),
    right: Math.max(all.right, width / 2),
    bottom: Math.max(all.bottom, height / 2),
  }, FRAME);
  const part = withPiles(s, beyondHand(s, table));
  show(s, part, part !== table);
  if (part !== table && fitsAbove(s, table)) show(s, table);
}

/**
 * Returns whether a part of the table fits above the strip of the hand without getting smaller.
 * @param {State} s @param {Box} box
 */
function fitsAbove(s, box) {
  const { scale, turn } = s.view.camera;
  const tall = turn % 180 === 0 ? box.bottom - box.top : box.right - box.left;
  return (tall / UNITS) * scale <= roomIn(s).h;
}

/**
 * Shows the table as it is shown first. A large window shows everything. In a small window that
 * would be too small to touch, so it shows where this person plays, if there is a board or a hand:
 * the board, what belongs to their place, such as a bowl of stones, and what everybody rolls and
 * presses; or their hand and a board of their own.
 * @param {State} s
 */
export function showStage(s) {
  const alone = isSmall() ? boardOf(s) : null;
  const board = alone && around([alone, ...toolsOf(s)]);
  const stage = board ?? (isSmall() ? (ownPlace(s) ?? handAndMiddle(s)) : null);
  if (stage) show(s, grown(stage, 60), stage !== board);
  else fit(s);
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
 * Returns the box of this person's hand and of what else belongs to their place (T92), or null if
 * they have no hand, or no board there.
 * @param {State} s
 */
function ownPlace(s) {
  const hand = ownHand(s);
  const own = (ownSide(s)?.pieces ?? []).flatMap((id) => s.sync.pieces.get(id) ?? []);
  const hasBoard = own.some((piece) => kindOf(s, piece).grid !== undefined);
  return hand && hasBoard ? around([hand, ...own].map((piece) => boxOf(s, piece))) : null;
}

/** @param {State} s */
const ownSide = (s) => sideOf(s, s.sync.seats.get(s.sync.you));

/**
 * Returns the box of the middle of the table before this person's hand, or null without a hand. The
 * hand lies at the lower edge of the window then.
 * @param {State} s
 */
function handAndMiddle(s) {
  const hand = ownHand(s);
  if (!hand) return null;
  const b = boxOf(s, hand);
  return beyondHand(s, {
    left: Math.min(b.left, -REACH),
    top: Math.min(b.top, -REACH),
    right: Math.max(b.right, REACH),
    bottom: Math.max(b.bottom, REACH),
  });
}

/**
 * Returns the part of a box beyond this person's own hand, which lies at the lower edge of the
 * window then. Returns the box if they have no hand, or if it does not lie at their edge.
 * @param {State} s
 * @param {Box} table
 */
function beyondHand(s, table) {
  const hand = lapOf(s);
  if (!hand) return table;
  const b = boxOf(s, hand);
  const rest = { ...table };
  switch (s.view.camera.turn) {
    case 0:
      rest.bottom = b.top;
      break;
    case 90:
      rest.right = b.left;
      break;
    case 180:
      rest.top = b.bottom;
      break;
    case 270:
      rest.left = b.right;
      break;
  }
  const sideways = s.view.camera.turn % 180 !== 0;
  const [all, left] = sideways
    ? [table.right - table.left, rest.right - rest.left]
    : [table.bottom - table.top, rest.bottom - rest.top];
  return left > all * 0.6 ? rest : table;
}

/**
 * Returns a part of the table, extended by the heavy pieces that lie beyond it, other than hands:
 * people need the piles and buttons beside their hand while they hold cards.
 * @param {State} s
 * @param {Box} part
 */
function withPiles(s, part) {
  const isBeyond = (/** @type {Piece} */ piece) => {
    const { weight, hand } = kindOf(s, piece);
    const { x, y } = piece;
    const isInside = x > part.left && x < part.right && y > part.top && y < part.bottom;
    return weight === 'heavy' && !hand && !isInside;
  };
  const beyond = [...s.sync.pieces.values()].filter(isBeyond);
  return around([part, ...beyond.map((piece) => boxOf(s, piece))]);
}

/**
 * Returns what lies in the strip at the lower edge: this person's own hand, and in a small window
 * their rack. Without cards there is no strip, so the hand itself must stay clear of the bars.
 * @param {State} s
 */
function lapOf(s) {
  if (s.catalog.masks.size === 0) return null;
  const hand = ownHand(s);
  if (hand || !isSmall() || !s.catalog.racks) return hand;
  const isOwn = (/** @type {Piece} */ p) => p.owner === s.sync.you && kindOf(s, p).rack;
  return [...s.sync.pieces.values()].find(isOwn) ?? null;
}

/** @param {State} s */
function ownHand(s) {
  for (const piece of s.sync.pieces.values()) {
    const { hand, rack } = kindOf(s, piece);
    if (piece.owner !== 0 && piece.owner === s.sync.you && hand && !rack) return piece;
  }
  return null;
}

/**
 * Returns the boxes of what this person needs beside the board: what belongs to their place (T92),
 * dice, and buttons that are for everybody.
 * @param {State} s
 */
function toolsOf(s) {
  const own = ownSide(s)?.pieces ?? [];
  const isNeeded = (/** @type {Piece} */ piece) => {
    const { die, button } = kindOf(s, piece);
    return own.includes(piece.id) || die !== undefined || button?.who === 'players';
  };
  return [...s.sync.pieces.values()].filter(isNeeded).map((piece) => boxOf(s, piece));
}

/** Returns the box around all pieces. @param {State} s */
function allOf(s) {
  return around([...s.sync.pieces.values()].map((piece) => boxOf(s, piece)));
}

/** Returns the box around boxes. @param {Box[]} boxes */
function around(boxes) {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const b of boxes) {
    all.left = Math.min(all.left, b.left);
    all.top = Math.min(all.top, b.top);
    all.right = Math.max(all.right, b.right);
    all.bottom = Math.max(all.bottom, b.bottom);
  }
  return all;
}

/** @param {Box} b @param {number} by */
function grown(b, by) {
  return { left: b.left - by, top: b.top - by, right: b.right + by, bottom: b.bottom + by };
}

/**
 * Turns the table so that this person's side of the game lies at the lower edge, or without a side
 * their hand. Called at the start, before `fit`.
 * @param {State} s
 */
export function turnToSide(s) {
  const hand = ownHand(s);
  if (!hand || sideOf(s, s.sync.seats.get(s.sync.you))) {
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
  if (!piece || s.parts.cards?.isInStrip(s, id)) return;
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

/** The class of the table while such a panel is open. @typedef {'logged'|'ruled'} Beside */

/**
 * What closes the panel beside the table, such as the log; null: there is none. One is open at a
 * time.
 * @type {(() => void)|null}
 */
let closes = null;

/**
 * Makes room for a panel, and closes another one.
 * @param {State} s
 * @param {Beside} name
 * @param {() => void} close closes the panel, and calls leaveSide
 */
export function standBeside(s, name, close) {
  const other = closes === close ? null : closes;
  closes = close;
  other?.();
  changeRoom(s, () => s.page.main.classList.add(name));
}

/**
 * Gives the table the room of a panel that has closed.
 * @param {State} s
 * @param {Beside} name
 * @param {() => void} close
 */
export function leaveSide(s, name, close) {
  if (closes === close) closes = null;
  changeRoom(s, () => s.page.main.classList.remove(name));
}

/**
 * Gives the table less room, or more. A table that was shown as a whole is shown as a whole then.
 * @param {State} s
 * @param {() => void} change
 */
function changeRoom(s, change) {
  const { camera } = s.view;
  const wasWhole = isWhole(camera);
  const { w, h } = camera;
  change();
  if (!wasWhole) return;
  // the view learns of its new size with the next frame
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (s.view.camera.w === w && s.view.camera.h === h) return; // a sheet lies over the table
    fit(s);
    s.redraw();
  }));
}

/** Returns whether the window shows the whole table. @param {State['view']['camera']} camera */
function isWhole(camera) {
  const { width, height, left, top, w, h } = camera;
  return [-1, 1].every((x) => [-1, 1].every((y) => {
    const at = toPage(camera, { x: (x * width) / 2, y: (y * height) / 2 });
    return at.x >= left && at.x <= left + w && at.y >= top && at.y <= top + h;
  }));
}
