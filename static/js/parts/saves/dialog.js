// The dialog "Save points": the list, and what hosts do with it.

import { el, setText } from '../../view/dom.js';
import { hosts } from '../../rights.js';
import { isPlayer } from '../../roles.js';
import { firstMessage } from '../../messages.js';
import { nickOf } from '../../view/names.js';
import { goBack, list, remove, save, startAgain } from './request.js';
import { askSetup } from './setup.js';
import { waitWhile } from '../../wait.js';
import { askWinner, count, winsList } from './wins.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../parts.js').Part<'dialogs'>} Dialogs */
/** @typedef {import('../../parts.js').Part<'profiles'>} Profiles */
/** @typedef {import('./request.js').Save} Save */

/** How long to wait until the server has counted who has won, in ms. */
const COUNTED = 5000;

/** The greatest number of characters of a name. */
const LONGEST = 60;

/** Reads the list of the open dialog again; null if it is closed. @type {(() => void)|null} */
let refreshing = null;

/** The list has changed. */
export function refresh() {
  refreshing?.();
}

/** @param {number} at */
export const timeOf = (at) =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

/** Returns why something did not work. @param {{status: number, said: any}|null} answer */
export function whyNot(answer) {
  if (!answer) return msg('saves.offline');
  return firstMessage([`saves.why.${answer.said.code}`]) || msg('saves.failed');
}

/** Returns what a save point is called. @param {State} s @param {Save} of */
function titleOf(s, of) {
  switch (of.kind) {
    case 'named':
      return of.name ?? '';
    case 'set-up':
      return of.name || msg('saves.setUp');
    case 'before':
      return of.by ? msg('saves.before', { who: nickOf(s, of.by) }) : msg('saves.beforeNobody');
    default:
      return msg('saves.auto');
  }
}

/**
 * Returns what a save point is called behind "Go back to".
 * @param {State} s
 * @param {Save} of
 */
export function placeOf(s, of) {
  const time = timeOf(of.at);
  switch (of.kind) {
    case 'named':
      return msg('saves.to.named', { name: of.name ?? '' });
    case 'set-up':
      return of.name ? msg('saves.to.named', { name: of.name }) : msg('saves.to.setUp');
    case 'before':
      return of.by ? msg('saves.to.before', { time, who: nickOf(s, of.by) })
        : msg('saves.to.beforeNobody', { time });
    default:
      return msg('saves.to.auto', { time });
  }
}

/**
 * Returns whether there is a save point of the set-up. A table has none whose history was dropped
 * before there were save points, or of which the beginning is damaged (T83).
 * @param {Save[]} all
 */
export const hasStart = (all) => all.some((of) => of.kind === 'set-up');

/**
 * Opens the dialog.
 * @param {State} s
 * @param {Voice} voice
 * @param {Dialogs} dialogs
 * @param {Profiles} profiles
 */
export function show(s, voice, dialogs, profiles) {
  const points = el('ol', { class: 'save-points', 'aria-busy': 'true' });
  const status = el('p', { class: 'quiet', role: 'status' }, msg('saves.loading'));
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  const fail = (/** @type {{status: number, said: any}|null} */ answer) => {
    failed.hidden = false;
    setText(failed, whyNot(answer));
  };
  const noStart = el('p', { class: 'quiet', hidden: true }, msg('saves.noStart'));
  let named = 0;
  const draw = async () => {
    const all = await list(s);
    if (!d.isConnected) return;
    points.setAttribute('aria-busy', 'false');
    status.hidden = true;
    if (!all) return fail(null);
    named = all.filter((of) => of.kind === 'named').length;
    noStart.hidden = hasStart(all);
    if (restart) restart.hidden = !hasStart(all);
    const focus = document.activeElement?.getAttribute('data-key');
    setups.fill(all.filter((of) => of.kind === 'set-up'), s.sync.rewound, playersAt(s));
    const listed = all.filter((of) => of.kind !== 'set-up' || !of.name).reverse();
    points.replaceChildren(...listed.map((of) => row(s, voice, { dialogs, profiles }, of)));
    if (focus)
      /** @type {HTMLElement|null} */ (points.querySelector(`[data-key="${focus}"]`))?.focus();
  };
  const setups = askSetup();
  const restart = hosts(s) ? again(s, voice, { dialogs, profiles }, setups) : null;
  const form = hosts(s) ? saveForm(s, voice, { fail, count: () => named, draw }) : null;
  const d = dialogs.openDialog(
    s.page.main, 'saves', msg('saves.title'), msg('saves.close'),
    el('p', { class: 'quiet' }, msg(hosts(s) ? 'saves.about' : 'saves.aboutOthers')),
    ...(form ? [form] : []),
    failed, status, points,
    noStart,
    ...(restart ? [restart] : []),
  );
  refreshing = () => void draw();
  d.addEventListener('close', () => {
    refreshing = null;
  });
  void draw();
}

/** Returns how many people sit at the table and play. @param {State} s */
const playersAt = (s) => [...s.sync.seats.values()].filter(isPlayer).length;

/**
 * The field and the button with which a host makes a save point.
 * @param {State} s
 * @param {Voice} voice
 * @param {{ fail: (answer: any) => void, count: () => number, draw: () => Promise<void> }} of
 */
function saveForm(s, voice, { fail, count, draw }) {
  const name = el('input', { type: 'text', id: 'save-name', maxlength: String(LONGEST) });
  const button = el('button', { class: 'primary', type: 'submit' }, msg('saves.save'));
  const form = el(
    'form', { class: 'save-form' }, el('label', { for: name.id }, msg('saves.name')), name, button,
  );
  form.addEventListener('submit', async (e) => {
    e.preventDefault();
    const called = name.value.trim() || msg('saves.suggested', { n: count() + 1 });
    button.disabled = true;
    const answer = await save(s, called);
    button.disabled = false;
    if (answer?.status !== 201) return fail(answer);
    name.value = '';
    voice.notice(msg('saves.saved', { name: called }));
    await draw();
  });
  return form;
}

/** @typedef {{ dialogs: Dialogs, profiles: Profiles }} Uses */

/** @param {State} s @param {Voice} voice @param {Uses} uses @param {Save} of */
function row(s, voice, uses, of) {
  const name = titleOf(s, of);
  const place = placeOf(s, of);
  const time = timeOf(of.at);
  const when = of.by && of.kind === 'named'
    ? msg('saves.by', { time, who: nickOf(s, of.by) }) : time;
  const about = el(
    'span', { class: 'save-about' },
    el('b', {}, name),
    el('small', {}, `${when} · ${msg('saves.moves', { n: of.moves ?? 0 })}`),
    of.known === true && el('small', { class: 'save-known' }, msg('saves.known')),
  );
  if (!hosts(s)) return el('li', {}, about);
  const go = el('button', {
    class: 'secondary', 'data-key': `go${of.id}`, 'aria-label': msg('saves.goTo', { name: place }),
    onclick: () => ask(s, voice, uses, {
      title: msg('saves.ask', { name: place }), text: msg('saves.askText', { time }),
      yes: msg('saves.askYes'),
    }, () => goBack(s, of.id)),
  }, msg('saves.go'));
  const gone = of.kind !== 'set-up' && el('button', {
    class: 'plain', 'data-key': `delete${of.id}`, 'aria-label': msg('saves.delete', { name }),
    onclick: () => ask(s, voice, uses, {
      title: msg('saves.askDelete', { name }), text: msg('saves.askDeleteText'),
      yes: msg('saves.deleteThis'),
    }, () => remove(s, of.id), true),
  }, msg('saves.deleteThis'));
  return el('li', {}, about, go, gone);
}

/**
 * The buttons with which hosts set the table up again.
 * @param {State} s
 * @param {Voice} voice
 * @param {Uses} uses
 * @param {ReturnType<typeof askSetup>} setups
 */
function again(s, voice, uses, setups) {
  const { profiles } = uses;
  const winner = askWinner(s);
  // The count comes first: a rewind ends what is pending. It goes back if there is no rematch.
  const run = async (/** @type {boolean} */ swap) => {
    const seat = winner.read();
    if (seat) {
      count(s, profiles, seat, 1);
      await waitWhile(() => profiles.areWinsPending(s, seat), COUNTED);
    }
    const answer = await startAgain(s, swap, setups.read());
    if (seat && answer?.status !== 200) count(s, profiles, seat, -1);
    return answer;
  };
  const question = (/** @type {string} */ yes) => {
    const name = setups.name();
    return {
      title: name ? msg('saves.askAgainAs', { name }) : msg('saves.askAgain'),
      text: msg('saves.askAgainText'), yes,
    };
  };
  const button = (/** @type {boolean} */ swap, /** @type {string} */ word) => el('button', {
    class: 'secondary', 'data-again': swap ? 'swap' : 'same',
    onclick: () => ask(s, voice, uses, question(word), () => run(swap)),
  }, word);
  const sides = [...s.sync.seats.values()].filter((seat) => seat.side && !seat.left).length;
  return el(
    'div', { class: 'save-again' },
    el('h3', {}, msg('saves.again')),
    el('p', { class: 'quiet' }, msg('saves.againAbout')),
    setups.root,
    winner.root,
    button(false, msg('saves.again')),
    sides > 1 && button(true, msg('saves.swap')),
    winsList(s, profiles),
  );
}

/**
 * Asks once, and does it. The dialog comes back after No and after a deletion.
 * @param {State} s
 * @param {Voice} voice
 * @param {Uses} uses
 * @param {import('../../kinds/ability.js').Question} question
 * @param {() => Promise<{status: number, said: any}|null>} run
 * @param {boolean} [stays]
 */
function ask(s, voice, { dialogs, profiles }, question, run, stays = false) {
  let isRunning = false;
  const go = async () => {
    isRunning = true;
    const answer = await run();
    if (!answer || answer.status >= 400) voice.alarm(whyNot(answer));
    else if (stays) voice.notice(msg('saves.deleted'));
    if (stays || !answer || answer.status >= 400) show(s, voice, dialogs, profiles);
  };
  dialogs.confirm(s, question, () => void go(), () => {
    if (!isRunning) setTimeout(() => !isRunning && show(s, voice, dialogs, profiles));
  });
}
