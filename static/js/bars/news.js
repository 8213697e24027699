// What others do, as data and as sentences for screen readers.

import { msg } from '../msg.js';
import { firstMessage, isLoaded, list } from '../messages.js';
import { lower, the } from '../view/describe.js';

/**
 * The files with messages for what others do. Those of parts are there when the part is loaded.
 */
const WITH_NEWS = ['core', 'abilities', 'guests'];

/**
 * A move between cells of boards, by their names; '': no cell.
 * @typedef {{from: string, to: string}} Move
 */
/**
 * News of one person and one operation. `what` has the names of the pieces, by id, with their
 * moves, and what a piece has captured.
 * @typedef {object} News
 * @property {string} who
 * @property {string} op
 * @property {Map<number, {name: string, move?: Move, taken?: string}>} what
 */

/** Operations of which all pieces are named: buttons, and what a press has turned up. */
const NAMED = new Set(['run', 'turnedUp']);

/**
 * Drops the news of what somebody did to a piece, because the same person has done more since: put
 * down what they had picked up.
 * @param {Map<string, News>} gathered
 * @param {string} key
 * @param {number} piece
 * @returns {boolean} whether there was such news
 */
export function dropNews(gathered, key, piece) {
  const earlier = gathered.get(key);
  const is = earlier?.what.delete(piece) === true;
  if (is && earlier.what.size === 0) gathered.delete(key);
  return is;
}

/** How many moves between cells are named one by one. */
const FEW = 3;

/**
 * Splits the news of a few moves to cells into one for each move: they can be moves of a game that
 * came soon after each other.
 * @param {News[]} all
 * @returns {News[]}
 */
export function movesApart(all) {
  return all.flatMap((news) => {
    const moves = [...news.what];
    const isApart = (news.op === 'release' || news.op === 'move') && moves.length <= FEW &&
      moves.every(([, { move }]) => move?.to && move.from !== move.to);
    return isApart ? moves.map((one) => ({ ...news, what: new Map([one]) })) : [news];
  });
}

/**
 * Joins the news that somebody captured a piece to the news of the piece that has come to its cell.
 * The same for captures that are undone.
 * @param {News[]} all
 */
export function withCaptures(all) {
  for (const { op, what } of all) if (op === 'undo' && what.size === 2) joinUndone(what);
  /** @type {Set<News>} */
  const joined = new Set();
  for (const { who, what } of all) {
    const [[moved, mover] = [0, null]] = what;
    if (what.size !== 1 || !mover?.move?.to) continue;
    for (const other of all)
      for (const [id, { name, move }] of other.what) {
        if (other.who !== who || !move || move.to || move.from !== mover.move.to) continue;
        what.set(moved, { ...mover, taken: name });
        other.what.delete(id);
        joined.add(other);
      }
  }
  return all.filter((news) => news.what.size > 0 || !joined.has(news));
}

/** @param {News['what']} what what an undo has done to two pieces */
function joinUndone(what) {
  for (const [captor, { move, ...of }] of what)
    for (const [id, taken] of what)
      if (move?.from && taken.move && !taken.move.from && taken.move.to === move.from) {
        what.set(captor, { ...of, move, taken: taken.name });
        what.delete(id);
      }
}

/** The messages for an operation of somebody else. @param {string} op */
function idsOf(op) {
  return WITH_NEWS.map((file) => `${file}.did.${op}`);
}

/** Reports whether there is a message for an operation of somebody else. @param {string} op */
export function isAnnounced(op) {
  return idsOf(op).some(isLoaded);
}

/** Returns the sentence for some news. @param {News} told */
export function sentenceOf({ who, op, what }) {
  const [{ name, move, taken } = { name: '' }] = what.values();
  const args = {
    who,
    what: NAMED.has(op) ? namesOf(op, what)
      : what.size === 1 ? the(name) : msg('core.pieces', { n: what.size }),
    n: what.size,
    taken: taken ? the(taken) : '',
    ...move,
  };
  const between = what.size === 1 && move?.from && move.to && move.from !== move.to;
  const put = what.size === 1 && move?.to && !move.from && (op === 'release' || op === 'move');
  const ids = between
    ? [`boards.${taken ? 'captured' : 'moved'}${op === 'undo' ? 'Back' : ''}`]
    : put ? [taken ? 'boards.putTaking' : 'boards.put'] : idsOf(op);
  return firstMessage(ids, args);
}

/** Lists names, those of buttons in quotes. @param {string} op @param {News['what']} what */
function namesOf(op, what) {
  return list([...what.values()].map(({ name }) =>
    (op === 'run' ? msg('core.quoted', { name }) : lower(name))));
}
