// Draws one piece as an element: its picture and marks. view/render.js and view/placement.js draw
// pieces with it. Parts of the page also draw single marks with it.

import { abilityOf } from '../kinds/abilities.js';
import { artOf, faceAt, isUnseen, kindOf, nextFace } from './catalog.js';
import { el, moveInto, setAttr, setText } from './dom.js';
import { UNITS, boundsOf, turned } from './geometry.js';
import { icon } from './icons.js';
import { loadUntilDone } from '../parts.js';
import { isOthersHand, plays, seesThrough } from '../rights.js';
import { tint } from './rules.js';
import { describe } from './describe.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./state.js').Shown} Shown */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * Creates the element of a piece. It has no kind and no place yet.
 * @param {number} id
 * @returns {Shown}
 */
export function createPiece(id) {
  const e = el('div', { class: 'piece', role: 'button', tabindex: '-1', 'data-piece': id });
  return {
    id,
    el: e,
    img: null,
    kind: -1,
    as: null,
    art: '',
    w: 0,
    h: 0,
    heavy: false,
    x: 0,
    y: 0,
    angle: 0,
    inOverlay: false,
    paused: null,
    slide: null,
    flip: null,
    lifted: false,
    held: '',
    lit: '',
    before: null,
    marks: '',
    label: '',
    height: 1,
  };
}

/**
 * Gives the element the size and shape of its kind. A piece may come before the catalogue that has
 * its kind; then the kind changes, and its number does not.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawKind(s, p, piece) {
  const k = kindOf(s, piece);
  if (p.as === k && p.kind === piece.kind) return;
  const lookBefore = p.as && abilityOf(p.as).look;
  const wasHeavy = p.heavy;
  p.as = k;
  p.kind = piece.kind;
  const { look, onTable } = abilityOf(k);
  if (onTable && !s.parts[onTable]) void loadUntilDone(s, onTable);
  const isBoard = k.grid !== undefined || k.snaps !== undefined;
  if (isBoard) s.view.boards.add(p.id);
  else s.view.boards.delete(p.id);
  if (k.zone) s.view.zones.add(p.id);
  else s.view.zones.delete(p.id);
  if (isBoard && s.shown && !s.parts.boards) void loadUntilDone(s, 'boards');
  p.w = k.width / UNITS;
  p.h = k.height / UNITS;
  p.heavy = k.weight === 'heavy';
  p.el.style.width = `${p.w}px`;
  p.el.style.height = `${p.h}px`;
  p.el.style.borderRadius =
    k.shape === 'round' ? '50%' : k.shape === 'card' ? `${Math.min(p.w, p.h) * 0.055}px` : '';
  p.el.classList.toggle('heavy', p.heavy);
  p.el.classList.toggle('upright', k.upright === true);
  p.el.classList.toggle('unseen', isUnseen(k));
  if (lookBefore) p.el.classList.remove(lookBefore);
  if (look) p.el.classList.add(look);
  setAttr(p.el, 'data-kind', piece.kind);
  if (p.heavy !== wasHeavy && p.el.isConnected && !p.inOverlay)
    moveInto(p.heavy ? s.page.ground : s.page.pieces, p.el);
}

/**
 * Returns the address of the picture that a piece should show.
 * @param {State} s
 * @param {Piece} piece
 */
export function artFor(s, piece) {
  return artOf(s.catalog, faceAt(kindOf(s, piece), seesThrough(s, piece) ? 0 : piece.face));
}

/**
 * Shows a picture on the piece.
 * @param {Shown} p @param {string} art
 */
export function drawArt(p, art) {
  p.art = art;
  if (!art) {
    p.img?.remove();
    p.img = null;
  } else if (!p.img) {
    p.img = el('img', { class: 'art', alt: '', draggable: 'false', decoding: 'async', src: art });
    p.el.prepend(p.img);
  } else {
    setAttr(p.img, 'src', art);
  }
}

/**
 * Draws everything of a piece except its place and picture, for example its holder and its pin. It
 * changes only what differs, because it runs at each step of a piece that others move.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawMarks(s, p, piece) {
  const { before } = p;
  const ability = abilityOf(kindOf(s, piece));
  p.before = piece;
  if (before?.mark !== piece.mark) setAttr(p.el, 'data-mark', piece.mark);
  if (before?.x !== piece.x) setAttr(p.el, 'data-x', piece.x);
  if (before?.y !== piece.y) setAttr(p.el, 'data-y', piece.y);
  if (before?.angle !== piece.angle) setAttr(p.el, 'data-angle', piece.angle);
  if (before?.face !== piece.face) setAttr(p.el, 'data-face', piece.face);
  if (ability.writes) s.parts.abilities?.drawInscription(s, p, piece, ability.writes);
  ability.draw?.(s, p, piece, before);
  s.parts.guests?.drawGuest(s, p, piece);
  const marks = marksOf(s, p, piece);
  if (p.marks === marks) return;
  p.marks = marks;
  setAttr(p.el, 'data-holder', piece.holder);
  const chosen = s.input.selection.has(p.id);
  setAttr(p.el, 'aria-pressed', chosen ? 'true' : 'false');
  setAttr(p.el, 'tabindex', s.input.focus === p.id ? '0' : '-1');
  const { classList } = p.el;
  classList.toggle('selected', chosen);
  classList.toggle('held', piece.holder !== 0);
  classList.toggle('mine', piece.holder !== 0 && piece.holder === s.sync.you);
  classList.toggle('fixed', isFixed(s, piece));
  classList.toggle('waiting', s.pending.late.has(p.id));
  classList.toggle('solid', s.catalog.solid.has(p.art));
  classList.toggle('face-down', seesThrough(s, piece));
  classList.toggle('reversed', isReversed(s, piece));
  drawHolder(s, p, piece);
  drawBadge(p, 'pinmark', piece.locked ? 'lock' : piece.pinned ? 'pin' : '');
  ability.drawMarks?.(s, p, piece);
}

/**
 * Returns everything that drawMarks compares at once, except the place, as a text.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
function marksOf(s, p, piece) {
  const holder = piece.holder ? s.sync.seats.get(piece.holder) : undefined;
  const owner = piece.owner ? s.sync.seats.get(piece.owner) : undefined;
  const labelled = holder || owner ? piece.angle + s.view.camera.turn * 100 : 0;
  return [
    piece.kind,
    piece.holder,
    holder?.nick,
    holder?.colour,
    piece.owner,
    owner?.nick,
    owner?.colour,
    labelled,
    piece.pinned,
    piece.locked,
    piece.team?.join('+'),
    p.el.getAttribute('data-holds'),
    s.input.selection.has(p.id),
    s.pending.late.has(p.id),
    s.input.focus === p.id,
    s.catalog.solid.has(p.art),
    isFixed(s, piece),
    isReversed(s, piece),
    s.view.camera.turn,
  ].join();
}

/**
 * Returns by how many degrees the picture of a piece is turned on the piece, clockwise.
 * @param {State} s
 * @param {Piece} piece
 */
export function pictureTurn(s, piece) {
  if (kindOf(s, piece).upright) return 360 - s.view.camera.turn;
  return isReversed(s, piece) ? 180 : 0;
}

/**
 * Returns whether a piece is drawn the other way round, because the text on it would be upside down
 * (G20).
 * @param {State} s
 * @param {Piece} piece
 */
function isReversed(s, piece) {
  if (!kindOf(s, piece).readable) return false;
  const seen = (piece.angle / 100 + s.view.camera.turn) % 360;
  return seen > 90 && seen < 270;
}

/**
 * Shows the colour of the holder of a piece, and the nick if the holder is somebody else.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
function drawHolder(s, p, piece) {
  const holder = piece.holder ? s.sync.seats.get(piece.holder) : undefined;
  tint(p, 'held', holder ? s.view.tints.held(holder) : '');
  drawTag(s, p, 'tag', holder && piece.holder !== s.sync.you ? holder.nick : '');
}

/**
 * Shows how many pieces lie in the pile whose top this piece is.
 * @param {State} s
 * @param {Shown} p
 * @param {number} height 0 if it is not the top of its pile
 */
export function drawHeight(s, p, height) {
  if (p.height === height) return;
  p.height = height;
  p.el.classList.toggle('buried', height === 0);
  if (!p.heavy) drawTag(s, p, 'count', height > 1 ? String(height) : '');
  const piece = s.sync.pieces.get(p.id);
  if (piece) drawLabel(s, p, piece);
}

/**
 * Returns whether a piece is treated as a part of the table: a finger on it moves the table, and a
 * drag on it draws a frame.
 * @param {State} s
 * @param {Piece} piece
 */
export function isFixed(s, piece) {
  return piece.pinned || piece.locked || !plays(s) || isOthersHand(s, piece) ||
    isUnseen(kindOf(s, piece));
}

/**
 * Names the piece, with its place, for screen readers. Not called while the piece moves: each
 * change of a name makes the browser update its accessibility tree.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawLabel(s, p, piece) {
  const label = describe(s, piece, p.height);
  if (label !== p.label) {
    p.label = label;
    p.el.setAttribute('aria-label', label);
  }
  const k = kindOf(s, piece);
  const { explains } = abilityOf(k);
  if (explains) setAttr(p.el, 'aria-description', explains(s, piece, k) || null);
}

/**
 * Shows a text on the piece, or removes it.
 * @param {State} s
 * @param {Shown} p
 * @param {string} name class of the element
 * @param {string} text empty: no tag
 */
export function drawTag(s, p, name, text) {
  const old = p.el.querySelector(`:scope > .${name}`);
  if (!text) old?.remove();
  else if (old) setText(old, text);
  else {
    p.el.append(el('span', { class: `label ${name}`, 'aria-hidden': 'true' }, text));
    standLabels(s, p);
  }
}

/**
 * Sets the labels of a piece upright above it, at whatever angle the piece lies; `--side` is 1 for
 * those that stand below what lies at the lower edge of the table. The styles are set on the
 * labels, so that those of the piece do not change while it moves.
 * @param {State} s
 * @param {Shown} p
 */
export function standLabels(s, p) {
  if (p.el.lastElementChild === p.img) return; // nearly all pieces have no label
  s.parts.clocks?.standDial(s, p);
  const { width, height, turn } = s.view.camera;
  const { h } = boundsOf(p.w, p.h, p.angle + turn * 100);
  const isLow = turned(p.x, p.y, turn).y * 4 > (turn % 180 === 0 ? height : width);
  for (const e of p.el.children) {
    if (!(e instanceof HTMLElement && e.classList.contains('label'))) continue;
    e.style.setProperty('--half', `${h / 2}px`);
    e.style.setProperty('--side', isLow ? '1' : '-1');
    e.style.setProperty('--angle', `${p.angle / 100}deg`);
  }
}

/**
 * Shows a small picture on the piece, or removes it.
 * @param {Shown} p
 * @param {string} name class of the element
 * @param {string} picture empty: no badge
 */
function drawBadge(p, name, picture) {
  const old = p.el.querySelector(`:scope > .${name}`);
  if (old?.getAttribute('data-icon') === picture) return;
  old?.remove();
  if (picture)
    p.el.append(
      el('span', { class: name, 'data-icon': picture, 'aria-hidden': 'true' }, icon(picture)),
    );
}

/** Returns whether a piece can be flipped. @param {State} s @param {Piece} piece */
export function canFlip(s, piece) {
  return nextFace(s.catalog, piece) >= 0;
}

/** Returns the box around a piece at its angle, in units. @param {State} s @param {Piece} piece */
export function boxOf(s, piece) {
  const k = kindOf(s, piece);
  const { w, h } = boundsOf(k.width, k.height, piece.angle);
  return {
    left: piece.x - w / 2,
    top: piece.y - h / 2,
    right: piece.x + w / 2,
    bottom: piece.y + h / 2,
  };
}
