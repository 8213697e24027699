// The people at the table, as discs in the bar. The bar opens a panel (parts/dialogs/seats.js).

import { css, initials, inkOn } from '../../view/colour.js';
import { all, el, on, setAttr, setText, SMALL } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { use } from '../../parts.js';
import { isMuted } from '../../bars/muted.js';
import { msg } from './msg.js';
import { isPresent, plays } from '../../rights.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';
import { swapSides } from '../../view/sides.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Seat} Seat */
/** @typedef {import('../../types.js').Presence} Presence */

/** Number of discs in the bar, and in that of a phone. Further people are a number. */
const DISCS = 5;
const DISCS_ON_PHONES = 3;

/** @type {Record<Presence, string>} names of pictures of view/icons.js */
const PICTURES = { here: 'online', away: 'away', lost: 'unplugged', gone: 'gone' };

/**
 * How the bar draws people.
 * @typedef {{disc: typeof disc, keyed: typeof keyed, pictures: typeof PICTURES}} Drawing
 */

/**
 * Swaps the sides of the game, or says that it failed.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 */
export async function swapOrSay(s, voice) {
  if (!(await swapSides(s))) voice.alarm(msg('controls.sides.failed'));
}

/**
 * Makes the bar, and draws it when seats change. The panel is made when somebody opens it first.
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @param {ReturnType<typeof import('./openers.js').openers>} doors
 * @returns {() => void} removes the listeners
 */
export function bindPeople(s, voice, doors) {
  const { chips, people } = s.page;
  const discs = el('span', { class: 'discs', 'aria-hidden': 'true' });
  const number = el('span', { class: 'unseen' });
  const toggle = el(
    'button',
    {
      class: 'crowd',
      'data-part': 'dialogs',
      'aria-expanded': 'false',
      'aria-controls': 'people',
      title: msg('controls.view.people'),
    },
    icon('people'),
    discs,
    number,
  );
  const add = barButton('add', msg('controls.view.add'), 'N', doors.box);
  const invite = barButton('invite', msg('controls.view.invite'), 'I', doors.invite);
  const log = barButton('log', msg('controls.view.log'), msg('controls.view.logKey'), doors.log);
  const unread = el('span', { class: 'unread', hidden: true });
  setAttr(log, 'data-part', 'log');
  setAttr(log, 'aria-keyshortcuts', 'Shift+C');
  log.append(unread);
  chips.append(toggle, log, add, invite);

  people.id = 'people';
  /**
   * @type {ReturnType<typeof import('../dialogs/seats.js').fillPeople>|null} the panel, once
   *   it has been opened
   */
  let panel = null;
  const open = (/** @type {boolean} */ yes) => {
    people.hidden = !yes;
    setAttr(toggle, 'aria-expanded', yes ? 'true' : 'false');
    (yes ? (panel?.close ?? people) : toggle).focus();
  };
  const show = () =>
    use(s, voice, 'dialogs', ({ fillPeople }) => {
      panel ??= fillPeople(s, {
        invite: doors.invite,
        profile: () => use(s, voice, 'profiles', (p) => p.openProfile(s, voice)),
        swap: () => void swapOrSay(s, voice),
        sit: () => use(s, voice, 'dialogs', (part) => part.sitDown(s, voice)),
        place: async (side) => {
          if (!(await swapSides(s, side))) voice.alarm(msg('controls.sides.taken'));
        },
        edit: () => {
          open(false);
          use(s, voice, 'edit', (part) => void part.start(s, voice));
        },
        endEdit: () => use(s, voice, 'edit', (part) => void part.end(s, voice)),
        close: () => open(false),
      }, { disc, keyed, pictures: PICTURES });
      drawn = '';
      draw();
      open(true);
    });

  const small = matchMedia(SMALL);
  const round = keyed(discs, disc);
  let drawn = '';
  let wasProposed = false;
  const drawLog = () => {
    const n = s.bars.unread;
    const label = n > 0 ? msg('controls.view.unread', { n }) : msg('controls.view.log');
    setAttr(log, 'aria-label', label);
    setAttr(log, 'aria-expanded', s.parts.log?.isOpen() ? 'true' : 'false');
    setText(unread, n > 99 ? '99+' : String(n));
    unread.hidden = n === 0;
  };
  const draw = () => {
    const { profiles } = s.parts;
    const seats = [...s.sync.seats.values()]
      .filter(({ left }) => !left)
      .map((seat) => ({
        ...(profiles?.appearing(s, seat) ?? seat), isMuted: isMuted(s, seat.id),
      }))
      .sort((a, b) => rank(s, a) - rank(s, b) || a.id - b.id);
    const toMove = s.parts.abilities?.seatsToMove(s) ?? new Set();
    drawLog();
    const room = small.matches ? DISCS_ON_PHONES : DISCS;
    const left = [...s.sync.seats.values()]
      .filter((seat) => seat.left)
      .map((seat) => ({ ...seat, presence: /** @type {Presence} */ ('gone') }));
    const key = JSON.stringify([
      seats, left, s.sync.you, [...toMove], room,
      s.parts.settings?.voiceOf(s),
      s.parts.abilities?.turnsToPass(s).length,
    ]);
    if (key === drawn) return;
    drawn = key;
    for (const b of [add, invite]) b.hidden = !plays(s);
    const here = seats.filter(isPresent);
    const lost = seats.filter((seat) => seat.presence === 'lost');
    setText(
      number,
      msg('controls.people.count', { n: here.length }) +
        lost.map((seat) => ` ${msg('core.did.lost', { who: seat.nick })}`).join(''),
    );
    const shown = seats.filter((seat) => seat.presence !== 'gone' || toMove.has(seat.id));
    // A number takes as much room as a disc.
    const fits = shown.length > room ? room - 1 : room;
    discs.querySelector('.rest')?.remove();
    round(shown.slice(0, fits), toMove);
    if (shown.length > fits)
      discs.append(el('span', { class: 'disc rest' }, `+${shown.length - fits}`));
    panel?.draw(seats, left, toMove);
    const isProposed = seats.some(({ proposal }) => proposal);
    if (isProposed || wasProposed)
      // without the part nobody is asked here, and nobody becomes a referee
      s.load('dialogs').then((part) => part.showProposal(s, voice), () => {});
    wasProposed = isProposed;
    if (s.sync.succession) s.parts.dialogs?.showVacancy(s, voice);
  };
  drawWithBars(s, draw);
  return all(
    on(small, 'change', () => redrawBars(s)),
    on(toggle, 'click', () => (people.hidden ? show() : open(false))),
    on(people, 'keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== 'Escape') return;
      e.stopPropagation();
      open(false);
    }),
  );
}

/**
 * Returns the place of a seat in the order: this person first, then people with a connection or a
 * lost one, then people who are gone.
 * @param {State} s
 * @param {Seat} seat
 */
function rank(s, seat) {
  if (seat.id === s.sync.you) return 0;
  return { here: 1, away: 1, lost: 1, gone: 2 }[seat.presence];
}

/**
 * Returns a function that draws seats into a parent. Each seat has an element that stays, so that a
 * change of presence can be animated. Any other change of a seat makes a new element.
 * @param {Element} parent
 * @param {(seat: Seat) => {root: HTMLElement, show: (presence: Presence, toMove: boolean) => void}}
 *   make
 * @returns {(seats: Seat[], toMove: Set<number>) => void}
 */
function keyed(parent, make) {
  /** @type {Map<number, {key: string, drawn: ReturnType<typeof make>}>} */
  const known = new Map();
  return (seats, toMove) => {
    const wanted = new Set(seats.map((seat) => seat.id));
    for (const [id, { drawn }] of known) {
      if (wanted.has(id)) continue;
      drawn.root.remove();
      known.delete(id);
    }
    seats.forEach((seat, i) => {
      const { presence: _, ...other } = seat;
      const key = JSON.stringify(other);
      let entry = known.get(seat.id);
      if (entry?.key !== key) {
        entry?.drawn.root.remove();
        entry = { key, drawn: make(seat) };
        known.set(seat.id, entry);
      }
      entry.drawn.show(seat.presence, toMove.has(seat.id));
      const at = parent.children[i] ?? null;
      if (at !== entry.drawn.root) parent.insertBefore(entry.drawn.root, at);
    });
  };
}

/** Makes the disc of a seat. @param {Seat} seat */
function disc(seat) {
  const badge = el('span', { class: 'disc-badge' });
  const root = el(
    'span',
    { class: 'disc', 'aria-hidden': 'true' },
    el('span', { class: 'disc-face' }, initials(seat.nick)),
    badge,
  );
  const face = /** @type {HTMLElement} */ (root.firstElementChild);
  face.style.background = css(seat.colour);
  face.style.color = inkOn(seat.colour);
  const show = (/** @type {Presence} */ presence, /** @type {boolean} */ toMove) => {
    root.classList.toggle('to-move', toMove);
    if (root.dataset.presence === presence) return;
    root.dataset.presence = presence;
    badge.replaceChildren(icon(PICTURES[presence]));
  };
  return { root, show };
}

/**
 * Makes a button of the bar at the upper edge, which opens a dialog.
 * @param {string} picture
 * @param {string} label
 * @param {string} key
 * @param {() => void} run
 */
function barButton(picture, label, key, run) {
  const text = msg('core.bar.keyed', { label, key });
  return el(
    'button',
    {
      class: 'bar-button',
      'data-part': 'dialogs',
      'aria-label': label,
      title: text,
      'aria-keyshortcuts': key,
      onclick: run,
    },
    icon(picture),
    el('span', { class: 'bar-name' }, label),
  );
}
