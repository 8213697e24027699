// Describes pieces in words: their names, the text on them, their contents, their holders and their
// places.

import { abilityOf } from '../kinds/abilities.js';
import { faceAt, kindOf } from './catalog.js';
import { UNITS, turned } from './geometry.js';
import { isInMyHand, seesThrough } from '../rights.js';
import { msg } from '../msg.js';
import { nickOf } from './names.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/** Returns the name of what a piece shows. @param {State} s @param {Piece} piece */
export function nameOf(s, piece) {
  const k = kindOf(s, piece);
  const own = abilityOf(k).nameOf?.(s, piece);
  if (own) return own;
  const face = faceAt(k, seesThrough(s, piece) ? 0 : piece.face);
  if (!k.name) return msg('core.piece.unknown');
  const side = sideBy(s, piece);
  const name = side ? msg('core.piece.ofSide', { name: k.name, side: side.name }) : k.name;
  const plain =
    !face.name ||
    face.name === k.name ||
    (k.faces.length === 1 && !s.catalog.masks.has(piece.kind));
  return plain ? name : msg('core.piece.showing', { name, face: lower(face.name) });
}

/**
 * Returns the side of the game to which a piece belongs by how it lies.
 * @param {State} s
 * @param {Piece} piece
 */
function sideBy(s, piece) {
  return kindOf(s, piece).pointed
    ? s.catalog.sides.find(({ angle }) => angle === piece.angle) : undefined;
}

/** A name that begins with whose it is: "Ada’s hand". Nobody is a word like others. */
const OWNED = /^(?!Nobody|Your ).*’s /;

/** A name like "Tarock 18", "Pentomino F" or "Ball B12", which tells one of a sort from others. */
const NUMBERED = /^\p{Lu}\p{L}* (\d+|[IVXLCDM]+|\p{Lu}\d*)(?![\p{L}\d])/u;

/**
 * Returns a name without the capital that it has only because it comes first: "White king" →
 * "white king". Others stay as they are written: "Ada’s hand", "Tarock 18", "German tile", "Dealer
 * Button". This is English grammar, and so is the list of words that always have a capital.
 * @param {string} name
 */
export function lower(name) {
  const isPlain = /^\p{Lu}\p{Ll}/u.test(name) && !OWNED.test(name) && !NUMBERED.test(name);
  const [first, second = ''] = name.split(' ');
  const isProper = msg('core.proper').split(' ').includes(first);
  if (!isPlain || isProper || /^\p{Lu}\p{Ll}/u.test(second)) return name;
  return name[0].toLowerCase() + name.slice(1);
}

/**
 * Returns a name as it stands inside a sentence: "White king" → "the white king". Names that begin
 * with an owner or end in a number have no article. This is English grammar.
 * @param {string} name
 */
export function the(name) {
  const plain = lower(name);
  const standsAlone = OWNED.test(name) || NUMBERED.test(name) || /^Your |^Nobody/.test(name);
  return standsAlone ? plain : msg('core.the', { name: plain });
}

/**
 * Describes a piece in a few words: its name, who holds it or what fixes it, and its place.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} height
 */
export function describe(s, piece, height) {
  const parts = [
    nameOf(s, piece),
    ...(s.parts.layers?.saysOf(s, piece) ?? []),
    ...saysOf(s, piece),
    ...(s.parts.abilities?.saysOfPlace(s, piece) ?? []),
    ...(s.parts.controls?.saysOfAttached(s, piece) ?? []),
    ...(s.parts.marks?.saysOf(piece.id) ?? []),
    ...(s.parts.doors?.saysOfDoor(piece.id) ?? []),
    ...(s.parts.guests?.saysOfGuest(s, piece) ?? []),
  ];
  if (seesThrough(s, piece)) parts.push(msg('core.piece.faceDown'));
  if (height > 1) parts.push(msg('core.piece.topOf', { n: height }));
  if (piece.holder)
    parts.push(
      piece.holder === s.sync.you
        ? msg('core.piece.heldByYou')
        : msg('core.piece.heldBy', { nick: nickOf(s, piece.holder) }),
    );
  if (isInMyHand(s, piece))
    parts.push(
      piece.owner === s.sync.you
        ? msg('core.piece.inYourHand')
        : msg('core.piece.inHandOf', { nick: nickOf(s, piece.owner) }),
    );
  parts.push(...(s.parts.cards?.saysOnRack(s, piece) ?? []));
  if (piece.locked) parts.push(msg('core.piece.locked'));
  else if (piece.pinned) parts.push(msg('core.piece.pinned'));
  if (s.pending.late.has(piece.id)) parts.push(msg('core.piece.pending'));
  const angle = turnOf(s, piece);
  if (angle !== 0) parts.push(msg('core.piece.turned', { degrees: Math.round(angle / 100) }));
  parts.push(placeOf(s, piece, kindOf(s, piece).weight === 'heavy'));
  return parts.join(', ');
}

/**
 * Returns the angle at which somebody has turned a piece, as this person sees it; 0 if it only lies
 * towards one side of the table or another.
 * @param {State} s
 * @param {Piece} piece
 */
function turnOf(s, piece) {
  const k = kindOf(s, piece);
  if (k.upright || piece.angle === 0) return piece.angle;
  if (sideBy(s, piece)) return 0;
  const seen = (piece.angle + s.view.camera.turn * 100) % 36000;
  return k.weight === 'heavy' && seen % 9000 === 0 ? 0 : seen;
}

/** Describes what the kind of a piece has to say of it. @param {State} s @param {Piece} piece */
function saysOf(s, piece) {
  const k = kindOf(s, piece);
  return (abilityOf(k).says?.(s, piece, k) ?? []).filter(Boolean);
}

/**
 * Describes the place of a piece: the name of a cell of a board or of a zone, or how far it is from
 * the middle as this person sees the table.
 * @param {State} s
 * @param {{x: number, y: number}} at
 * @param {boolean} [heavy] whether it is the place of a board or of something else that lies below
 */
export function placeOf(s, at, heavy = false) {
  const name = !heavy && (s.parts.boards?.placeName(s, at) || s.parts.zones?.placeName(s, at));
  if (name) return name;
  const v = turned(at.x, at.y, s.view.camera.turn);
  const cx = Math.round(v.x / (10 * UNITS));
  const cy = Math.round(v.y / (10 * UNITS));
  const cm = { x: Math.abs(cx), y: Math.abs(cy) };
  const across = cx && msg(cx < 0 ? 'core.place.left' : 'core.place.right', { cm: cm.x });
  const along = cy && msg(cy < 0 ? 'core.place.up' : 'core.place.down', { cm: cm.y });
  if (across && along) return msg('core.place.both', { across, along });
  return across || along || msg('core.place.middle');
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
