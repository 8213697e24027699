// This person's own hand. Its cards lie in a row, which closes when a card is played and opens
// where one is put in. The cards can be sorted, and played with one press. All of this is a batch
// of moves, which other views do not show (T23).

import { isBack, kindAt, kindOf } from '../../view/catalog.js';
import { along, inLine, inside, row } from './fan.js';
import { freeSpots } from './spots.js';
import { clamp, normalAngle, toTable, turned } from '../../view/geometry.js';
import { levelsOnTop } from '../../view/levels.js';
import { arrange, change, maskOf } from '../../input/ops.js';
import { boxOf } from '../../view/piece.js';
import { isMine } from '../../rights.js';
import { onEvent } from '../../listeners.js';
import { cardsOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./fan.js').Place} Place */

/** How much of the window the bars cover at its sides, above and below, in px. */
const SIDE = 12;
const UPPER = 68;
const LOWER = 76;

/** Milliseconds that a hand waits for more cards before its row closes. */
const SETTLES = 250;

/**
 * Returns the hands that this person sees into, their own first, then the oldest first. Racks are
 * not among them: what lies there stays where it was put.
 * @param {State} s
 */
export function handsOf(s) {
  const own = (/** @type {Piece} */ p) => (p.owner === s.sync.you ? 0 : 1);
  return [...s.sync.pieces.values()]
    .filter((p) => kindOf(s, p).hand && !kindOf(s, p).rack && isMine(s, p))
    .sort((a, b) => own(a) - own(b) || a.id - b.id);
}

/**
 * Returns the hand, among those this person sees into, in which a point lies.
 * @param {State} s
 * @param {{x: number, y: number}} at
 */
export function handAt(s, at) {
  return handsOf(s).find((h) => inside(at, placeOf(s, h)));
}

/**
 * Returns a hand as a place for this viewer. Its long side may be horizontal or vertical in the
 * window.
 * @param {State} s
 * @param {Piece} hand
 * @returns {Place}
 */
export function placeOf(s, hand) {
  const box = boxOf(s, hand);
  const w = box.right - box.left;
  const h = box.bottom - box.top;
  const sideways = s.view.camera.turn % 180 !== 0;
  return {
    x: hand.x, y: hand.y, width: sideways ? h : w, height: sideways ? w : h,
    angle: -s.view.camera.turn,
  };
}

/**
 * Returns the cards in a hand that can be moved, from left to right.
 * @param {State} s
 * @param {Piece} hand
 */
export function cardsIn(s, hand) {
  const place = placeOf(s, hand);
  const cards = [];
  for (const p of s.sync.pieces.values()) {
    const isCard = p.id !== hand.id && p.owner === hand.owner && p.holder === 0 &&
      maskOf(s, p) >= 0;
    if (isCard && !p.pinned && !p.locked && inside(p, place)) cards.push(p);
  }
  cards.sort((a, b) => s.view.order.rank(a.id) - s.view.order.rank(b.id));
  return inLine(cards, place);
}

/**
 * Returns what must change of each card to lay them in a row in a hand, in this order.
 * @param {State} s
 * @param {Piece} hand
 * @param {Piece[]} cards
 * @returns {Map<number, {x: number, y: number, angle: number, z?: string}>}
 */
function rowOf(s, hand, cards) {
  const rows = new Map();
  if (cards.length === 0) return rows;
  const { width, height } = kindAt(s.catalog, cards[0].kind);
  const points = row(cards.length, { width, height }, placeOf(s, hand));
  const angle = normalAngle(-s.view.camera.turn * 100);
  const rising = cards.every(
    (p, i) => i === 0 || s.view.order.rank(cards[i - 1].id) < s.view.order.rank(p.id),
  );
  const levels = rising ? new Map() : levelsOnTopInOrder(s, cards);
  cards.forEach((p, i) => {
    const z = levels.get(p.id);
    rows.set(p.id, z ? { ...points[i], angle, z } : { ...points[i], angle });
  });
  return rows;
}

/**
 * Lays cards in a row in a hand, in this order.
 * @param {State} s
 * @param {Piece} hand
 * @param {Piece[]} cards
 * @param {typeof change} [alter] how they are changed: arrange() if nobody has asked for it
 */
export function layOut(s, hand, cards, alter = change) {
  const rows = rowOf(s, hand, cards);
  for (const p of cards) settle(s, p, rows.get(p.id), alter);
}

/**
 * Lays a card at its place in the row. It leaves a card whose front is still hidden: the server
 * will soon send the update that reveals it (T23), and a move would be in conflict with it. After
 * that update the hand is arranged again.
 * @param {State} s
 * @param {Piece} p
 * @param {{x: number, y: number, angle: number, z?: string}|undefined} to
 * @param {typeof change} alter
 */
function settle(s, p, to, alter) {
  if (!to || s.catalog.masks.has(p.kind)) return;
  const { angle, ...place } = to;
  if (p.angle !== angle) alter(s, p.id, 'rotate', { angle });
  if (p.x !== place.x || p.y !== place.y || place.z) alter(s, p.id, 'move', place);
}

/**
 * Makes room for cards that are put into a hand between those that lie there.
 * @param {State} s
 * @param {{piece: Piece, x: number, y: number}[]} put
 * @returns {Map<number, {x: number, y: number, angle: number, z?: string}>} where to put them down.
 *   They cannot be moved later: the server reveals a card that comes into a hand with an update
 *   (T23), and a move right after the release would be in conflict with it
 */
export function makeRoom(s, put) {
  const slots = new Map();
  const cards = put.filter(({ piece }) => maskOf(s, piece) >= 0);
  for (const hand of cards.length > 0 ? handsOf(s) : []) {
    const place = placeOf(s, hand);
    const here = cards.filter(
      (c) => inside(c, place) && !slots.has(c.piece.id) && handAt(s, c) === hand,
    );
    if (here.length === 0) continue;
    const lying = cardsIn(s, hand);
    const all = inLine(
      [...lying.map((piece) => ({ piece, x: piece.x, y: piece.y })), ...here], place,
    ).map((c) => c.piece);
    const rows = rowOf(s, hand, all);
    for (const p of lying) settle(s, p, rows.get(p.id), arrange);
    for (const { piece } of here) slots.set(piece.id, rows.get(piece.id));
  }
  return slots;
}

/**
 * Returns Z levels above everything in the hand, in the order of the cards.
 * @param {State} s
 * @param {Piece[]} cards
 */
function levelsOnTopInOrder(s, cards) {
  const levels = [...levelsOnTop(s, cards).values()].sort();
  return new Map(levels.length === cards.length ? cards.map((p, i) => [p.id, levels[i]]) : []);
}

/**
 * Closes the row of a hand, in the order in which its cards lie.
 * @param {State} s
 * @param {Piece} hand
 */
export function closeUp(s, hand) {
  layOut(s, hand, cardsIn(s, hand));
}

/**
 * Sorts the cards of a hand in the order of the catalogue; if they lie in that order already, by
 * rank.
 * @param {State} s
 * @param {Piece} hand
 * @returns {'kind'|'rank'} how they are sorted now
 */
export function sort(s, hand) {
  const cards = cardsIn(s, hand);
  const byKind = [...cards].sort((a, b) => a.kind - b.kind || a.id - b.id);
  const isSorted = cards.every((p, i) => p.kind === byKind[i].kind);
  const ranks = isSorted ? ranksOf(s) : null;
  if (!ranks) {
    layOut(s, hand, byKind);
    return 'kind';
  }
  const rank = (/** @type {Piece} */ p) => ranks.get(nameOf(s, p)) ?? ranks.size;
  layOut(s, hand, [...cards].sort((a, b) => rank(a) - rank(b) || a.kind - b.kind || a.id - b.id));
  return 'rank';
}

/** @param {State} s @param {Piece} p */
function nameOf(s, p) {
  return kindOf(s, p).name.split(' of ')[0];
}

/**
 * Returns the ranks of a pack, such as "Ace" in "Ace of spades", in the order of its first suit;
 * null if it has none.
 * @param {State} s
 * @returns {Map<string, number>|null}
 */
function ranksOf(s) {
  const ranks = new Map();
  let twice = false;
  for (const { name, secret } of s.catalog.kinds) {
    const [rank, suit] = name.split(' of ');
    if (!secret || !suit) continue;
    if (ranks.has(rank)) twice = true;
    else ranks.set(rank, ranks.size);
  }
  return twice ? ranks : null;
}

/** How far from a zone cards still come into it, as a part of their height. */
const NEAR = 1;

/**
 * Plays cards: moves them out of the hand, into the zone that takes them near the middle of what
 * this person sees (T86.16), and what it does not take side by side onto free places of the table.
 * @param {State} s
 * @param {Piece[]} cards
 * @param {boolean} down face down
 */
export function play(s, cards, down) {
  const hand = handsOf(s).find((h) => inside(cards[0], placeOf(s, h))) ?? handsOf(s)[0];
  if (!hand) return;
  const place = placeOf(s, hand);
  const rest = playInto(s, place, cards, down);
  const spots = rest.length > 0 ? spotsFor(s, place, rest) : [];
  rest.forEach((p, i) => {
    turn(s, p, down);
    change(s, p.id, 'move', spots[i]);
  });
}

/**
 * Plays cards into a zone.
 * @param {State} s
 * @param {Place} place the hand
 * @param {Piece[]} cards
 * @param {boolean} down
 * @returns {Piece[]} those that it does not take
 */
function playInto(s, place, cards, down) {
  const { zones } = s.parts;
  const within = NEAR * kindOf(s, cards[0]).height;
  const near = goalIn(s, seenOf(s), place, cards[0]);
  const zone = zones?.zoneToPlay(s, cards[0], { near, within, down });
  if (!zones || !zone) return cards;
  const at = zones.orderedAt(s, zone);
  const spots = at ? [] : spotsFor(s, place, cards, zone);
  return cards.filter((p, i) => {
    if (!zones.takesNow(s, zone, p)) return true;
    turn(s, p, down);
    change(s, p.id, 'move', at ?? spots[i]);
    return false;
  });
}

/**
 * Turns a card to the side with which it is played.
 * @param {State} s
 * @param {Piece} p
 * @param {boolean} down
 */
export function turn(s, p, down) {
  if (!s.catalog.masks.has(p.kind) && kindOf(s, p).secret && isBack(s.catalog, p) !== down)
    change(s, p.id, 'flip', { face: down ? 1 : 0 });
}

/**
 * Returns free places for cards that are played, from left to right.
 * @param {State} s
 * @param {Place} place the hand
 * @param {Piece[]} cards
 * @param {Piece} [zone] where they must lie; missing: where this person sees them
 */
function spotsFor(s, place, cards, zone) {
  const { width, height } = kindAt(s.catalog, cards[0].kind);
  const sideways = s.view.camera.turn % 180 !== 0;
  const card = sideways ? { w: height, h: width } : { w: width, h: height };
  const box = zone ? boxOf(s, zone) : seenOf(s);
  const { left, right, top, bottom } = box;
  const room = {
    left: left + card.w / 2, right: right - card.w / 2,
    top: top + card.h / 2, bottom: bottom - card.h / 2,
  };
  const taken = obstacles(s, zone ? [...cards, zone] : cards);
  const spots = freeSpots(goalIn(s, box, place, cards[0]), card, room, taken, cards.length);
  return spots.sort((a, b) => along(a, place) - along(b, place));
}

/**
 * Returns where a card is played: in the middle of a box, at this person's side of it.
 * @param {State} s
 * @param {import('./spots.js').Box} box
 * @param {Place} place the hand
 * @param {Piece} card
 */
function goalIn(s, { left, right, top, bottom }, place, card) {
  const towards = turned(0, kindOf(s, card).height * 1.3, place.angle);
  return { x: (left + right) / 2 + towards.x, y: (top + bottom) / 2 + towards.y };
}

/**
 * Returns the part of the table that this person sees between the bars, in units.
 * @param {State} s
 */
function seenOf(s) {
  const { camera: v } = s.view;
  const strip = s.page.handStrip.hidden ? 0 : s.page.handStrip.offsetHeight;
  const a = toTable(v, v.left + SIDE, v.top + UPPER);
  const b = toTable(v, v.left + v.w - SIDE, v.top + v.h - Math.max(strip + SIDE, LOWER));
  const [w, h] = [v.width / 2, v.height / 2];
  return {
    left: clamp(Math.min(a.x, b.x), -w, w), right: clamp(Math.max(a.x, b.x), -w, w),
    top: clamp(Math.min(a.y, b.y), -h, h), bottom: clamp(Math.max(a.y, b.y), -h, h),
  };
}

/**
 * Returns the boxes of everything on which no card is played: all pieces but boards. A zone might
 * turn it over.
 * @param {State} s
 * @param {Piece[]} but the cards themselves, and the zone into which they are played
 */
function obstacles(s, but) {
  const { width, height } = s.view.camera;
  const boxes = [];
  for (const p of s.sync.pieces.values()) {
    const k = kindOf(s, p);
    const isBoard = k.weight === 'heavy' && !k.hand && !k.zone &&
      k.width * k.height > (width * height) / 12;
    if (!isBoard && !but.includes(p)) boxes.push(boxOf(s, p));
  }
  return boxes;
}

/**
 * Arranges a hand when cards have come into it or left it.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindHand(s) {
  /** Which cards lie in each of this person's hands. @type {Map<number, string>} */
  const known = new Map();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const look = () => {
    timer = undefined;
    if (!s.ready || !document.hasFocus()) return; // of two windows only the focused one does it
    if (s.input.carry || cardsOf(s).fetches.length > 0) {
      timer = setTimeout(look, SETTLES);
      return;
    }
    for (const hand of handsOf(s)) {
      if (hand.owner !== s.sync.you) continue;
      const cards = cardsIn(s, hand);
      const key = cards.map((p) => p.id).sort((a, b) => a - b).join();
      if ((known.get(hand.id) ?? '') === key) continue;
      if (cards.some((p) => s.sync.pending(p.id))) {
        timer ??= setTimeout(look, SETTLES);
        continue;
      }
      known.set(hand.id, key);
      layOut(s, hand, cards, arrange);
    }
  };
  onEvent(s, (event) => {
    if (event.type !== 'holds' && event.type !== 'update' && event.type !== 'made') return;
    timer ??= setTimeout(look, SETTLES);
  });
  return () => clearTimeout(timer);
}
