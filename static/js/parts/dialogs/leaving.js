// Asking somebody to leave (T51), leaving for good, and logging out (T52).

import { openDialog } from './dialog.js';
import { actionButton, end, goAway, handChoice, handsOf, isOnlyHost } from './ending.js';
import { openInvite } from './invite.js';
import { msg } from './msg.js';
import { ownDataSection } from './owndata.js';
import { isPlayer, isReferee } from '../../roles.js';
import { post } from './referee.js';
import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */

/**
 * Asks a host what happens to somebody's cards, and then puts the seat out.
 * @param {State} s
 * @param {Seat} seat
 */
export function askToLeave(s, seat) {
  const hands = handsOf(s, seat.id)
    ? handChoice(s, seat, msg('dialogs.leaving.theirs'), true)
    : null;
  const go = async () => {
    const answer = await end(`${s.api}/seats/${seat.id}?${hands?.read() ?? ''}`);
    if (!answer) return false;
    d.close();
    await openInvite(s, msg('dialogs.leaving.renewed', { nick: seat.nick }));
    return true;
  };
  const title = msg('dialogs.leaving.title', { nick: seat.nick });
  const d = dialog(s, title, [el('p', {}, msg('dialogs.leaving.about')), hands?.root], [
    actionButton(msg('dialogs.leaving.keep', { nick: seat.nick }), 'secondary', () => d.close()),
    actionButton(msg('dialogs.leaving.go', { nick: seat.nick }), 'primary danger', go),
  ]);
}

/** Asks the player how to leave. @param {State} s */
export function askHowToLeave(s) {
  const you = s.sync.seats.get(s.sync.you);
  if (!you) return;
  const hands = isPlayer(you) && handsOf(s, you.id)
    ? handChoice(s, you, msg('dialogs.leaving.yours'), false)
    : null;
  const alone = isOnlyHost(s);
  const away = (/** @type {string} */ url, method = 'DELETE') => async () => {
    const answer = await end(url, method);
    if (answer) goAway(s);
    return answer !== null;
  };
  const leave = alone
    ? el(
      'section', {}, el('h3', {}, msg('dialogs.leaving.forGood')),
      el('p', {}, msg('dialogs.leaving.onlyHost')),
    )
    : el(
      'section', {}, el('h3', {}, msg('dialogs.leaving.forGood')),
      el('p', {}, msg('dialogs.leaving.forGoodAbout')),
      hands && !you.opened ? el('p', {}, msg('dialogs.leaving.handsStay')) : '', hands?.root ?? '',
      actionButton(
        msg('dialogs.leaving.forGoodGo'), 'primary danger',
        () => away(`${s.api}/seats/me?${hands?.read() ?? ''}`)(),
      ),
    );
  const up = isPlayer(you) && !alone ? standUp(s, you, () => d.close()) : null;
  const out = el(
    'section', {}, el('h3', {}, msg('dialogs.leaving.logOut')),
    el('p', {}, sayLogOut(s, you)),
    actionButton(
      msg('dialogs.leaving.logOutGo'), 'secondary danger', away(`${s.api}/logout`, 'POST'),
    ),
  );
  const d = dialog(s, msg('dialogs.leaving.leaveTitle'), [up, leave, out, ownDataSection(s)], []);
}

/**
 * Says what logging out means. Hosts make links back to seats (T66), but not to seats of visitors
 * and of referees, and a co-host makes none to the host's.
 * @param {State} s
 * @param {Seat} you
 */
export function sayLogOut(s, you) {
  if (isOnlyHost(s)) return msg('dialogs.leaving.logOutAlone');
  const mayComeBack = you.role !== 'host' && !you.home && !isReferee(you);
  return msg(mayComeBack ? 'dialogs.leaving.logOutBack' : 'dialogs.leaving.logOutAbout');
}

/**
 * Offers a player to watch only (T75).
 * @param {State} s
 * @param {Seat} you
 * @param {() => void} done
 */
function standUp(s, you, done) {
  const hands = handsOf(s, you.id)
    ? handChoice(s, you, msg('dialogs.leaving.yours'), true, 'stand')
    : null;
  const go = async () => {
    const problem = await post(s, `/seats/me/stand?${hands?.read() ?? ''}`);
    if (problem === null) done();
    return problem === null;
  };
  return el(
    'section', {}, el('h3', {}, msg('dialogs.stand.title')),
    el('p', {}, msg('dialogs.stand.about')), hands?.root ?? '',
    actionButton(msg('dialogs.stand.go'), 'secondary', go),
  );
}

/**
 * @param {State} s
 * @param {string} title
 * @param {(Node|null|undefined)[]} content
 * @param {Node[]} doors
 */
function dialog(s, title, content, doors) {
  const all = content.filter((node) => node instanceof Node);
  const d = openDialog(
    s.page.main, 'leaving', title, msg('dialogs.leaving.close'), ...all,
    el('div', { class: 'discard-doors' }, ...doors),
  );
  return d;
}
