// A proposal to make somebody a referee (table.md, T74): a line below the banner that asks all who
// play, and shows the others how it stands.

import { confirm } from './confirm.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { nickOf } from '../../view/names.js';
import { plays } from '../../rights.js';
import { isPlayer, isReferee } from '../../roles.js';
import { el, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** What shows the proposal; null: there is none. @type {ReturnType<typeof begin>|null} */
let open = null;

/** Returns the seat that is proposed. @param {State} s */
const proposedIn = (s) =>
  [...s.sync.seats.values()].find(({ proposal, left }) => proposal && !left);

/**
 * Shows how the open proposal stands, or that it has ended.
 * @param {State} s
 * @param {Voice} voice
 */
export function showProposal(s, voice) {
  const seat = proposedIn(s);
  if (open && open.number !== seat?.proposal) {
    const was = s.sync.seats.get(open.id);
    open.end();
    open = null;
    if (!isReferee(was)) voice.notice(msg('dialogs.referee.ended'));
    // The full state says that to who has become one, and no event does.
    else if (was?.id === s.sync.you) voice.notice(firstMessage(['controls.roles.you.referee']));
  }
  if (!seat) return;
  open ??= begin(s, seat, voice);
  open.draw();
}

/** @param {State} s @param {Seat} seat @param {Voice} voice */
function begin(s, { id, nick, proposal: number = 0, proposedBy = 0 }, voice) {
  const about = proposedBy === s.sync.you
    ? msg('dialogs.referee.youAsk', { nick })
    : msg('dialogs.referee.asks', { by: nickOf(s, proposedBy), nick });
  const stands = el('span', { class: 'quiet', role: 'status' });
  const agree = el(
    'button', { class: 'primary', onclick: () => void answer(s, number, true, voice) },
    msg('dialogs.referee.agree'),
  );
  const refuse = el(
    'button', { class: 'secondary', onclick: () => void answer(s, number, false, voice) },
  );
  const root = el(
    'div', { class: 'vacancy proposal', role: 'group', 'aria-label': msg('dialogs.referee.title') },
    icon('whistle'),
    el('span', { class: 'vacancy-text' }, about, ' ', stands),
    el('span', { class: 'proposal-answers' }, agree, refuse),
  );
  s.page.banner.after(root);
  voice.warn(about);
  return {
    number,
    id,
    draw() {
      const all = [...s.sync.seats.values()].filter((of) => isPlayer(of));
      const agreed = all.filter((of) => of.agreed === number);
      const has = agreed.some((of) => of.id === s.sync.you);
      setText(stands, msg('dialogs.referee.stands', { n: agreed.length, all: all.length }));
      agree.hidden = !plays(s) || has;
      refuse.hidden = !plays(s);
      setText(refuse, msg(has ? 'dialogs.referee.withdraw' : 'dialogs.referee.refuse'));
    },
    end() {
      root.remove();
    },
  };
}

/**
 * Asks a host whether all are asked about a referee.
 * @param {State} s
 * @param {Seat} seat
 * @param {(problem: string) => void} failed
 */
export function propose(s, { id, nick }, failed) {
  confirm(
    s,
    {
      title: msg('dialogs.referee.sure', { nick }),
      text: msg('dialogs.referee.about', { nick }),
      yes: msg('dialogs.referee.ask'),
    },
    () => void post(s, `/seats/${id}/referee`).then((problem) => {
      if (problem !== null) failed(problem);
    }),
  );
}

/**
 * @param {State} s
 * @param {number} proposal
 * @param {boolean} agree
 * @param {Voice} voice
 */
async function answer(s, proposal, agree, voice) {
  const problem = await post(s, '/referee', { proposal, agree });
  if (problem !== null) voice.alarm(problem);
}

/**
 * Lets this person sit down again. It says before who sees their hand.
 * @param {State} s
 * @param {Voice} voice
 */
export function sitDown(s, voice) {
  const sit = async () => {
    const problem = await post(s, '/seats/me/sit');
    if (problem !== null) voice.alarm(problem);
  };
  const referees = [...s.sync.seats.values()].filter(isReferee).map(({ nick }) => nick);
  if (referees.length === 0) {
    void sit();
    return;
  }
  confirm(
    s,
    {
      title: msg('dialogs.sit.sure'),
      text: msg('dialogs.sit.referees', {
        n: referees.length, names: new Intl.ListFormat().format(referees),
      }),
      yes: msg('dialogs.sit.go'),
    },
    () => void sit(),
  );
}

/**
 * Sends a request about roles.
 * @param {State} s
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<string|null>} why it failed; null: it is done
 */
export async function post(s, path, body) {
  try {
    const answered = await fetch(s.api + path, {
      method: 'POST',
      ...(body && {
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
      }),
    });
    if (answered.ok) return null;
    const { code = '' } = await answered.json().catch(() => ({}));
    return firstMessage([`dialogs.referee.why.${code}`]) || msg('dialogs.roles.failed');
  } catch {
    return msg('dialogs.roles.failed');
  }
}
