// The count of games won (T77): who won the game that ends with a rematch, and the list in which
// hosts change the counts.

import { el, setText } from '../../view/dom.js';
import { isPlayer } from '../../roles.js';
import { nickOf } from '../../view/names.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../parts.js').Part<'profiles'>} Profiles */

/** The most games that are counted (C14). */
const MOST = 9999;

/** Returns the seats whose games are counted. @param {State} s */
const players = (s) => [...s.sync.seats.values()].filter((seat) => !seat.left && isPlayer(seat));

/**
 * Makes the question who has won. read() returns the seat, or 0 for nobody.
 * @param {State} s
 */
export function askWinner(s) {
  const select = el(
    'select', { id: 'save-winner' },
    el('option', { value: '0' }, msg('saves.nobodyWon')),
    ...players(s).map((seat) => el('option', { value: seat.id }, nickOf(s, seat.id))),
  );
  const root = el(
    'div', { class: 'save-field' }, el('label', { for: select.id }, msg('saves.whoWon')), select,
  );
  return { root, read: () => Number(select.value) };
}

/**
 * Counts one game more, or one less, for a seat.
 * @param {State} s
 * @param {Profiles} profiles
 * @param {number} seat
 * @param {1|-1} by
 */
export function count(s, profiles, seat, by) {
  const games = profiles.winsOf(s, seat) + by;
  if (games >= 0 && games <= MOST) profiles.setWins(s, seat, games);
}

/**
 * Makes the list in which hosts change the counts: a slip is mended there.
 * @param {State} s
 * @param {Profiles} profiles
 */
export function winsList(s, profiles) {
  return el(
    'details', { class: 'save-wins' },
    el('summary', {}, msg('saves.wins')),
    el('ul', {}, ...players(s).map((seat) => row(s, profiles, seat.id))),
  );
}

/** @param {State} s @param {Profiles} profiles @param {number} seat */
function row(s, profiles, seat) {
  const nick = nickOf(s, seat);
  const games = el('b', { role: 'status', 'data-wins': seat });
  const draw = () => setText(games, String(profiles.winsOf(s, seat)));
  const button = (/** @type {1|-1} */ by) => el('button', {
    class: 'secondary', type: 'button', 'aria-label': by > 0
      ? msg('saves.oneMore', { nick }) : msg('saves.oneLess', { nick }),
    onclick: () => {
      count(s, profiles, seat, by);
      draw();
    },
  }, by > 0 ? '+' : '−');
  draw();
  return el('li', {}, el('span', {}, nick), button(-1), games, button(1));
}
