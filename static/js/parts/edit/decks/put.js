// Puts a deck on the table: its kinds in one request (T100), then the deck and its cards in it
// (T101), and shuffles it.

import { kindNamed } from '../../../view/catalog.js';
import { invalidateBars } from '../../../bars/state.js';
import { isMadeHere } from '../../../input/pending.js';
import { onEvent } from '../../../listeners.js';
import { sendBlind } from '../../../input/ops.js';
import { countIn } from '../../../rights.js';
import { waitWhile } from '../../../wait.js';
import { whyOf } from '../form.js';
import { MOST_ART, encode } from '../picture.js';
import { addKinds, hasKind } from '../send.js';
import {
  kindsOf, namesOf, pictureNamed, planOf, printed, problemOf, textsOf,
} from './cards.js';
import { cell, countOf, size } from './deck.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('./deck.js').Deck} Deck */
/** @typedef {import('./deck.js').Row} Row */
/** @typedef {import('./pictures.js').Pictures} Pictures */
/** @typedef {import('./pictures.js').Named} Named */
/** @typedef {import('./busy.js').Progress} Progress */

/**
 * How many cards go to the server at once: a batch may have no more updates, and what comes in one
 * batch is one gesture (T62.3).
 */
const BLOCK = 250;

/** For how long nothing may come from the server, in ms. */
const LATE = 20_000;

/** How many bytes all pictures of a deck may have, so that a table has room for another one. */
const MOST_BYTES = 24 << 20;

/** How much smaller pictures become if there are many. */
const SMALLER = [1, 0.75, 0.5, 0.35, 0.25];

/**
 * Why a deck is not on the table; `row` is the row where it lies.
 * @typedef {{text: string, row?: Row, field?: 'name'|'size'}} Failed
 */

/** What the server did not do, of what this page sends now. @type {Set<number>} */
const refused = new Set();

/** Whether this page listens to refusals. */
let listens = false;

/**
 * Returns what is wrong with a deck, as a sentence; null if nothing is.
 * @param {State} s
 * @param {Deck} deck
 * @returns {Failed|null}
 */
export function faultOf(s, deck) {
  const kinds = s.catalog.kinds.length;
  const problem = problemOf(deck, { kinds, pieces: s.sync.pieces.size });
  if (!problem) return null;
  const { fault, row } = problem;
  const n = row ? deck.rows.indexOf(row) + 1 : 0;
  const value = row && (fault === 'count' || fault === 'colour') ? cell(deck, row, fault) : '';
  return {
    text: msg(`decks.fault.${fault}`, {
      n, value, cards: size(deck), rows: printed(deck).length, kinds,
    }),
    ...(row && { row }),
    ...((fault === 'name' || fault === 'size') && { field: fault }),
  };
}

/**
 * Puts a deck on the table.
 * @param {State} s
 * @param {Deck} deck
 * @param {Pictures} pictures
 * @param {boolean} shuffles
 * @param {AbortSignal} signal
 * @param {Progress} progress
 * @returns {Promise<Failed|null>} why that failed; null: it is done
 */
export async function putDeck(s, deck, pictures, shuffles, signal, progress) {
  const fault = faultOf(s, deck);
  if (fault) return fault;
  try {
    const rows = printed(deck);
    const art = await artOf(s, deck, rows, pictures, signal, progress);
    const numbers = await send(s, deck, rows, art, progress, signal);
    if (!Array.isArray(numbers)) return numbers;
    return await deal(s, deck, rows, numbers, shuffles, signal, progress);
  } catch (error) {
    if (signal.aborted) return { text: msg('decks.cancelled') };
    if (error instanceof Broken) return { text: error.message, row: error.row };
    return { text: whyOf(error) };
  }
}

/** A picture of a row that cannot be used. */
class Broken extends Error {
  /** @param {string} text @param {Row} row */
  constructor(text, row) {
    super(text);
    this.row = row;
  }
}

/** @typedef {{back: string, fronts: string[], files: Map<string, Uint8Array>}} Art */

/**
 * Makes the pictures as small as the cards need.
 * @param {State} s
 * @param {Deck} deck
 * @param {Row[]} rows
 * @param {Pictures} pictures
 * @param {AbortSignal} signal
 * @param {Progress} progress
 * @returns {Promise<Art>}
 */
async function artOf(s, deck, rows, pictures, signal, progress) {
  const { sha256 } = await s.load('fairness');
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  /** What is known of a picture at a size. @type {Map<string, string>} */
  const known = new Map();
  const used = new Set(rows.map((row) => pictureNamed(pictures, cell(deck, row, 'picture'))));
  const most = Math.min(MOST_ART, MOST_BYTES / (used.size + 1));
  /** @param {Named} named @param {number} width @param {number} height in millimetres */
  const hashOf = async ({ name, picture }, width, height) => {
    const key = `${name} ${width} ${height}`;
    const old = known.get(key);
    if (old) return old;
    let bytes = new Uint8Array();
    for (const part of SMALLER) {
      bytes = await encode(picture, width * part, height * part);
      if (picture.isSvg || bytes.length <= most) break;
    }
    const hash = [...sha256(bytes)].map((b) => b.toString(16).padStart(2, '0')).join('');
    files.set(hash, bytes);
    known.set(key, hash);
    return hash;
  };
  /** @type {string[]} */
  const fronts = [];
  for (const [i, row] of rows.entries()) {
    signal.throwIfAborted();
    progress(msg('decks.making', { n: i + 1, of: rows.length }), i, rows.length);
    const named = pictureNamed(pictures, cell(deck, row, 'picture'));
    if (!named) {
      fronts.push('');
      continue;
    }
    const texts = textsOf(deck, row, true);
    const { picture: place } = planOf(deck, {
      title: texts.title !== '', text: texts.text !== '', picture: true,
    });
    try {
      fronts.push(await hashOf(named, (place?.width ?? 10) / 10, (place?.height ?? 10) / 10));
    } catch (error) {
      throw new Broken(msg('decks.badPicture', {
        name: named.name, n: deck.rows.indexOf(row) + 1, why: whyOf(error),
      }), row);
    }
  }
  const named = pictureNamed(pictures, deck.back.picture);
  const back = named ? await hashOf(named, deck.width, deck.height) : '';
  return { back, fronts, files };
}

/**
 * Sends the kinds. Returns their numbers: those of the back, of the deck, and of the cards.
 * @param {State} s
 * @param {Deck} deck
 * @param {Row[]} rows
 * @param {Art} art
 * @param {Progress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<number[]|Failed>}
 */
async function send(s, deck, rows, art, progress, signal) {
  progress(msg('decks.sending'), rows.length, rows.length);
  const numbered = (/** @type {string} */ name, /** @type {number} */ n) =>
    msg('decks.numbered', { name, n });
  const isThere = (/** @type {string} */ name) => kindNamed(s.catalog, name) !== undefined;
  const name = deck.name.trim();
  /** @param {(name: string) => boolean} isTaken */
  const kinds = (isTaken) => {
    let own = name;
    for (let n = 2; isTaken(own) || isTaken(msg('decks.cardOf', { name: own })); n++)
      own = numbered(name, n);
    const back = msg('decks.cardOf', { name: own });
    const isUsed = (/** @type {string} */ one) => one === own || one === back || isTaken(one);
    return kindsOf(deck, { own, back, cards: namesOf(deck, rows, numbered, isUsed) }, art);
  };
  // The same deck once more has the same kinds, which the table has already.
  const add = (/** @type {typeof isThere} */ isTaken) =>
    orAbort(addKinds(s, kinds(isTaken), art.files), signal);
  const answer = await add(() => false);
  return !Array.isArray(answer) && answer.code === 'kind-taken' ? add(isThere) : answer;
}

/**
 * Waits for something, unless it is cancelled before.
 * @template T
 * @param {Promise<T>} task
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
async function orAbort(task, signal) {
  signal.throwIfAborted();
  return Promise.race([task, new Promise((/** @type {(v: never) => void} */ _, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  })]);
}

/**
 * Adds the deck and its cards.
 * @param {State} s
 * @param {Deck} deck
 * @param {Row[]} rows
 * @param {number[]} numbers of the kinds
 * @param {boolean} shuffles
 * @param {AbortSignal} signal
 * @param {Progress} progress
 * @returns {Promise<Failed|null>}
 */
async function deal(s, deck, rows, [, own, ...fronts], shuffles, signal, progress) {
  if (!(await hasKind(s, own))) return { text: msg('decks.late') };
  const dialogs = await s.load('dialogs');
  listen(s);
  const before = new Set(s.sync.pieces.keys());
  dialogs.addPiece(s, own);
  const isNew = () => [...s.sync.pieces.values()].find((piece) =>
    piece.kind === own && !before.has(piece.id) && isMadeHere(s, piece.id));
  await waitWhile(() => !isNew(), LATE);
  const piece = isNew();
  if (!piece) return { text: msg('decks.late') };
  // What is added comes on top, so the last row goes first.
  const cards = rows.flatMap((row, i) =>
    Array.from({ length: countOf(deck, row) || 0 }, () => fronts[i])).reverse();
  const inside = () => countIn(s, piece) ?? 0;
  for (let sent = 0; sent < cards.length;) {
    if (signal.aborted) return { text: msg('decks.stopped') };
    progress(msg('decks.dealing', { n: sent, of: cards.length }), sent, cards.length);
    const block = cards.slice(sent, sent + BLOCK);
    sent += block.length;
    refused.clear();
    waiting = new Set(block.map((kind) =>
      s.sync.make('add', { kind, x: piece.x, y: piece.y, into: piece.id })));
    s.net.flush();
    invalidateBars(s);
    await waitWhile(() => inside() < sent && refused.size === 0 && !signal.aborted, LATE);
    waiting = new Set();
    if (inside() < sent && signal.aborted) return { text: msg('decks.stopped') };
    if (inside() < sent)
      return { text: msg('decks.unfinished', { n: inside(), of: cards.length }) };
  }
  if (shuffles && cards.length > 1) sendBlind(s, piece.id, 'shuffle');
  return null;
}

/** The updates whose outcome counts now. @type {Set<number>} */
let waiting = new Set();

/** Listens to what the server does not do. @param {State} s */
function listen(s) {
  if (listens) return;
  listens = true;
  onEvent(s, (event) => {
    if (event.type === 'reject' && waiting.has(event.seq)) refused.add(event.seq);
  });
}
