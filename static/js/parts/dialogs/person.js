// What this person can do about somebody else at the table: give them another role (T66), make a
// link for them, let them edit the game (T99), hide what they say, or ask them to leave. What is
// kept of somebody who has left can be erased (T80).

import { confirm } from './confirm.js';
import { openDialog } from './dialog.js';
import { askToLeave } from './leaving.js';
import { openSeatLink } from './seatlink.js';
import { msg } from './msg.js';
import { askToEraseOther } from './owndata.js';
import { firstMessage } from '../../messages.js';
import { freePlaces, openPlaces } from './placing.js';
import { failures, post } from './posting.js';
import { propose } from './referee.js';
import { hosts, isHand, isHost } from '../../rights.js';
import { isPlayer, isReferee } from '../../roles.js';
import { isMuted, mute } from '../../bars/muted.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */

/**
 * Opens the dialog of what can be done about somebody else.
 * @param {State} s
 * @param {Seat} seat
 */
export function openPerson(s, seat) {
  const { nick } = seat;
  const { failed, wait } = failures(() => d.close());
  const give = (/** @type {string} */ role) => wait(giveRole(s, seat, role));
  const handOver = () =>
    confirm(
      s,
      {
        title: msg('dialogs.roles.handOverTitle', { nick }),
        text: msg('dialogs.roles.handOverAbout', { nick }),
        yes: msg('dialogs.roles.handOverYes'),
      },
      () => void giveRole(s, seat, 'host').then((problem) => {
        if (problem !== null) openFailed(s, problem);
      }),
    );
  /** @type {[boolean, string, string, () => void][]} whether it is offered, picture, text */
  const all = [
    [isHost(s) && !seat.left && seat.role === 'player', 'helper', msg('dialogs.roles.cohost'),
      () => void give('co-host')],
    [isHost(s) && !seat.left && seat.role === 'spectator', 'speaks',
      msg('dialogs.roles.play', { nick }), () => void give('player')],
    [hosts(s) && isPlayer(seat) && mayManage(s, seat) && freePlaces(s).length > 0, 'people',
      msg('dialogs.roles.place', { nick }), () => openPlaces(s, seat)],
    [hosts(s) && isPlayer(seat) && !seat.left, 'edit',
      msg(seat.editsBy ? 'dialogs.roles.noEdit' : 'dialogs.roles.edit', { nick }),
      () => void wait(letEdit(s, seat, !seat.editsBy))],
    [hosts(s) && mayBeReferee(s, seat), 'whistle', msg('dialogs.referee.propose'),
      () => propose(s, seat, (problem) => openFailed(s, problem))],
    [isHost(s) && !seat.left && seat.role === 'co-host', 'helper', msg('dialogs.roles.noCohost'),
      () => void give('player')],
    [isHost(s) && isPlayer(seat) && seat.role !== 'host' && !seat.home, 'crown',
      msg('dialogs.roles.handOver'), handOver],
    [hosts(s) && !seat.home && mayManage(s, seat) && !isReferee(seat), 'device',
      msg('dialogs.seatlink.door', { nick }), () => openSeatLink(s, seat)],
    [true, isMuted(s, seat.id) ? 'speaks' : 'mute',
      msg(isMuted(s, seat.id) ? 'dialogs.roles.unmute' : 'dialogs.roles.mute', { nick }),
      () => {
        mute(s, seat.id, !isMuted(s, seat.id));
        d.close();
      }],
    [hosts(s) && mayManage(s, seat), 'leave', msg('dialogs.leaving.door', { nick }),
      () => askToLeave(s, seat)],
    [mayErase(s, seat), 'remove', msg('dialogs.owndata.theirs', { nick }),
      () => askToEraseOther(s, seat)],
  ];
  const d = openDialog(
    s.page.main, 'person', nick, msg('dialogs.roles.close'),
    el('p', { class: 'quiet' }, roleText(seat)),
    el(
      'div', { class: 'person-doors' },
      ...all.filter(([offered]) => offered).map(([, picture, text, run]) =>
        el('button', { class: 'secondary', onclick: run }, icon(picture), text)),
    ),
    el('p', { class: 'quiet' }, msg('dialogs.roles.muteAbout', { nick })),
    failed,
  );
}

/**
 * Returns whether a host may put somebody out, and make a link for them: a co-host may not do that
 * to the host (T66).
 * @param {State} s
 * @param {Seat} seat
 */
const mayManage = (s, seat) => !seat.left && (isHost(s) || seat.role !== 'host');

/**
 * Returns whether this person may erase what is kept of somebody else: hosts may when that seat has
 * ended (T80.3).
 * @param {State} s
 * @param {Seat} seat
 */
export const mayErase = (s, seat) => hosts(s) && !!seat.left && !seat.erased;

/** Returns what the role of a seat is, or that its person has left. @param {Seat} seat */
export function roleText({ left, role }) {
  if (!left) return firstMessage([`dialogs.people.roles.${role}`]);
  return msg(role === 'referee' ? 'dialogs.people.wasReferee' : 'dialogs.people.hasLeft');
}

/**
 * Returns whether a seat may be proposed as a referee: it watches, has no hand, and nobody else is
 * proposed (T74).
 * @param {State} s
 * @param {Seat} seat
 */
function mayBeReferee(s, seat) {
  return seat.role === 'spectator' && !seat.left &&
    ![...s.sync.seats.values()].some(({ proposal, left }) => proposal && !left) &&
    ![...s.sync.pieces.values()].some((p) => p.owner === seat.id && isHand(s, p));
}

/**
 * Gives a seat another role.
 * @param {State} s
 * @param {Seat} seat
 * @param {string} role
 * @returns {Promise<string|null>} why that failed; null: it is done
 */
function giveRole(s, seat, role) {
  return post(s, `/seats/${seat.id}/role`, { role },
    (code) => firstMessage([`dialogs.roles.why.${code}`]));
}

/**
 * Lets somebody edit the game (T99), or ends that.
 * @param {State} s
 * @param {Seat} seat
 * @param {boolean} edits
 */
function letEdit(s, seat, edits) {
  return post(s, `/seats/${seat.id}/edit`, { edits },
    (code) => firstMessage([`dialogs.roles.why.${code}`]));
}

/** @param {State} s @param {string} problem */
function openFailed(s, problem) {
  openDialog(
    s.page.main, 'person', msg('dialogs.roles.notDone'), msg('dialogs.roles.close'),
    el('p', { class: 'problem', role: 'alert' }, problem),
  );
}
