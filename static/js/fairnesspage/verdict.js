// Shows the result of a check for people: a heading with an icon, then sentences.

import { el } from '../view/dom.js';
import { addIcons, icon } from '../view/icons.js';
import { msg } from './msg.js';
import {
  drawBy, drawOf, entryOf, numbersOf, outcomes, roundLine, shares, unbindingNames,
} from './sentences.js';
import { firstMessage, list } from '../messages.js';
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
 * the rest politely. Details that were open before the last check are open again.
 * @param {HTMLElement} place
 * @param {Outcome} outcome
 */
export function showVerdict(place, outcome) {
  const wasOpen = place.dataset.open === 'true';
  if ('failed' in outcome)
    place.replaceChildren(bad('unreadable', msg('fairnesspage.verdict.failed')));
  else if ('unreadable' in outcome)
    place.replaceChildren(
      bad(
        'differs', msg('fairnesspage.verdict.unreadable'),
        el('p', {}, el('code', {}, outcome.unreadable)),
      ),
    );
  else place.replaceChildren(...verdictOf(outcome));
  const proof = place.querySelector('details.proof');
  if (proof && wasOpen) proof.setAttribute('open', '');
}

/** @param {{ checked: Checked, histories: History[] }} outcome @returns {Node[]} */
function verdictOf({ checked, histories }) {
  const faults = histories.flatMap(({ fault }) => (fault ? [contradiction(fault)] : []));
  const { difference } = checked;
  if (difference)
    return [
      bad(
        'differs', msg('fairnesspage.verdict.differs'), ...differing(checked.file, difference),
        ...faults,
        el('p', {}, msg('fairnesspage.now')),
      ),
    ];
  const rest = details(checked);
  if (faults.length > 0)
    return [
      bad(
        'differs', msg('fairnesspage.verdict.contradiction'), ...faults,
        el('p', {}, msg('fairnesspage.now')),
      ),
      rest,
    ];
  const { early, picture, title, sentences } = inShort(checked);
  return [
    el(
      'div',
      {
        class: early ? 'verdict early' : 'verdict agrees',
        'data-verdict': early ? 'early' : 'agrees',
      },
      heading(picture, title), ...sentences.map((text) => el('p', {}, text)),
    ),
    rest,
  ];
}

/**
 * Returns what a player wants to know: whether it was fair, and who took part. It claims no more
 * than was checked.
 * @param {Checked} checked
 * @returns {{early: boolean, picture: string, title: string, sentences: string[]}}
 */
export function inShort({ rounds, noted }) {
  const sum = (/** @type {'draws'|'shares'|'mine'|'alone'} */ name) =>
    rounds.reduce((n, r) => n + r[name], 0);
  const early = rounds.every((r) => !r.revealed);
  const draws = sum('draws');
  if (draws === 0)
    return {
      early, picture: 'clock', title: msg('fairnesspage.verdict.nothing'),
      sentences: [msg('fairnesspage.nothingYet')],
    };
  const [all, mine, alone] = [sum('shares'), sum('mine'), sum('alone')];
  const waiting = rounds.some((r) => !r.revealed && r.draws > 0);
  let part = msg('fairnesspage.part.none');
  if (all > 0) {
    if (mine === 0) part = msg('fairnesspage.part.others');
    else part = all === mine ? msg('fairnesspage.part.you') : msg('fairnesspage.part.both');
  }
  const sentences = [
    part,
    ...(alone > 0 && all > 0 ? [msg('fairnesspage.part.alone', { n: alone })] : []),
    ...(waiting ? [msg('fairnesspage.later')] : []),
  ];
  if (early)
    return { early, picture: 'clock', title: msg('fairnesspage.verdict.early'), sentences };
  const whole = !waiting && alone === 0 && noted !== null;
  const title = msg(whole ? 'fairnesspage.verdict.fair' : 'fairnesspage.verdict.agrees');
  return { early, picture: 'check', title, sentences };
}

/**
 * Returns what only some want to know, folded away.
 * @param {Checked} checked
 */
function details(checked) {
  const list = el(
    'ul', { class: 'findings' }, ...agreeing(checked).map((text) => el('li', {}, text))
  );
  return el(
    'details', { class: 'proof' }, el('summary', {}, msg('fairnesspage.details')), list,
    roundByRound(checked.rounds),
  );
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
    'div', {}, el('p', {}, msg('fairnesspage.contradicted', { when, round })),
    el('p', {}, faultText(fault, true)), wanted(want, got, true),
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
  const who = [...withheld].map(
    ([seat, n]) => msg('fairnesspage.withheldBy', { n, who: seatName(file, seat) }),
  );
  return [
    revealed.length > 0 ? outcomes(revealed.length, of) : msg('fairnesspage.earlyWhy'),
    shares(sum(rounds, 'shares'), sum(rounds, 'mine')),
    ...(alone > 0 ? [msg('fairnesspage.alone', { n: alone })] : []),
    ...(who.length > 0 ? [msg('fairnesspage.withheld', { who: list(who) })] : []),
    ...notes(noted, undone),
    ...(file.dropped ? [msg('fairnesspage.dropped', { n: file.dropped })] : []),
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
  if (old.length === rounds.length)
    return rounds.length > 0 ? [msg('fairnesspage.unboundAll')] : [];
  const n = old.length;
  const { kinds, seats } = unboundNames(file);
  return [
    ...(n > 0 ? [msg('fairnesspage.unbound', { n, rounds: numbersOf(old) })] : []),
    ...(kinds + seats > 0 ? [unbindingNames(kinds, seats)] : []),
  ];
}

/** @param {Checked['noted']} noted @param {Checked['undone']} undone @returns {string[]} */
function notes(noted, undone) {
  const before = undone.map(({ difference: d }) => (d
    ? msg(
      'fairnesspage.undone',
      { first: firstMessage([`fairnesspage.notedFaults.${d.fault}`]) || d.fault },
    )
    : msg('fairnesspage.undoneAgrees')));
  if (!noted) return [msg('fairnesspage.noNotes'), ...before];
  const { found, history } = noted;
  return [
    msg('fairnesspage.noted', {
      seals: msg('fairnesspage.noted.seals', { n: found.seals }),
      numbers: msg('fairnesspage.noted.numbers', { n: found.shares }),
    }),
    ...(found.leftOut > 0 ? [msg('fairnesspage.leftOut', { n: found.leftOut })] : []),
    ...(found.absent > 0 ? [msg('fairnesspage.absent', { n: found.absent })] : []),
    ...(history.from > 1 ? [msg('fairnesspage.from', { round: history.from })] : []),
    ...before,
  ];
}

/** @param {Round[]} rounds @returns {string[]} */
function sealed(rounds) {
  const open = rounds.at(-1);
  if (!open || open.revealed) return [];
  const waiting = rounds.slice(0, -1).flatMap((r) => (r.revealed ? [] : [r.round]));
  const n = waiting.length;
  return [
    ...(n > 0 ? [msg('fairnesspage.sealed', { n, rounds: numbersOf(waiting) })] : []),
    msg('fairnesspage.open', { round: open.round, n: open.draws }),
  ];
}

/** @param {Round[]} rounds */
function roundByRound(rounds) {
  const shown = rounds.slice(-LATEST);
  const list = el('ul', { class: 'findings' });
  if (shown.length < rounds.length)
    list.append(el('li', {}, msg('fairnesspage.earlier', { n: rounds.length - shown.length })));
  for (const r of shown) {
    const state = r.revealed
      ? msg('fairnesspage.revealed')
      : r === rounds.at(-1) ? msg('fairnesspage.goesOn') : msg('fairnesspage.notRevealed');
    list.append(el('li', {}, roundLine(r, state)));
  }
  return el('details', { class: 'rounds' }, el('summary', {}, msg('fairnesspage.rounds')), list);
}

// ---- what differs ----

/** Says what is wrong. @param {string} fault @param {boolean} noted what the notes differ in */
function faultText(fault, noted) {
  return (noted && firstMessage([`fairnesspage.notedFaults.${fault}`])) ||
    firstMessage([`fairnesspage.faults.${fault}`]) || fault;
}

/** @param {Export} file @param {Difference} d @returns {Node[]} */
function differing(file, d) {
  const fact = file.rounds[d.round - (file.dropped ?? 0) - 1]?.facts[d.fact - 1];
  const about = fact?.what ? drawBy(fact.what, seatName(file, fact.seat)) : '';
  const of = d.fault === 'outcome' && fact
    ? (/** @type {string} */ n) => outputName(file, fact.what, Number(n))
    : String;
  return [
    el('p', { class: 'fault' }, faultText(d.fault, d.noted)),
    el(
      'p', {}, ...whereOf(d, about, fact),
      d.position > 0 && fact?.outputs.length > 1
        ? ` ${msg('fairnesspage.position', { n: d.position })}`
        : '',
    ),
    wanted(of(d.want), of(d.got), d.noted),
  ];
}

/** @param {Difference} d @param {string} about @param {any} fact @returns {string[]} */
function whereOf(d, about, fact) {
  if (d.round === 0) return [];
  if (d.draw > 0) return [drawOf(d.round, d.draw, about)];
  return [
    d.fact > 0
      ? entryOf(d.round, d.fact, fact?.fact)
      : msg('fairnesspage.where', { round: d.round }),
  ];
}

/** @param {string} want @param {string} got @param {boolean} noted */
function wanted(want, got, noted) {
  return el(
    'dl',
    { class: 'wanted' },
    el(
      'div', {}, el('dt', {}, noted ? msg('fairnesspage.notedWas') : msg('fairnesspage.want')),
      el('dd', {}, want),
    ),
    el('div', {}, el('dt', {}, msg('fairnesspage.got')), el('dd', {}, got)),
  );
}

/** @param {Export} file @param {number} seat */
const seatName = (file, seat) => file.seats?.[String(seat)] ??
  (seat === 0 ? msg('fairnesspage.table') : msg('fairnesspage.seat', { seat }));

/**
 * Returns an output of a draw in words.
 * @param {Export} file
 * @param {string} what
 * @param {number} n
 */
function outputName(file, what, n) {
  if (what === 'shuffle' || what === 'draw') return file.kinds?.[String(n)] ?? String(n);
  return what === 'roll' ? msg('fairnesspage.side', { side: n + 1 }) : String(n);
}
