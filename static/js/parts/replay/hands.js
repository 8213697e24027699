// Who lets everybody watch the past with the hands that they had (T73.13 to T73.17).

import { called } from '../../bars/names.js';
import { OPEN_HANDS } from '../../net/replaynet.js';
import { isPlayer } from '../../roles.js';
import { list } from '../../messages.js';
import { el } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Seat} Seat */

/**
 * Opens a dialog that says who has opened their hands and who has not. There people open their own,
 * and go to the replay with open hands and back.
 * @param {State} s
 * @param {Voice} voice
 */
export async function showHands(s, voice) {
  const [seats, dialogs] = await Promise.all([readSeats(s), s.load('dialogs')]);
  const own = Number(s.page.main.dataset.seat);
  const body = el('div', { class: 'hands-of-past' });
  const d = dialogs.openDialog(
    s.page.main, 'hands', msg('replay.hands.title'), msg('replay.hands.close'), body,
  );
  const draw = (/** @type {Seat[]} */ all) => {
    const namesOf = (/** @type {Seat[]} */ some) => list(some.map((seat) => called(seat).nick));
    const { open, may, stay } = sortHands(all);
    const me = [...open, ...may].find(({ id }) => id === own);
    const until = Math.min(...open.map(({ opened = 0 }) => opened));
    const time = open.length > 0 ? whenOf(until) : '';
    const sentences = [
      open.length > 0
        ? msg('replay.hands.open', { who: namesOf(open), time })
        : msg('replay.hands.none'),
      may.length > 0 && msg('replay.hands.closed', { who: namesOf(may) }),
      stay.length > 0 && msg('replay.hands.stay', { who: namesOf(stay) }),
      open.length > 0 && may.length > 0 && stay.length === 0 && msg('replay.hands.table'),
    ];
    const set = async (/** @type {boolean} */ isToBeOpen) => {
      for (const b of body.querySelectorAll('button')) b.disabled = true;
      try {
        const answer = await fetch(`${s.api}/hands`, {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ open: isToBeOpen }),
        });
        if (!answer.ok) throw new Error(`opening hands answers ${answer.status}`);
        draw(await readSeats(s));
        voice.notice(msg(isToBeOpen ? 'replay.hands.opened' : 'replay.hands.shut'));
      } catch {
        voice.alarm(msg('replay.hands.failed'));
        draw(all);
      }
    };
    const path = location.pathname;
    const isOpen = location.search === OPEN_HANDS;
    body.replaceChildren(...sentences.filter((text) => text).map((text) => el('p', {}, text)));
    if (me) {
      body.append(
        el('p', {}, msg('replay.hands.own')),
        el(
          'div', { class: 'answers' },
          el(
            'button', { class: 'secondary', onclick: () => void set(true) },
            msg(me.opened ? 'replay.hands.again' : 'replay.hands.show'),
          ),
          !!me.opened && el(
            'button', { class: 'secondary', onclick: () => void set(false) },
            msg('replay.hands.hide'),
          ),
        ),
      );
    }
    body.append(el(
      'div', { class: 'answers' },
      open.length > 0 && !isOpen && el(
        'a', { class: 'primary', href: `${path}${OPEN_HANDS}` }, msg('replay.hands.watch'),
      ),
      isOpen && el('a', { class: 'secondary', href: path }, msg('replay.hands.back')),
    ));
  };
  draw(seats);
  return d;
}

/**
 * Returns the seats of those who have played: who has opened their hands, who may still do so, and
 * who has left without it.
 * @param {Seat[]} all
 */
export function sortHands(all) {
  const played = all.filter((seat) => isPlayer({ ...seat, left: 0 }) || seat.played);
  const closed = played.filter(({ opened }) => !opened);
  return {
    open: played.filter(({ opened }) => opened),
    may: closed.filter(({ left }) => !left),
    stay: closed.filter(({ left }) => left),
  };
}

/** Returns a time of the server as people read it. @param {number} at in ms */
function whenOf(at) {
  return new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/**
 * Reads the seats of the table as they are now.
 * @param {State} s
 * @returns {Promise<Seat[]>}
 */
async function readSeats(s) {
  const answer = await fetch(s.api);
  if (!answer.ok) throw new Error(`the table answers ${answer.status}`);
  return (await answer.json()).seats;
}
