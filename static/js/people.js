// Who is at the table: discs in the bar, and a panel with names, roles and who is here.

import { css, initials, inkOn } from './colour.js';
import { all, el, on, setAttr } from './dom.js';
import { icon } from './icons.js';
import { strings } from './strings.js';
import { isPresent, plays } from './state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').Seat} Seat */

/** Discs shown in the bar; the rest is a number. */
const DISCS = 5;

/**
 * Makes the bar and the panel, and draws them when seats change.
 * @param {State} s @param {import('./keys.js').Doors} doors
 * @returns {() => void} stops
 */
export function bindPeople(s, doors) {
  const { chips, people, title, main } = s.page;
  const discs = el('span', { class: 'discs', 'aria-hidden': 'true' });
  const number = el('span', { class: 'unseen' });
  const toggle = el(
    'button',
    { type: 'button', class: 'crowd', 'aria-expanded': 'false', 'aria-controls': 'people', title: strings.view.people },
    icon('people'),
    discs,
    number,
  );
  const add = bar('add', strings.view.add, 'N', doors.box);
  const invite = bar('invite', strings.view.invite, 'I', doors.invite);
  chips.append(toggle, add, invite);

  const list = el('ul', { class: 'seats' });
  const close = el('button', { type: 'button', class: 'plain', 'aria-label': strings.people.close }, icon('close'));
  people.id = 'people';
  people.append(
    el('div', { class: 'panel-head' }, el('h2', {}, strings.people.title), close),
    list,
    el('button', { type: 'button', class: 'primary', onclick: doors.invite }, icon('invite'), strings.people.invite),
  );
  const open = (/** @type {boolean} */ yes) => {
    people.hidden = !yes;
    setAttr(toggle, 'aria-expanded', yes ? 'true' : 'false');
    (yes ? close : toggle).focus();
  };

  let drawn = '';
  const draw = () => {
    const seats = [...s.sync.seats.values()].sort((a, b) => rank(s, a) - rank(s, b) || a.id - b.id);
    const name = s.sync.info?.title ?? '';
    const key = JSON.stringify([seats, s.sync.you, name]);
    if (key === drawn) return;
    drawn = key;
    if (name) {
      title.textContent = name;
      setAttr(s.page.outer, 'aria-label', strings.tableOf(name));
      if (!document.title.startsWith(name)) document.title = `${name} · Holt`;
    }
    setAttr(s.page.surface, 'data-surface', s.sync.info?.surface ?? 'felt');
    for (const b of [add, invite]) b.hidden = !plays(s);
    setAttr(main, 'data-role', s.sync.seats.get(s.sync.you)?.role ?? null);
    const here = seats.filter(isPresent);
    number.textContent = strings.people.count(here.length);
    discs.replaceChildren(...here.slice(0, DISCS).map(disc));
    if (here.length > DISCS) discs.append(el('span', { class: 'disc rest' }, `+${here.length - DISCS}`));
    list.replaceChildren(...seats.map((seat) => row(seat, seat.id === s.sync.you)));
  };
  s.bars.push(draw);
  return all(
    on(toggle, 'click', () => open(people.hidden === true)),
    on(close, 'click', () => open(false)),
    on(people, 'keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== 'Escape') return;
      e.stopPropagation();
      open(false);
    }),
  );
}

/** @param {string} picture @param {string} label @param {string} key @param {() => void} run */
function bar(picture, label, key, run) {
  const text = strings.actions.keyed(label, key);
  return el(
    'button',
    { type: 'button', class: 'bar-button', 'aria-label': label, title: text, 'aria-keyshortcuts': key, onclick: run },
    icon(picture),
    el('span', { class: 'bar-name' }, label),
  );
}

/** Those who are here first, oneself at the very top. @param {State} s @param {Seat} seat */
function rank(s, seat) {
  return seat.id === s.sync.you ? 0 : isPresent(seat) ? 1 : 2;
}

/** @param {Seat} seat */
function disc(seat) {
  const e = el('span', { class: 'disc' }, initials(seat.nick));
  e.style.background = css(seat.colour);
  e.style.color = inkOn(seat.colour);
  return e;
}

/** @param {Seat} seat @param {boolean} you */
function row(seat, you) {
  const roles = /** @type {Record<string, string>} */ (strings.people.roles);
  const role = roles[seat.role] ?? '';
  const state = isPresent(seat) ? strings.people.online : strings.people.away;
  return el(
    'li',
    { class: isPresent(seat) ? 'seat' : 'seat away', 'data-seat': seat.id, 'data-online': String(isPresent(seat)) },
    disc(seat),
    el(
      'span',
      { class: 'seat-text' },
      el('span', { class: 'seat-nick' }, seat.nick, you && el('span', { class: 'seat-you' }, strings.people.you)),
      el('span', { class: 'seat-role' }, seat.role === 'host' && icon('crown'), seat.role === 'spectator' && icon('eye'), role),
    ),
    el('span', { class: 'seat-state' }, icon(isPresent(seat) ? 'online' : 'away'), state),
  );
}
