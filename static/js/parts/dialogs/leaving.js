// Asking somebody to leave (T51), leaving for good, and logging out (T52).

import { openDialog } from './dialog.js';
import { el, setText } from '../../view/dom.js';
import { openInvite } from './invite.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { isPlayer } from '../../roles.js';
import { post } from './referee.js';
import { isHand } from '../../rights.js';
import { forgetTable } from '../../bars/ended.js';

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
  const alone = you.role === 'host' && ![...s.sync.seats.values()].some(
    (seat) => seat.role === 'host' && !seat.left && seat.id !== you.id,
  );
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
      el('p', {}, msg('dialogs.leaving.forGoodAbout')), hands?.root ?? '',
      actionButton(
        msg('dialogs.leaving.forGoodGo'), 'primary danger',
        () => away(`${s.api}/seats/me?${hands?.read() ?? ''}`)(),
      ),
    );
  const up = isPlayer(you) && !alone ? standUp(s, you, () => d.close()) : null;
  const out = el(
    'section', {}, el('h3', {}, msg('dialogs.leaving.logOut')),
    el('p', {}, alone ? msg('dialogs.leaving.logOutAlone') : msg('dialogs.leaving.logOutAbout')),
    actionButton(
      msg('dialogs.leaving.logOutGo'), 'secondary danger', away(`${s.api}/logout`, 'POST'),
    ),
  );
  const d = dialog(s, msg('dialogs.leaving.leaveTitle'), [up, leave, out], []);
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

/** Reports whether a seat has a hand. @param {State} s @param {number} seat */
function handsOf(s, seat) {
  return [...s.sync.pieces.values()].some((p) => p.owner === seat && isHand(s, p));
}

/**
 * Makes the choice of what happens to the cards of a seat.
 * @param {State} s
 * @param {Seat} seat
 * @param {string} legend
 * @param {boolean} gives whether somebody else may get them
 * @param {string} [of] what the choice belongs to
 */
function handChoice(s, seat, legend, gives, of = 'leaving') {
  const others = [...s.sync.seats.values()].filter(
    (of) => of.id !== seat.id && isPlayer(of),
  );
  const to = el(
    'select', { 'aria-label': msg('dialogs.leaving.whom') },
    ...others.map(({ id, nick }) => el('option', { value: id }, nick))
  );
  const ways = gives && others.length > 0 ? ['back', 'stay', 'give'] : ['back', 'stay'];
  const radios = ways.map(
    (value) => el('input', {
      type: 'radio', name: `hands-${of}`, value, checked: value === 'back',
    }),
  );
  to.addEventListener('change', () => {
    for (const radio of radios) radio.checked = radio.value === 'give';
  });
  const lines = radios.map(
    (radio) => el(
      'label', { class: 'hand-way' }, radio,
      el('span', {}, firstMessage(
        [`dialogs.${of}.ways.${radio.value}`, `dialogs.leaving.ways.${radio.value}`],
      )),
    ),
  );
  const root = el(
    'fieldset', { class: 'hands-to' }, el('legend', {}, legend), ...lines,
    ways.includes('give') ? to : '',
  );
  const read = () => {
    const value = radios.find(({ checked }) => checked)?.value ?? 'back';
    return value === 'give' ? `hand=give&to=${to.value}` : `hand=${value}`;
  };
  return { root, read };
}

/**
 * Makes a button that shows when its action fails.
 * @param {string} text
 * @param {string} look
 * @param {() => unknown} run returns false if it failed
 */
function actionButton(text, look, run) {
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { class: look }, text);
  button.addEventListener('click', async () => {
    button.disabled = failed.hidden = true;
    if ((await run()) === false) {
      button.disabled = failed.hidden = false;
      setText(failed, msg('dialogs.leaving.failed'));
    }
  });
  return el('div', { class: 'leave-door' }, button, failed);
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

/**
 * Asks the server to end a seat or a login.
 * @param {string} url
 * @returns {Promise<Response|null>} null if it failed
 */
async function end(url, method = 'DELETE') {
  try {
    const answer = await fetch(url, { method });
    // After these statuses it had ended before.
    return answer.ok || [401, 404, 410].includes(answer.status) ? answer : null;
  } catch {
    return null; // it may have ended nevertheless: then the stream says so
  }
}

/** Leaves the page and forgets the table. @param {State} s */
function goAway(s) {
  s.net.close();
  forgetTable(s.table);
  s.page.window.ownerDocument.location.assign('/');
}
