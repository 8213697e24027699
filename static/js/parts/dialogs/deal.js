// The dialog that asks how many cards each player gets, and who gets some (T30).

import { isPlayer } from '../../roles.js';
import { kindOf } from '../../view/catalog.js';
import { openDialog } from './dialog.js';
import { seatLine, stepper } from './asking.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { sendBlind } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { countIn, isPresent } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').Seat} Seat */

/** The most pieces that one deal gives to each hand (T30). */
const MOST = 100;

/** How many cards were dealt last. The dialog begins with that. */
let last = 1;

/**
 * Returns the players who have a hand, in the order of their seats, each with the oldest hand.
 * @param {State} s
 * @returns {{seat: Seat, hand: Piece}[]}
 */
function players(s) {
  /** @type {Map<number, Piece>} */
  const hands = new Map();
  for (const p of [...s.sync.pieces.values()].sort((a, b) => a.id - b.id)) {
    if (p.owner !== 0 && kindOf(s, p).hand && !hands.has(p.owner)) hands.set(p.owner, p);
  }
  return [...hands].flatMap(([id, hand]) => {
    const seat = s.sync.seats.get(id);
    return seat && isPlayer(seat) ? [{ seat, hand }] : [];
  }).sort((a, b) => a.seat.id - b.seat.id);
}

/**
 * Returns the arguments of a deal to some hands. It lists them, unless they are those of all
 * players: people may have come or gone while the dialog was open.
 * @param {State} s
 * @param {number} n how many cards each gets
 * @param {number[]} to the hands
 * @returns {import('../../types.js').Args}
 */
export function dealTo(s, n, to) {
  const now = players(s);
  const isAll = now.length === to.length && now.every(({ hand }) => to.includes(hand.id));
  return isAll ? { n } : { n, pieces: to };
}

/**
 * Returns the greatest number of cards that can be dealt now to so many hands.
 * @param {State} s
 * @param {Piece} deck
 * @param {number} hands
 */
export function mostFor(s, deck, hands) {
  const there = countIn(s, deck) ?? Number.POSITIVE_INFINITY;
  return clamp(Math.floor(there / Math.max(1, hands)), 1, MOST);
}

/**
 * Opens the dialog.
 * @param {State} s
 * @param {Piece} piece the deck
 * @param {import('../../bars/say.js').Voice} voice
 */
export function openDeal(s, piece, voice) {
  const rows = players(s).map(({ seat, hand }) => {
    const box = el('input', { type: 'checkbox', id: `deal-to-${seat.id}`, onchange: () => mark() });
    box.checked = seat.id === s.sync.you || seat.presence === 'here';
    const isAway = seat.presence !== 'here' && seat.id !== s.sync.you;
    const root = el(
      'label', { class: 'choice', for: box.id }, box, ...seatLine(s, seat),
      isAway && el(
        'span', { class: 'quiet' },
        msg(`dialogs.people.presence.${isPresent(seat) ? 'away' : 'gone'}`),
      ),
    );
    return { hand, box, root };
  });
  const ticked = () => rows.filter(({ box }) => box.checked);
  const most = () => mostFor(s, piece, ticked().length);
  const field = stepper('deal-n', msg('dialogs.deal.howMany'), {
    min: 1, max: MOST, value: Math.min(last, most()),
  });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const mark = () => {
    const n = ticked().length;
    const text = n === 0
      ? msg('dialogs.deal.nobody')
      : Number(field.input.value) > most() ? msg('dialogs.deal.tooMany', { n: most() }) : '';
    problem.hidden = text === '';
    problem.textContent = text;
    return text === '';
  };
  field.input.addEventListener('input', mark);
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!s.sync.pieces.has(piece.id)) {
      d.close();
      explain(s, { reason: 'gone', piece: piece.id, by: 0 }, voice);
      return;
    }
    if (!mark() || !field.input.checkValidity()) return;
    last = Math.round(Number(field.input.value));
    d.close();
    const to = ticked().map(({ hand }) => hand.id);
    sendBlind(s, piece.id, 'deal', dealTo(s, last, to));
  };
  const form = el(
    'form', { class: 'asking', onsubmit: submit, novalidate: true }, field.root,
    el(
      'fieldset', { class: 'field whom' }, el('legend', {}, msg('dialogs.deal.toWhom')),
      el('div', { class: 'choices' }, ...rows.map((r) => r.root)),
    ),
    problem,
    el('button', { type: 'submit', class: 'primary' }, msg('dialogs.deal.deal')),
  );
  const title = msg('dialogs.deal.deal');
  const d = openDialog(s.page.main, 'ask', title, msg('dialogs.ask.close'), form);
  field.input.focus();
  field.input.select();
}
