// The part of the page for zones (T86) and supplies (T89): it shows which of them takes what is
// carried over it, and how many pieces lie in a zone, puts pieces there by keys, and carries along
// what lies in a zone. It is loaded with the first of them on the table. The server lays the pieces
// in order.

import { allowed } from '../../input/action.js';
import { change, inOrder, refusal, sendMake } from '../../input/ops.js';
import { isUnseen, kindNamed, kindOf } from '../../view/catalog.js';
import { nameOf, the } from '../../view/describe.js';
import { drawLabel, drawTag } from '../../view/piece.js';
import { eachFrame } from '../../view/state.js';
import { beginningOf, covers, distanceTo, hindranceOf, isZone, lyingIn } from './lying.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../input/action.js').Action} Action */

/** How many zones the menu offers for pieces: the nearest ones. */
const OFFERED = 8;

/**
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  /** The zone or the supply over which something is carried, and whether it takes that. */
  let over = { id: 0, no: '' };
  let drawn = -1;
  eachFrame(s, () => {
    const now = target(s);
    if (now.id !== over.id || now.no !== over.no) {
      show(s, over.id, '', '');
      show(s, now.id, 'zone-accepts', now.no ? 'zone-refuses' : '');
      if (now.id) announce(s, now, voice);
      over = now;
    }
    if (s.view.drawn !== drawn && s.view.moving.size === 0) {
      drawn = s.view.drawn;
      count(s);
    }
    return false;
  });
  s.redraw();
  return () => show(s, over.id, '', '');
}

/**
 * Returns the zone or the supply onto which what is carried would be put, and why it does not take
 * that.
 * @param {State} s
 */
function target(s) {
  const c = s.input.carry;
  const lead = c?.from.get(c.lead);
  const piece = c && s.sync.pieces.get(c.lead);
  if (!lead || !piece || kindOf(s, piece).weight === 'heavy') return { id: 0, no: '' };
  return takerAt(s, piece, { x: lead.x + c.dx, y: lead.y + c.dy });
}

/**
 * Returns the uppermost supply under a point that takes a piece back, or else the uppermost zone
 * that takes it; else the uppermost zone there, and why it does not take it. A hand or a container
 * comes first.
 * @param {State} s
 * @param {Piece} piece
 * @param {Point} at
 */
function takerAt(s, piece, at) {
  const isUnder = (/** @type {Piece} */ p) => p.holder === 0 && covers(s, p, at);
  const supply = suppliesFor(s, piece).find(isUnder);
  const under = zonesOn(s).filter(isUnder);
  if (!supply && under.length === 0) return NOBODY;
  if (s.sync.taker({ ...piece, ...at }, 'release')?.into) return NOBODY;
  if (supply) return { id: supply.id, no: '' };
  const all = under.map((z) => ({ id: z.id, no: hindranceOf(s, z, piece) }));
  return all.find(({ no }) => no === '') ??
    all.find((_, i) => !isUnseen(kindOf(s, under[i]))) ?? NOBODY;
}

const NOBODY = { id: 0, no: '' };

/**
 * Returns the supplies that take a piece back, the uppermost first.
 * @param {State} s
 * @param {Piece} piece
 */
function suppliesFor(s, piece) {
  if (piece.set || piece.pinned || piece.locked) return [];
  const of = kindOf(s, piece);
  return downwards(s, (p) => {
    const { supply } = kindOf(s, p);
    return supply !== undefined && !p.locked && kindNamed(s.catalog, supply.of) === of;
  });
}

/** Returns the zones on the table, the uppermost first. @param {State} s */
const zonesOn = (s) => downwards(s, (p) => isZone(s, p));

/**
 * Returns some pieces, the uppermost first.
 * @param {State} s
 * @param {(p: Piece) => boolean} which
 */
function downwards(s, which) {
  return [...s.sync.pieces.values()].filter(which).sort(
    (a, b) => s.view.order.rank(b.id) - s.view.order.rank(a.id),
  );
}

/**
 * Whether a zone lays in order what is put down at a point, or a supply takes it back. Then it does
 * not snap to anything else.
 * @param {State} s
 * @param {Piece} piece
 * @param {Point} at
 */
export function lays(s, piece, at) {
  const { id, no } = takerAt(s, piece, at);
  return id !== 0 && no === '';
}

/**
 * Returns the zone into which somebody plays a card from their hand who only says with which side
 * up: the nearest one that takes it so. In front of other players they play nothing (T86.16).
 * @param {State} s
 * @param {Piece} card
 * @param {{near: Point, within: number, down: boolean}} how
 * @returns {Piece|null}
 */
export function zoneToPlay(s, card, { near, within, down }) {
  const mine = s.sync.seats.get(s.sync.you)?.side ?? 0;
  const isOthers = (/** @type {Piece} */ { id }) => s.catalog.sides.some(
    ({ pieces }, i) => i + 1 !== mine && pieces?.includes(id),
  );
  const other = down ? 'up' : 'down';
  let found = null;
  let far = within;
  for (const zone of zonesOn(s)) {
    const d = distanceTo(s, zone, near);
    if (d > far || (found && d === far)) continue;
    if (zone.holder !== 0 || kindOf(s, zone).zone?.turns === other || isOthers(zone)) continue;
    if (hindranceOf(s, zone, card) !== '') continue;
    [found, far] = [zone, d];
  }
  return found;
}

/**
 * Returns where cards are put that are played into a zone which lays them in order; null if it
 * leaves them where they are put.
 * @param {State} s
 * @param {Piece} zone
 */
export function orderedAt(s, zone) {
  return kindOf(s, zone).zone?.lay === 'free' ? null : beginningOf(s, zone);
}

/** Whether a zone takes a piece now. @param {State} s @param {Piece} zone @param {Piece} piece */
export const takesNow = (s, zone, piece) => hindranceOf(s, zone, piece) === '';

/**
 * Shows at a zone or a supply whether it takes what is carried.
 * @param {State} s
 * @param {number} id
 * @param {string} accepts
 * @param {string} refuses comes instead, if it is not empty
 */
function show(s, id, accepts, refuses) {
  const classes = s.view.shown.get(id)?.el.classList;
  classes?.toggle('zone-accepts', accepts !== '' && refuses === '');
  classes?.toggle('zone-refuses', refuses !== '');
}

/** @param {State} s @param {{id: number, no: string}} over @param {Voice} voice */
function announce(s, { id, no }, voice) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return;
  const what = the(nameOf(s, piece));
  switch (no) {
    case '':
      voice.whisper(msg(isZone(s, piece) ? 'zones.takes' : 'zones.takesBack', { what }));
      break;
    case 'full':
      voice.whisper(msg('zones.full', { what }));
      break;
    default:
      voice.whisper(msg('zones.refuses', { what }));
  }
}

/**
 * Draws how many pieces lie in each zone whose kind shows that, and says what supplies give. A pile
 * in such a zone does not say the same once more.
 * @param {State} s
 */
function count(s) {
  for (const supply of downwards(s, (p) => kindOf(s, p).supply !== undefined)) {
    const p = s.view.shown.get(supply.id);
    if (p) drawLabel(s, p, supply);
  }
  /** @type {Set<number>} */
  const piled = new Set();
  for (const zone of zonesOn(s)) {
    const p = s.view.shown.get(zone.id);
    const of = kindOf(s, zone).zone;
    if (!p || !of?.count) continue;
    const all = lyingIn(s, zone);
    if (of.lay === 'pile') for (const { id } of all) piled.add(id);
    drawTag(s, p, 'count', String(all.length));
    drawLabel(s, p, zone);
  }
  for (const [id, p] of s.view.shown) p.el.classList.toggle('tallied', piled.has(id));
}

/**
 * Returns the name of the uppermost zone that covers a point; '' if there is none.
 * @param {State} s
 * @param {Point} at
 */
export function nameAt(s, at) {
  const under = [...s.view.zones]
    .flatMap((id) => s.sync.pieces.get(id) ?? [])
    .filter((zone) => covers(s, zone, at))
    .sort((a, b) => s.view.order.rank(b.id) - s.view.order.rank(a.id));
  return under[0] ? nameOf(s, under[0]) : '';
}

/** Says in which zone a point lies; '' if in none. @param {State} s @param {Point} at */
export function placeName(s, at) {
  const name = nameAt(s, at);
  return name && msg('zones.on', { name });
}

/**
 * What a screen reader says of a zone: how many pieces lie there; of a supply: what it gives.
 * @param {State} s
 * @param {Piece} zone
 * @returns {string[]}
 */
export function saysOf(s, zone) {
  const { supply } = kindOf(s, zone);
  if (supply) return [msg('zones.gives', { what: supply.of })];
  return kindOf(s, zone).zone?.count ? [msg('zones.count', { n: lyingIn(s, zone).length })] : [];
}

/**
 * Returns what lies in the zones among pieces: it is carried along with them.
 * @param {State} s
 * @param {Iterable<number>} ids
 * @returns {number[]}
 */
export function along(s, ids) {
  return [...ids].flatMap((id) => {
    const zone = s.sync.pieces.get(id);
    return zone && isZone(s, zone) ? lyingIn(s, zone).map((p) => p.id) : [];
  });
}

/**
 * Puts zones behind what is put down with them: while somebody holds a zone, it leaves everything
 * as it is (T86.8).
 * @template {{piece: Piece}} T
 * @param {State} s
 * @param {T[]} put
 * @returns {T[]}
 */
export function zonesLast(s, put) {
  return put.sort((a, b) => Number(isZone(s, a.piece)) - Number(isZone(s, b.piece)));
}

/**
 * Actions that put pieces on a zone, one for each zone that takes some of them, the nearest first,
 * and the one that gives pieces back to their supply.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Action[]}
 */
export function actionsFor(s, pieces) {
  const [first] = pieces;
  if (!first) return [];
  const far = (/** @type {Piece} */ z) => Math.hypot(z.x - first.x, z.y - first.y);
  const open = zonesOn(s).filter(
    (z) => !isUnseen(kindOf(s, z)) && pieces.some((p) => mayPut(s, z, p)),
  );
  const zones = open.sort((a, b) => far(a) - far(b) || a.id - b.id).slice(0, OFFERED).map(putOn);
  return pieces.some((p) => mayGiveBack(s, p)) ? [GIVE_BACK, ...zones] : zones;
}

/** @param {State} s @param {Piece} p */
function mayGiveBack(s, p) {
  return refusal(s, p, 'delete') === null && p.owner === 0 &&
    suppliesFor(s, p).some((supply) => supply.holder === 0);
}

/** Gives pieces back to their supply. @type {Action} */
const GIVE_BACK = {
  id: 'give-back',
  icon: 'stow',
  key: '',
  op: 'delete',
  aside: true,
  label: () => msg('zones.giveBack'),
  fits: (s, pieces) => pieces.filter((p) => mayGiveBack(s, p)),
  run: (s, pieces) => {
    for (const { id } of inOrder(s, pieces)) sendMake(s, 'delete', { piece: id });
  },
};

/** @param {State} s @param {Piece} zone @param {Piece} p */
function mayPut(s, zone, p) {
  return zone.holder === 0 && !lyingIn(s, zone).includes(p) && hindranceOf(s, zone, p) === '';
}

/** @param {Piece} zone @returns {Action} */
function putOn({ id }) {
  const zoneOf = (/** @type {State} */ s) => s.sync.pieces.get(id);
  return {
    id: `zone-${id}`,
    icon: 'stow',
    key: '',
    op: 'move',
    aside: true,
    label: (s) => {
      const zone = zoneOf(s);
      return msg('zones.put', { what: zone ? the(nameOf(s, zone)) : '' });
    },
    fits: (s, pieces) => {
      const zone = zoneOf(s);
      return zone ? allowed('move')(s, pieces).filter((p) => mayPut(s, zone, p)) : [];
    },
    run: (s, pieces) => {
      const zone = zoneOf(s);
      if (!zone) return;
      const at = beginningOf(s, zone);
      for (const p of inOrder(s, pieces)) change(s, p.id, 'move', at);
    },
  };
}
