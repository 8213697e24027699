// Shows the result of a check for people: a heading with an icon, then sentences.

import { el } from '../view/dom.js';
import { addIcons, icon } from '../view/icons.js';
import { words } from './words.js';
import { unboundNames } from './verify.js';

/** @typedef {import('./check.js').Checked} Checked */
/** @typedef {import('./check.js').Round} Round */
/** @typedef {import('../parts/fairness/notes.js').History} History */
/** @typedef {import('./verify.js').Difference} Difference */
/** @typedef {import('../parts/fairness/files.js').Export} Export */

addIcons({
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alarm: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.1',
});

/**
 * The result: the export was checked with these notes; or it could not be loaded; or it could not
 * be read, and why.
 * @typedef {{ checked: Checked, histories: History[] } | { failed: true }
 *   | { unreadable: string }} Outcome
 */

/** The page lists only the latest rounds one by one: this many. */
const LATEST = 30;

/**
 * Shows the result. The place is a live region. A screen reader announces a difference at once, and
 * the rest politely.
 * @param {HTMLElement} place
 * @param {Outcome} outcome
 */
export function showVerdict(place, outcome) {
  if ('failed' in outcome) place.replaceChildren(bad('unreadable', words.verdict.failed));
  else if ('unreadable' in outcome)
    place.replaceChildren(
      bad('differs', words.verdict.unreadable, el('p', {}, el('code', {}, outcome.unreadable))),
    );
  else place.replaceChildren(...verdictOf(outcome));
}

/** @param {{ checked: Checked, histories: History[] }} outcome @returns {Node[]} */
function verdictOf({ checked, histories }) {
  const faults = histories.flatMap(({ fault }) => (fault ? [contradiction(fault)] : []));
  const { difference } = checked;
  if (difference)
    return [
      bad(
        'differs', words.verdict.differs, ...differing(checked.file, difference), ...faults,
        el('p', {}, words.now),
      ),
    ];
  const sentences = el(
    'ul', { class: 'findings' }, ...agreeing(checked).map((text) => el('li', {}, text))
  );
  const rest = [sentences, roundByRound(checked.rounds)];
  if (faults.length > 0)
    return [
      bad('differs', words.verdict.contradiction, ...faults, el('p', {}, words.now)), ...rest,
    ];
  const early = checked.rounds.every((r) => !r.revealed);
  const head = heading(
    early ? 'clock' : 'check', early ? words.verdict.early : words.verdict.agrees,
  );
  return [
    el('div', {
      class: early ? 'verdict early' : 'verdict agrees', 'data-verdict': early ? 'early' : 'agrees',
    }, head),
    ...rest,
  ];
}

/** @param {string} picture @param {string} text */
const heading = (picture, text) => el('h2', { class: 'verdict-head' }, icon(picture), text);

/** @param {string} name @param {string} title @param {...Node} more */
function bad(name, title, ...more) {
  return el(
    'div', { class: 'verdict differs', role: 'alert', 'data-verdict': name },
    heading('alarm', title), ...more
  );
}

/** @param {import('../parts/fairness/notes.js').Contradiction} fault */
function contradiction({ at, round, fault, want, got }) {
  const when = new Date(at).toLocaleString();
  return el(
    'div', {}, el('p', {}, words.contradicted(when, round)),
    el('p', {}, words.notedFaults[fault] ?? words.faults[fault] ?? fault), wanted(want, got, true),
  );
}

// ---- what agrees ----

/** @param {Checked} checked @returns {string[]} */
function agreeing({ file, rounds, noted, undone, withheld }) {
  const revealed = rounds.filter((r) => r.revealed);
  const sum = (/** @type {Round[]} */ list, /** @type {'shares'|'mine'|'alone'} */ name) =>
    list.reduce((n, r) => n + r[name], 0);
  /** @type {Record<string, number>} */
  const of = {};
  for (const r of revealed)
    for (const [what, n] of Object.entries(r.of)) of[what] = (of[what] ?? 0) + n;
  const alone = sum(rounds, 'alone');
  const who = [...withheld].map(([seat, n]) => words.withheldBy(n, seatName(file, seat)));
  return [
    revealed.length > 0 ? words.outcomes(revealed.length, of) : words.earlyWhy,
    words.shares(sum(rounds, 'shares'), sum(rounds, 'mine')),
    ...(alone > 0 ? [words.alone(alone)] : []),
    ...(who.length > 0 ? [words.withheld(who)] : []),
    ...notes(noted, undone),
    ...(file.dropped ? [words.dropped(file.dropped)] : []),
    ...unbound(file, rounds),
    ...sealed(rounds),
  ];
}

/**
 * Returns sentences about names and times that nothing binds: those of old rounds (F16).
 * @param {Export} file
 * @param {Round[]} rounds
 * @returns {string[]}
 */
function unbound(file, rounds) {
  const old = rounds.filter((r) => !r.bound).map((r) => r.round);
  if (old.length === rounds.length) return rounds.length > 0 ? [words.unbound(old, true)] : [];
  const { kinds, seats } = unboundNames(file);
  return [
    ...(old.length > 0 ? [words.unbound(old, false)] : []),
    ...(kinds + seats > 0 ? [words.unboundNames(kinds, seats)] : []),
  ];
}

/** @param {Checked['noted']} noted @param {Checked['undone']} undone @returns {string[]} */
function notes(noted, undone) {
  const before = undone.map(({ difference: d }) => (d
    ? words.undone(words.notedFaults[d.fault] ?? d.fault)
    : words.undoneAgrees));
  if (!noted) return [words.noNotes, ...before];
  const { found, history } = noted;
  return [
    words.noted(found.seals, found.shares),
    ...(found.leftOut > 0 ? [words.leftOut(found.leftOut)] : []),
    ...(found.absent > 0 ? [words.absent(found.absent)] : []),
    ...(history.from > 1 ? [words.from(history.from)] : []),
    ...before,
  ];
}

/** @param {Round[]} rounds @returns {string[]} */
function sealed(rounds) {
  const open = rounds.at(-1);
  if (!open || open.revealed) return [];
  const waiting = rounds.slice(0, -1).flatMap((r) => (r.revealed ? [] : [r.round]));
  return [
    ...(waiting.length > 0 ? [words.sealed(waiting)] : []), words.open(open.round, open.draws),
  ];
}

/** @param {Round[]} rounds */
function roundByRound(rounds) {
  const shown = rounds.slice(-LATEST);
  const list = el('ul', { class: 'findings' });
  if (shown.length < rounds.length)
    list.append(el('li', {}, words.earlier(rounds.length - shown.length)));
  for (const r of shown) {
    const state = r.revealed
      ? words.revealed
      : r === rounds.at(-1) ? words.goesOn : words.notRevealed;
    list.append(el('li', {}, words.round({ ...r, state })));
  }
  return el('details', { class: 'rounds' }, el('summary', {}, words.rounds), list);
}

// ---- what differs ----

/** @param {Export} file @param {Difference} d @returns {Node[]} */
function differing(file, d) {
  const what = (d.noted ? words.notedFaults[d.fault] : undefined) ??
    words.faults[d.fault] ?? d.fault;
  const fact = file.rounds[d.round - (file.dropped ?? 0) - 1]?.facts[d.fact - 1];
  const about = fact?.what ? words.drawBy(fact.what, seatName(file, fact.seat)) : '';
  const of = d.fault === 'outcome' && fact
    ? (/** @type {string} */ n) => outputName(file, fact.what, Number(n))
    : String;
  return [
    el('p', { class: 'fault' }, what),
    el(
      'p', {}, ...whereOf(d, about, fact),
      d.position > 0 && fact?.outputs.length > 1 ? ` ${words.position(d.position)}` : '',
    ),
    wanted(of(d.want), of(d.got), d.noted),
  ];
}

/** @param {Difference} d @param {string} about @param {any} fact @returns {string[]} */
function whereOf(d, about, fact) {
  if (d.round === 0) return [];
  if (d.draw > 0) return [words.whereDraw(d.round, d.draw, about)];
  return [
    d.fact > 0
      ? words.whereFact(d.round, d.fact, words.facts[fact?.fact] ?? '')
      : words.where(d.round),
  ];
}

/** @param {string} want @param {string} got @param {boolean} noted */
function wanted(want, got, noted) {
  return el(
    'dl',
    { class: 'wanted' },
    el('div', {}, el('dt', {}, noted ? words.noted_ : words.want), el('dd', {}, want)),
    el('div', {}, el('dt', {}, words.got), el('dd', {}, got)),
  );
}

/** @param {Export} file @param {number} seat */
const seatName = (file, seat) => file.seats?.[String(seat)] ?? words.somebody(seat);

/**
 * Returns an output of a draw in words.
 * @param {Export} file
 * @param {string} what
 * @param {number} n
 */
function outputName(file, what, n) {
  if (what === 'shuffle' || what === 'draw') return file.kinds?.[String(n)] ?? String(n);
  return what === 'roll' ? words.side(n) : String(n);
}
