// The frame loop. Only this module decides when and where pieces are drawn; parts of the page only
// draw their own marks into pieces. One frame applies changes, puts carried pieces under the
// pointer, steps moving pieces, and then lets the bars draw themselves. It follows the five rules
// of docs/performance.md: pieces at rest use left and top; moving pieces use a transform in the
// overlay; panning is scrolling; a zoom scales an outer box until it settles; the world has CSS
// containment.

import * as carry from '../input/drag.js';
import { wantsStill } from './dom.js';
import {
  comeToRest, leaveOverlay, leaveOverlayWhenRested, lift, moveToOverlay, write,
} from './placement.js';
import { FLIGHT, USUAL, shuffleAside, slideTo, stepFlip, stepSlide } from './animate.js';
import {
  artFor,
  createPiece,
  drawArt,
  drawHeight,
  drawKind,
  drawLabel,
  drawMarks,
} from './piece.js';
import { drawView } from './zoom.js';
import { drawBars, invalidateBars } from '../bars/state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./state.js').Shown} Shown */
/** @typedef {import('../types.js').Piece} Piece */

/** If more pieces than this change at once, they appear at their new places without sliding. */
const CROWD = 250;

/** Milliseconds between checks whether pieces have rested long enough. */
const REST = 250;

/**
 * Sets s.redraw(). Any number of calls cause one frame.
 * @param {State} s
 * @returns {() => void} stops drawing
 */
export function startRendering(s) {
  let asked = 0;
  let later = 0;
  const frame = (/** @type {number} */ now) => {
    asked = 0;
    const drifting = carry.drift(s);
    render(s, now);
    let more = s.view.moving.size > 0 || drifting;
    for (const f of s.view.frames) more = f(now) || more;
    if (more) s.redraw();
    if (s.view.lingering.size > 0 && leaveOverlayWhenRested(s) && !later)
      later = setTimeout(rest, REST);
  };
  const rest = () => {
    later = 0;
    s.redraw();
  };
  s.redraw = () => {
    if (asked === 0) asked = requestAnimationFrame(frame);
  };
  s.redraw();
  return () => {
    cancelAnimationFrame(asked);
    clearTimeout(later);
    s.redraw = () => {};
  };
}

/**
 * Draws one frame.
 * @param {State} s @param {number} now
 */
export function render(s, now) {
  if (s.ready) {
    if (s.view.dirtyAll) drawAll(s);
    else if (s.view.dirty.size > 0) {
      drawSome(s, now);
    }
    s.parts.motion?.pickUp(s);
    if (s.input.carry) drawCarried(s, now);
    if (s.view.moving.size > 0) step(s, now);
    drawHeights(s);
  }
  if (s.view.dirtyCamera) {
    s.view.dirtyCamera = false;
    drawView(s);
  }
  drawBars(s);
}

/** Draws every piece at its place, without motion. @param {State} s */
function drawAll(s) {
  s.view.drawn++;
  s.view.dirtyAll = false;
  s.view.dirty.clear();
  s.parts.cards?.clearFlights(s);
  for (const [id, p] of s.view.shown) if (!s.sync.pieces.has(id)) drop(s, p);
  s.view.order.reset(s.sync.pieces.values());
  s.view.piles.clear();
  const fresh = document.createDocumentFragment();
  const freshHeavy = document.createDocumentFragment();
  for (const piece of s.sync.pieces.values()) {
    const known = s.view.shown.get(piece.id);
    const p = known ?? createPiece(piece.id);
    drawKind(s, p, piece);
    drawArt(p, artFor(s, piece));
    p.slide = null;
    p.flip = null;
    drawRank(s, p);
    if (!known) {
      s.view.shown.set(piece.id, p);
      (p.heavy ? freshHeavy : fresh).append(p.el);
    }
    drawMarks(s, p, piece);
    comeToRest(s, p, piece);
    leaveOverlay(s, p);
    s.parts.motion?.follow(s, p.id);
  }
  s.page.ground.append(freshHeavy);
  s.page.pieces.append(fresh);
  s.page.main.setAttribute('data-pieces', String(s.view.shown.size));
}

/**
 * Draws the pieces that have changed. A piece whose place has changed slides there.
 * @param {State} s
 * @param {number} now
 */
function drawSome(s, now) {
  s.view.drawn++;
  const still = wantsStill() || s.view.dirty.size > CROWD;
  const flights = s.parts.cards?.resolveFlights(s, s.view.dirty);
  const ranks = new Set();
  for (const id of s.view.dirty) {
    const piece = s.sync.pieces.get(id);
    if (piece) for (const other of s.view.order.put(piece)) ranks.add(other);
    else s.view.order.take(id);
  }
  for (const id of s.view.dirty) {
    const piece = s.sync.pieces.get(id);
    const known = s.view.shown.get(id);
    if (!piece) {
      const goal = flights?.to.get(id);
      if (known && goal && !still) flyOff(s, known, goal);
      else if (known) drop(s, known);
      continue;
    }
    const from = known || still ? undefined : flights?.from.get(id);
    drawOne(
      s,
      known ?? enter(s, piece, from),
      piece,
      still ? 0 : (s.view.pace.get(id) ?? (from ? FLIGHT : USUAL)),
      now,
    );
  }
  for (const id of ranks) {
    const p = s.view.shown.get(id);
    if (!p) continue;
    drawRank(s, p);
    const lying = s.view.piles.pieces.get(id);
    if (lying) s.view.piles.put({ ...lying, rank: s.view.order.rank(id) });
  }
  s.view.dirty.clear();
  s.view.pace.clear();
  s.view.shuffling.clear();
  flights?.from.clear();
  flights?.to.clear();
}

/**
 * Draws one piece that has changed.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 * @param {number} ms duration of the motion
 * @param {number} now
 */
function drawOne(s, p, piece, ms, now) {
  drawKind(s, p, piece);
  const art = artFor(s, piece);
  if (art !== p.art && p.flip?.swap == null) turnOver(s, p, art, ms, now);
  drawMarks(s, p, piece);
  if (isCarried(s, p.id)) {
    drawLabel(s, p, piece);
    s.view.piles.take(p.id);
    return; // drawCarried places it
  }
  if (s.parts.motion?.follow(s, p.id)) {
    drawLabel(s, p, piece);
    s.view.piles.take(p.id);
    if (((p.slide?.a1 ?? p.angle) - piece.angle) % 36000 !== 0)
      slideTo(p, p.x, p.y, piece.angle, ms, now);
    return; // step() moves it along its motion
  }
  lift(s, p, false);
  const goal = p.slide ? { x: p.slide.x1, y: p.slide.y1, angle: p.slide.a1 } : p;
  if (goal.x === piece.x && goal.y === piece.y && (goal.angle - piece.angle) % 36000 === 0) {
    if (ms > 0 && !p.slide && s.view.shuffling.has(p.id)) {
      shuffleAside(p, ((p.id * 37) % 21) / 10 - 1, now);
      moveToOverlay(s, p);
    } else if (!p.slide && !p.flip) comeToRest(s, p, piece);
  } else if (ms > 0 && !turnsHidden(p, piece)) {
    slideTo(p, piece.x, piece.y, piece.angle, ms, now);
    moveToOverlay(s, p);
  } else {
    comeToRest(s, p, piece);
  }
}

/**
 * Returns whether a piece below others only turns. In the overlay it would appear above them.
 * @param {Shown} p
 * @param {Piece} piece
 */
function turnsHidden(p, piece) {
  return p.height === 0 && !p.inOverlay && p.x === piece.x && p.y === piece.y;
}

/**
 * Creates the element of a new piece.
 * @param {State} s
 * @param {Piece} piece
 * @param {{x: number, y: number}} [from] where it comes from, if not from its own place
 */
function enter(s, piece, from = piece) {
  const p = createPiece(piece.id);
  drawKind(s, p, piece);
  drawArt(p, artFor(s, piece));
  s.view.shown.set(piece.id, p);
  p.x = from.x;
  p.y = from.y;
  p.angle = piece.angle;
  (p.heavy ? s.page.ground : s.page.pieces).append(p.el);
  drawRank(s, p);
  drawLabel(s, p, piece); // it may take a while to come to rest
  s.page.main.setAttribute('data-pieces', String(s.view.shown.size));
  return p;
}

/** Removes a piece from the page. @param {State} s @param {Shown} p */
function drop(s, p) {
  forget(s, p);
  p.el.remove();
}

/**
 * Removes a hidden piece from the page, and shows a flight to `goal`.
 * @param {State} s
 * @param {Shown} p
 * @param {{x: number, y: number}} goal
 */
function flyOff(s, p, goal) {
  forget(s, p);
  s.parts.cards?.flyAway(s, p, goal);
}

/** @param {State} s @param {Shown} p */
function forget(s, p) {
  s.view.shown.delete(p.id);
  s.view.boards.delete(p.id);
  s.view.zones.delete(p.id);
  s.view.moving.delete(p);
  s.view.lingering.delete(p);
  s.view.piles.take(p.id);
  s.page.main.setAttribute('data-pieces', String(s.view.shown.size));
  if (document.activeElement === p.el) s.page.window.focus({ preventScroll: true });
}

/**
 * Shows the picture of the other side by turning the piece over. A buried piece changes without
 * motion.
 * @param {State} s
 * @param {Shown} p
 * @param {string} art
 * @param {number} ms
 * @param {number} now
 */
function turnOver(s, p, art, ms, now) {
  if (ms === 0 || p.art === '' || (p.height === 0 && !p.inOverlay)) {
    drawArt(p, art);
    return;
  }
  p.flip = {
    start: now,
    ms: Math.min(ms, USUAL) * 1.3, // less than 200 ms
    swap: () => {
      const piece = s.sync.pieces.get(p.id); // it may have changed again meanwhile
      if (piece) drawArt(p, artFor(s, piece));
    },
  };
  moveToOverlay(s, p);
}

/** Draws the heights of the piles that may have changed. @param {State} s */
function drawHeights(s) {
  for (const [id, height] of s.view.piles.changed()) {
    const p = s.view.shown.get(id);
    if (p) drawHeight(s, p, height);
    // the actions of a pile may have appeared or disappeared
    if (s.input.selection.has(id)) invalidateBars(s);
  }
}

/** @param {State} s @param {Shown} p */
function drawRank(s, p) {
  p.el.style.zIndex = String(s.view.order.rank(p.id));
}

/** Whether a piece is carried, or moves along. @param {State} s @param {number} id */
const isCarried = ({ input: { carry } }, id) => carry?.from.has(id) || carry?.along?.has(id);

/** Places the carried pieces. @param {State} s @param {number} now */
function drawCarried(s, now) {
  const c = s.input.carry;
  if (!c) return;
  const glide = c.by === 'keys' && !wantsStill() ? 80 : 0;
  for (const [id, from] of [...c.from, ...(c.along ?? [])]) {
    const p = s.view.shown.get(id);
    const piece = s.sync.pieces.get(id);
    if (!p || !piece) continue;
    lift(s, p, true);
    const x = from.x + c.dx;
    const y = from.y + c.dy;
    const goal = p.slide
      ? { x: p.slide.x1, y: p.slide.y1, a: p.slide.a1 }
      : { x: p.x, y: p.y, a: p.angle };
    if (goal.x === x && goal.y === y && (goal.a - piece.angle) % 36000 === 0) continue;
    slideTo(p, x, y, piece.angle, goal.a === piece.angle ? glide : USUAL, now);
    moveToOverlay(s, p);
  }
}

/** Moves the moving pieces one step. @param {State} s @param {number} now */
function step(s, now) {
  for (const p of s.view.moving) {
    const sliding = stepSlide(p, now);
    const wide = stepFlip(p, now);
    const stage = s.parts.motion?.placeByMotion(s, p, now) ?? 'none';
    write(p, wide);
    if (sliding || p.flip || stage === 'soon' || stage === 'moving') continue;
    s.view.moving.delete(p);
    const piece = s.sync.pieces.get(p.id);
    if (!isCarried(s, p.id) && stage === 'none' && piece) comeToRest(s, p, piece);
  }
}
