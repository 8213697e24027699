// What the server keeps of this person at the table: they can save it as a file (T79), and erase
// what identifies them (T80). Hosts erase what identifies somebody who has left.

import { openDialog } from './dialog.js';
import { actionButton, end, goAway, handChoice, handsOf, isOnlyHost } from './ending.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */

/** How often a part is requested when the server is busy, and how long the wait is at most. */
const TRIES = 5;
const LONGEST = 10_000; // ms

/**
 * Returns what is kept of this person, of all parts together.
 * @param {string} api the address of the table
 * @param {typeof fetch} get
 * @param {(ms: number) => Promise<void>} wait
 * @returns {Promise<Record<string, any>>}
 */
export async function readOwnData(api, get, wait) {
  /** @type {Record<string, any>} */
  let all = {};
  for (let before = ''; ;) {
    const query = before ? `?before=${encodeURIComponent(before)}` : '';
    const { before: next = '', ...part } = await partOf(`${api}/seats/me/data${query}`, get, wait);
    all = before ? { ...all, entries: [...all.entries, ...part.entries] } : part;
    if (part.dropped) all.dropped = true;
    if (!next) return all;
    before = next;
  }
}

/**
 * @param {string} url
 * @param {typeof fetch} get
 * @param {(ms: number) => Promise<void>} wait
 */
async function partOf(url, get, wait) {
  for (let tries = 1; ; tries++) {
    const answer = await get(url);
    if (answer.ok) return answer.json();
    if (![429, 503].includes(answer.status) || tries === TRIES)
      throw new Error(`the data of the seat: ${answer.status}`);
    const seconds = Number(answer.headers.get('Retry-After')) || 1;
    await wait(Math.min(seconds * 1000, LONGEST));
  }
}

/**
 * Saves what is kept of this person as a file.
 * @param {State} s
 * @returns {Promise<boolean>} whether that worked
 */
async function save(s) {
  const wait = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));
  try {
    const data = await readOwnData(s.api, (...args) => fetch(...args), wait);
    const url = URL.createObjectURL(
      new Blob([JSON.stringify(data, null, 1)], { type: 'application/json' }),
    );
    const link = el('a', { href: url, download: 'holt-my-data.json', hidden: true });
    s.page.main.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), LONGEST);
    return true;
  } catch {
    return false;
  }
}

/** Makes the part of a dialog that offers both. @param {State} s */
export function ownDataSection(s) {
  return el(
    'section', {}, el('h3', {}, msg('dialogs.owndata.title')),
    el('p', {}, msg('dialogs.owndata.about')),
    saveButton(s),
    actionButton(msg('dialogs.owndata.erase'), 'secondary danger', () => askToErase(s)),
  );
}

/** @param {State} s */
function saveButton(s) {
  const done = el('p', { class: 'quiet', role: 'status' });
  const button = actionButton(msg('dialogs.owndata.save'), 'secondary', async () => {
    const saved = await save(s);
    done.textContent = saved ? msg('dialogs.owndata.saved') : '';
    return saved;
  }, true);
  button.append(done);
  return button;
}

/** Asks whether to erase what identifies this person, and does so. @param {State} s */
function askToErase(s) {
  const you = s.sync.seats.get(s.sync.you);
  if (!you) return;
  const hands = you.role !== 'spectator' && handsOf(s, you.id)
    ? handChoice(s, you, msg('dialogs.leaving.yours'), true)
    : null;
  const erase = async () => {
    const answer = await end(`${s.api}/seats/me/data?${hands?.read() ?? ''}`);
    if (answer) goAway(s);
    return answer !== null;
  };
  const title = msg('dialogs.owndata.eraseTitle');
  if (isOnlyHost(s)) {
    openDialog(
      s.page.main, 'leaving', title, msg('dialogs.leaving.close'),
      el('p', {}, msg('dialogs.owndata.onlyHost')),
    );
    return;
  }
  const d = openDialog(
    s.page.main, 'leaving', title, msg('dialogs.leaving.close'),
    points([
      msg('dialogs.owndata.name'), msg('dialogs.owndata.lines'), msg('dialogs.owndata.seat'),
    ]),
    el('h3', {}, msg('dialogs.owndata.staysTitle')),
    points([
      msg('dialogs.owndata.stays'), msg('dialogs.owndata.rounds'), msg('dialogs.owndata.others'),
    ]),
    ...(hands ? [hands.root] : []),
    el('p', { class: 'problem' }, msg('dialogs.owndata.forEver')),
    saveButton(s),
    el(
      'div', { class: 'discard-doors' },
      actionButton(msg('dialogs.owndata.keep'), 'secondary', () => d.close()),
      actionButton(msg('dialogs.owndata.go'), 'primary danger', erase),
    ),
  );
}

/** Makes a list of sentences. @param {string[]} texts */
const points = (texts) =>
  el('ul', { class: 'owndata' }, ...texts.map((text) => el('li', {}, text)));

/**
 * Asks a host whether to erase what identifies somebody who has left, and does so.
 * @param {State} s
 * @param {Seat} seat
 */
export function askToEraseOther(s, { id, nick }) {
  const erase = async () => {
    const answer = await end(`${s.api}/seats/${id}/data`);
    if (!answer?.ok) return false;
    openDialog(
      s.page.main, 'leaving', msg('dialogs.owndata.theirsDone', { nick }),
      msg('dialogs.leaving.close'),
      el('p', { role: 'status' }, msg('dialogs.owndata.theirsNow', { nick })),
    );
    return true;
  };
  const d = openDialog(
    s.page.main, 'leaving', msg('dialogs.owndata.theirsTitle', { nick }),
    msg('dialogs.leaving.close'),
    points([msg('dialogs.owndata.theirName'), msg('dialogs.owndata.theirLines', { nick })]),
    el('h3', {}, msg('dialogs.owndata.staysTitle')),
    points([
      msg('dialogs.owndata.theirMoves'), msg('dialogs.owndata.theirRounds'),
      msg('dialogs.owndata.others'),
    ]),
    el('p', { class: 'problem' }, msg('dialogs.owndata.forEver')),
    el(
      'div', { class: 'discard-doors' },
      actionButton(msg('dialogs.owndata.theirsKeep'), 'secondary', () => d.close()),
      actionButton(msg('dialogs.owndata.theirsGo'), 'primary danger', erase),
    ),
  );
}
