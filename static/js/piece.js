// One piece as an element: its picture, marks and name. Called by render.js only.

import { artOf, faceAt, kindAt, nextFace } from './catalog.js';
import { reading, UNSET } from './clock.js';
import { css, inkOn } from './colour.js';
import { drawClock, standDial } from './dial.js';
import { drawCooling } from './dice.js';
import { el, setAttr, setText } from './dom.js';
import { UNITS, boundsOf, turned } from './geometry.js';
import { drawHoldings, holdingsOf } from './holdings.js';
import { icon } from './icons.js';
import { drawInscription, written } from './inscription.js';
import { isInMyHand, isMine, isOthersHand, countIn } from './state.js';
import { drawSteps } from './steps.js';
import { strings } from './strings.js';
import { tint } from './tints.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').Shown} Shown */
/** @typedef {import('./types.js').Piece} Piece */

/**
 * Makes the element of a piece. It has no kind and no place yet.
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
    art: '',
    w: 0,
    h: 0,
    heavy: false,
    x: 0,
    y: 0,
    angle: 0,
    over: false,
    pledge: null,
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
 * Gives the element the size and shape of its kind. Returns whether the kind is another one than before.
 * @param {State} s @param {Shown} p @param {Piece} piece
 */
export function drawKind(s, p, piece) {
  if (p.kind === piece.kind) return false;
  p.kind = piece.kind;
  const k = kindAt(s.catalog, piece.kind);
  p.w = k.width / UNITS;
  p.h = k.height / UNITS;
  p.heavy = k.weight === 'heavy';
  p.el.style.width = `${p.w}px`;
  p.el.style.height = `${p.h}px`;
  p.el.style.borderRadius = k.shape === 'round' ? '50%' : k.shape === 'card' ? `${Math.min(p.w, p.h) * 0.055}px` : '';
  p.el.classList.toggle('heavy', p.heavy);
  p.el.classList.toggle('hand', k.hand === true);
  p.el.classList.toggle('container', k.container !== undefined);
  setAttr(p.el, 'data-kind', piece.kind);
  return true;
}

/**
 * The picture that a piece should show.
 * @param {State} s @param {Piece} piece
 */
export function artFor(s, piece) {
  return artOf(s.catalog, faceAt(kindAt(s.catalog, piece.kind), piece.face));
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
 * Draws what is known of a piece besides place and picture: who holds it, what is pinned. What has not changed is not
 * touched: a piece that others move comes here with every step.
 * @param {State} s @param {Shown} p @param {Piece} piece
 */
export function drawMarks(s, p, piece) {
  const { before } = p;
  p.before = piece;
  if (before?.mark !== piece.mark) setAttr(p.el, 'data-mark', piece.mark);
  if (before?.x !== piece.x) setAttr(p.el, 'data-x', piece.x);
  if (before?.y !== piece.y) setAttr(p.el, 'data-y', piece.y);
  if (before?.angle !== piece.angle) setAttr(p.el, 'data-angle', piece.angle);
  if (before?.face !== piece.face) setAttr(p.el, 'data-face', piece.face);
  if (before?.clock !== piece.clock || before?.kind !== piece.kind) drawClock(s, p, piece);
  drawInscription(s, p, piece);
  drawHoldings(s, p, piece);
  drawCooling(s, p, piece);
  const marks = marksOf(s, p, piece);
  if (p.marks === marks) return;
  p.marks = marks;
  setAttr(p.el, 'data-holder', piece.holder);
  const chosen = s.selection.has(p.id);
  setAttr(p.el, 'aria-pressed', chosen ? 'true' : 'false');
  setAttr(p.el, 'tabindex', s.focus === p.id ? '0' : '-1');
  const { classList } = p.el;
  classList.toggle('selected', chosen);
  classList.toggle('held', piece.holder !== 0);
  classList.toggle('mine', piece.holder !== 0 && piece.holder === s.sync.you);
  classList.toggle('fixed', isFixed(s, piece));
  classList.toggle('waiting', s.waiting.has(p.id));
  classList.toggle('solid', s.catalog.solid.has(p.art));
  drawHolder(s, p, piece);
  drawBadge(p, 'pinmark', piece.locked ? 'lock' : piece.pinned ? 'pin' : '');
  drawSteps(s, p, piece);
  if (classList.contains('hand')) drawHand(s, p, piece);
  else if (classList.contains('container')) drawTag(s, p, 'count', String(countIn(s, piece) ?? ''));
}

/** Everything that drawMarks shows of a piece but its place, as a text to compare. @param {State} s @param {Shown} p @param {Piece} piece */
function marksOf(s, p, piece) {
  const holder = piece.holder ? s.sync.seats.get(piece.holder) : undefined;
  const owner = piece.owner ? s.sync.seats.get(piece.owner) : undefined;
  const labelled = holder || owner ? piece.angle + s.view.turn * 100 : 0;
  return [
    piece.kind, piece.holder, holder?.nick, holder?.colour, piece.owner, owner?.nick, owner?.colour, labelled, piece.pinned, piece.locked,
    piece.team?.join('+'), p.el.getAttribute('data-holds'), s.selection.has(p.id), s.waiting.has(p.id), s.focus === p.id, s.catalog.solid.has(p.art), isFixed(s, piece), s.view.turn,
  ].join();
}

/** The colour and name of who holds a piece. @param {State} s @param {Shown} p @param {Piece} piece */
function drawHolder(s, p, piece) {
  const holder = piece.holder ? s.sync.seats.get(piece.holder) : undefined;
  tint(p, 'held', holder ? s.tints.held(holder) : '');
  drawTag(s, p, 'tag', holder && piece.holder !== s.sync.you ? holder.nick : '');
}

/**
 * Shows how many pieces lie in the pile of which this is the top.
 * @param {State} s @param {Shown} p @param {number} height
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
 * Whether a piece is treated as a part of the table: a finger on it moves the table, a drag on it draws a frame.
 * @param {State} s @param {Piece} piece
 */
export function isFixed(s, piece) {
  const role = s.sync.seats.get(s.sync.you)?.role;
  return piece.pinned || piece.locked || role === 'spectator' || isOthersHand(s, piece);
}

/**
 * Names the piece for the ears, with the place where it lies. Not on its way: each change of a name is work for the
 * accessibility tree.
 * @param {State} s @param {Shown} p @param {Piece} piece
 */
export function drawLabel(s, p, piece) {
  const label = describe(s, piece, p.height);
  if (label === p.label) return;
  p.label = label;
  p.el.setAttribute('aria-label', label);
}

/** @param {State} s @param {Shown} p @param {Piece} piece */
function drawHand(s, p, piece) {
  const owner = piece.owner ? s.sync.seats.get(piece.owner) : undefined;
  p.el.classList.toggle('own', isMine(s, piece));
  p.el.classList.toggle('owned', piece.owner !== 0);
  p.el.style.setProperty('--owner', owner ? css(owner.colour) : 'transparent');
  p.el.style.setProperty('--owner-ink', owner ? inkOn(owner.colour) : 'inherit');
  drawTag(s, p, 'hand-name', handTag(s, piece));
}

/** What stands at a hand: whose it is, with whom it is shared, how many pieces lie in it. @param {State} s @param {Piece} piece */
function handTag(s, piece) {
  const t = strings.holds;
  const name = piece.owner === 0 ? strings.piece.freeHandTag : handName(s, piece);
  const team = (piece.team ?? []).map((seat) => (seat === s.sync.you ? strings.you : nickOf(s, seat)));
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

/** @param {State} s @param {Shown} p @param {string} name class @param {string} text none: no tag */
function drawTag(s, p, name, text) {
  const old = p.el.querySelector(`:scope > .${name}`);
  if (!text) old?.remove();
  else if (old) setText(old, text);
  else {
    p.el.append(el('span', { class: `label ${name}`, 'aria-hidden': 'true' }, text));
    standLabels(s, p);
  }
}

/**
 * Sets the labels of a piece upright, above it, however it lies. Their own styles say how: those of the piece stay as they are
 * while it moves.
 * @param {State} s @param {Shown} p
 */
export function standLabels(s, p) {
  if (p.el.lastElementChild === p.img) return; // no label, as with nearly all
  standDial(s, p);
  const { w, h } = boundsOf(p.w, p.h, p.angle + s.view.turn * 100);
  for (const e of p.el.children) {
    if (!(e instanceof HTMLElement && e.classList.contains('label'))) continue;
    e.style.setProperty('--half', `${h / 2}px`);
    e.style.setProperty('--wide', `${w}px`);
    e.style.setProperty('--angle', `${p.angle / 100}deg`);
  }
}

/** @param {Shown} p @param {string} name class @param {string} picture none: no badge */
function drawBadge(p, name, picture) {
  const old = p.el.querySelector(`:scope > .${name}`);
  if (old?.getAttribute('data-icon') === picture) return;
  old?.remove();
  if (picture) p.el.append(el('span', { class: name, 'data-icon': picture, 'aria-hidden': 'true' }, icon(picture)));
}

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
    const team = (piece.team ?? []).map((seat) => (seat === s.sync.you ? strings.you : nickOf(s, seat)));
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

/**
 * Whether a flip does something to a piece.
 * @param {State} s @param {Piece} piece
 */
export function canFlip(s, piece) {
  return nextFace(s.catalog, piece) >= 0;
}

/**
 * The box around a piece as it lies, in units.
 * @param {State} s @param {Piece} piece
 */
export function boxOf(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  const { w, h } = boundsOf(k.width, k.height, piece.angle);
  return { left: piece.x - w / 2, top: piece.y - h / 2, right: piece.x + w / 2, bottom: piece.y + h / 2 };
}
