// The choice of another host, when none has been at the table for long (T66): a line below the
// banner, and a dialog in which those who play vote.

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { nickOf } from '../../view/names.js';
import { onFullState } from '../../listeners.js';
import { isPresent, plays } from '../../rights.js';
import { isPlayer } from '../../roles.js';
import { firstMessage } from '../../messages.js';
import { el, setAttr, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** What shows the choice; null: there is none. @type {ReturnType<typeof begin>|null} */
let open = null;

/** Whether the part listens to full states, which end a choice. */
let listens = false;

/**
 * Shows how the choice of a host stands.
 * @param {State} s
 * @param {Voice} voice
 */
export function showVacancy(s, voice) {
  if (!listens) {
    listens = true;
    onFullState(s, () => showVacancy(s, voice));
  }
  if (!s.sync.succession) {
    open?.end();
    open = null;
    return;
  }
  open ??= begin(s, voice);
  open.draw();
}

/** Returns those who choose, and can be chosen. @param {State} s */
const voters = (s) => [...s.sync.seats.values()].filter((of) => isPlayer(of) && isPresent(of));

/** @param {State} s @param {Voice} voice */
function begin(s, voice) {
  const isAlone = () => voters(s).length === 1;
  const go = el('button', { class: 'primary' });
  go.addEventListener('click', () => {
    if (isAlone()) void vote(s, s.sync.you, voice);
    else choose();
  });
  const root = el(
    'div', { class: 'vacancy', role: 'group', 'aria-label': msg('dialogs.vacancy.title') },
    icon('crown'), el('span', { class: 'vacancy-text' }, msg('dialogs.vacancy.about')), go,
  );
  s.page.banner.after(root);
  voice.warn(msg('dialogs.vacancy.about'));
  /** @type {{d: HTMLDialogElement, fill: () => void}|null} */
  let dialog = null;
  const choose = () => {
    const list = el('ul', { class: 'candidates' });
    const d = openDialog(
      s.page.main, 'vacancy-choice', msg('dialogs.vacancy.title'), msg('dialogs.vacancy.close'),
      el('p', {}, msg('dialogs.vacancy.how')), list,
    );
    const fill = () => {
      const votes = s.sync.succession?.votes ?? [];
      const all = voters(s);
      const mine = votes.find(({ seat }) => seat === s.sync.you)?.host ?? 0;
      const focused = document.activeElement?.getAttribute('data-for');
      list.replaceChildren(...all.filter(({ home }) => !home).map(({ id, nick }) => {
        const n = votes.filter(({ host }) => host === id).length;
        const button = el(
          'button',
          {
            class: 'secondary', 'data-for': id, 'aria-pressed': mine === id ? 'true' : 'false',
            onclick: () => void vote(s, mine === id ? 0 : id, voice),
          },
          msg(mine === id ? 'dialogs.vacancy.voted' : 'dialogs.vacancy.vote', { nick }),
        );
        return el('li', {}, button,
          el('span', { class: 'quiet' }, msg('dialogs.vacancy.votes', { n, all: all.length })));
      }));
      /** @type {HTMLElement|null} */ (list.querySelector(`[data-for="${focused}"]`))?.focus();
    };
    fill();
    d.addEventListener('close', () => {
      dialog = null;
    });
    dialog = { d, fill };
  };
  return {
    draw() {
      go.hidden = !plays(s);
      setText(go, msg(isAlone() ? 'dialogs.vacancy.take' : 'dialogs.vacancy.choose'));
      setAttr(go, 'aria-haspopup', isAlone() ? null : 'dialog');
      dialog?.fill();
    },
    end() {
      dialog?.d.close();
      root.remove();
    },
  };
}

/**
 * Votes for a seat to become the host.
 * @param {State} s
 * @param {number} seat
 * @param {Voice} voice
 */
async function vote(s, seat, voice) {
  try {
    const answer = await fetch(`${s.api}/host`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ seat }),
    });
    if (answer.ok) return;
    const { code = '' } = await answer.json().catch(() => ({}));
    voice.alarm(firstMessage([`dialogs.vacancy.why.${code}`], { nick: nickOf(s, seat) }) ||
      msg('dialogs.roles.failed'));
  } catch {
    voice.alarm(msg('dialogs.roles.failed'));
  }
}
