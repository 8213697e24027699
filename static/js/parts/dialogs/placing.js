// The places of the game that nobody has (T90), of which hosts may give one to somebody (T98).

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { failures, post } from './posting.js';
import { el } from '../../view/dom.js';
import { seatAt } from '../../view/sides.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../view/catalog.js').Side} Side */

/**
 * Returns the places of the game that nobody has, with their numbers.
 * @param {State} s
 * @returns {{side: Side, n: number}[]}
 */
export function freePlaces(s) {
  return s.catalog.sides.map((side, i) => ({ side, n: i + 1 })).filter(({ n }) => !seatAt(s, n));
}

/** Makes a mark with the colour of a side. @param {Side} side */
export function markOf(side) {
  const mark = el('span', { class: 'seat-side', 'aria-hidden': 'true' });
  mark.style.background = side.colour;
  return mark;
}

/**
 * Opens the dialog in which a host gives somebody one of the free places.
 * @param {State} s
 * @param {Seat} seat
 */
export function openPlaces(s, seat) {
  const { nick } = seat;
  const { failed, wait } = failures(() => d.close());
  const d = openDialog(
    s.page.main, 'person', msg('dialogs.roles.placeTitle', { nick }), msg('dialogs.roles.close'),
    el('p', { class: 'quiet' }, msg('dialogs.roles.placeAbout', { nick })),
    el(
      'div', { class: 'person-doors' },
      ...freePlaces(s).map(({ side, n }) => {
        const give = () => void wait(givePlace(s, seat, n));
        return el('button', { class: 'secondary', onclick: give }, markOf(side), side.name);
      }),
    ),
    failed,
  );
}

/**
 * Gives a seat a place.
 * @param {State} s
 * @param {Seat} seat
 * @param {number} n
 * @returns {Promise<string|null>} why that failed; null: it is done
 */
function givePlace(s, seat, n) {
  return post(s, `/seats/${seat.id}/side?side=${n}`, null,
    (code) => firstMessage([`dialogs.roles.whyPlace.${code}`]));
}
