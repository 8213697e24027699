// The fields for what a game says of itself, and for its seats (T105).

import { kindOf } from '../../view/catalog.js';
import { el } from '../../view/dom.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./savings.js').Draft} Draft */
/** @typedef {import('./savings.js').Seat} Seat */
/** @typedef {import('./savings.js').Span} Span */

/** The genres, and how many of them a game may have. */
const GENRES = /** @type {const} */ (['board', 'cards', 'dice', 'tiles', 'party', 'tool']);
const MOST_GENRES = 3;

const MOST_PLAYERS = 32;
const MOST_MINUTES = 10_000;
const MOST_SEATS = 32;
const MOST_NAME = 80;

/** The colours of new seats. */
const COLOURS = [
  '#e9c46a', '#2a9d8f', '#e76f51', '#7b9fd4', '#c77dba', '#9bc46a', '#f2ead8', '#a8443a',
];

let ids = 0;

/**
 * Puts a label over a field.
 * @template {HTMLElement} T
 * @param {string} text
 * @param {T} input
 */
export function field(text, input) {
  input.id ||= `edit-game-${++ids}`;
  const label = el('label', { for: input.id }, text);
  return { input, root: el('div', { class: 'edit-field' }, label, input) };
}

/**
 * Makes two fields for the least and the most of a number. Both may be empty.
 * @param {string} least the labels
 * @param {string} most
 * @param {number} high
 */
export function spanFields(least, most, high) {
  const number = (/** @type {string} */ label) => field(label, el('input', {
    type: 'number', min: 1, max: high, inputmode: 'numeric',
  }));
  const [from, to] = [number(least), number(most)];
  return {
    root: el('div', { class: 'edit-row' }, from.root, to.root),
    /** Returns what stands there; undefined: no span. @returns {Span|undefined} */
    read: () => {
      const texts = [from.input.value, to.input.value];
      if (texts.every((text) => text === '')) return [];
      const [a, b] = texts.map((text) => Number(text || texts.find((other) => other !== '')));
      const fits = [a, b].every((n) => Number.isInteger(n) && n >= 1 && n <= high);
      return fits && a <= b ? [a, b] : undefined;
    },
    /** @param {Span} [span] */
    show: (span = []) => {
      from.input.value = String(span[0] ?? '');
      to.input.value = String(span[1] ?? '');
    },
    focus: () => from.input.focus(),
  };
}

/** Makes the fields for what a game says of itself. */
export function createAbout() {
  const players = spanFields(msg('edit.about.playersFrom'), msg('edit.about.playersTo'),
    MOST_PLAYERS);
  const minutes = spanFields(msg('edit.about.minutesFrom'), msg('edit.about.minutesTo'),
    MOST_MINUTES);
  const genres = GENRES.map((genre) => ({
    genre, box: el('input', { type: 'checkbox', onchange: () => limit() }),
  }));
  const limit = () => {
    const full = genres.filter(({ box }) => box.checked).length >= MOST_GENRES;
    for (const { box } of genres) box.disabled = full && !box.checked;
  };
  const rules = field(msg('edit.about.rules'), el('textarea', { rows: 6, oninput: () => {
    isWritten = true;
  } }));
  const file = el('p', { class: 'quiet', hidden: true }, msg('edit.about.rulesFile'));
  let isWritten = false;
  const root = el(
    'details', { class: 'edit-more' },
    el('summary', {}, msg('edit.about.title')),
    players.root, minutes.root,
    el('fieldset', { class: 'edit-shapes' }, el('legend', {}, msg('edit.about.genres')),
      ...genres.map(({ genre, box }) => el('label', {}, box, msg(`edit.genre.${genre}`)))),
    rules.root, file,
  );
  return {
    root,
    /** @param {Draft['about']} about */
    show: (about) => {
      players.show(about.players);
      minutes.show(about.minutes);
      for (const { genre, box } of genres) box.checked = about.genres?.includes(genre) ?? false;
      limit();
      rules.input.value = about.rules ?? '';
      file.hidden = !about.file;
      isWritten = false;
    },
    /** Returns what stands there, or which field is at fault, which has the focus then. */
    read: () => {
      const spans = /** @type {const} */ ([['players', players], ['minutes', minutes]]);
      for (const [fault, fields] of spans)
        if (fields.read() === undefined) {
          root.open = true;
          fields.focus();
          return { fault };
        }
      const about = {
        players: players.read(), minutes: minutes.read(),
        genres: genres.filter(({ box }) => box.checked).map(({ genre }) => genre),
        ...isWritten && { rules: rules.input.value }, // others would replace rules as a PDF
      };
      return { about };
    },
  };
}

/**
 * Makes the fields for the seats of a game.
 * @param {State} s
 */
export function createSeats(s) {
  /** @type {Seat[]} */
  let seats = [];
  let isChanged = false;
  const change = () => {
    isChanged = true;
  };
  const list = el('ol', { class: 'edit-seats', oninput: change, onchange: change });
  const add = el('button', { class: 'secondary', type: 'button', onclick: () => {
    change();
    seats.push({
      name: freeName(), side: 0, colour: COLOURS[seats.length % COLOURS.length], ...freeHand(),
    });
    draw();
    /** @type {HTMLElement|null} */ (list.querySelector('li:last-child input'))?.focus();
  } }, msg('edit.seats.add'));
  const freeName = () => {
    for (let n = seats.length + 1; ; n++) {
      const name = msg('edit.seats.name', { number: n });
      if (seats.every((seat) => seat.name !== name)) return name;
    }
  };
  const freeHand = () => {
    const hand = handsOf(s).find(({ id }) => seats.every((seat) => seat.hand !== id));
    return hand ? { hand: hand.id, side: hand.angle } : {};
  };
  const draw = () => {
    const hands = handsOf(s);
    add.hidden = seats.length >= MOST_SEATS;
    list.replaceChildren(...seats.map((seat, i) => {
      const name = field(msg('edit.field.name'), el('input', {
        type: 'text', value: seat.name, maxlength: MOST_NAME, autocomplete: 'off',
        oninput: () => {
          seat.name = name.input.value;
        },
      }));
      const colour = field(msg('edit.field.colour'), el('input', {
        type: 'color', value: seat.colour, oninput: () => {
          seat.colour = colour.input.value;
        },
      }));
      const hand = field(msg('edit.seats.hand'), el(
        'select', { onchange: () => {
          const is = hands.find(({ id }) => String(id) === hand.input.value);
          delete seat.hand;
          if (is) Object.assign(seat, { hand: is.id, side: is.angle });
        } },
        el('option', { value: '', selected: !seat.hand }, msg('edit.seats.noHand')),
        ...hands.map((is) => el('option', { value: String(is.id), selected: is.id === seat.hand },
          is.text)),
      ));
      const remove = el('button', {
        class: 'secondary', type: 'button',
        'aria-label': msg('edit.seats.removeIt', { name: seat.name }),
        onclick: () => {
          change();
          seats.splice(i, 1);
          draw();
          add.focus();
        },
      }, msg('edit.seats.remove'));
      return el('li', {}, el('div', { class: 'edit-row' }, name.root, colour.root),
        el('div', { class: 'edit-row' }, hand.root, remove));
    }));
  };
  const root = el('details', { class: 'edit-more', ontoggle: draw },
    el('summary', {}, msg('edit.seats.title')),
    el('p', { class: 'quiet' }, msg('edit.seats.about')), list, add);
  return {
    root,
    /** @param {Seat[]} now */
    show: (now) => {
      isChanged = false;
      seats = now.map((seat) => ({ ...seat }));
      draw();
    },
    /**
     * Returns the seats, with what lies on the table; undefined if nobody has changed them; null if
     * one has no name of its own.
     */
    read: () => {
      if (!isChanged) return undefined;
      const names = seats.map((seat) => seat.name.trim());
      const isFaulty = names.some((name, i) => name === '' || names.indexOf(name) !== i);
      if (isFaulty) root.open = true;
      if (isFaulty) return null;
      const lies = (/** @type {number} */ id) => s.sync.pieces.has(id);
      return seats.map(({ hand, pieces = [], ...seat }, i) => ({
        ...seat, name: names[i], ...hand && lies(hand) && { hand }, pieces: pieces.filter(lies),
      }));
    },
  };
}

/**
 * Returns the hands on the table, from the nearest one, with texts that tell them apart.
 * @param {State} s
 */
export function handsOf(s) {
  const all = [...s.sync.pieces.values()].filter((p) => kindOf(s, p)?.hand)
    .sort((a, b) => b.y - a.y || a.x - b.x);
  return all.map((p, i) => ({
    id: p.id, angle: p.angle,
    text: msg(`edit.seats.at.${sideOf(p)}`, { name: kindOf(s, p).name, number: i + 1 }),
  }));
}

/** Returns at which edge of the table a piece lies. @param {{x: number, y: number}} p */
function sideOf({ x, y }) {
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? 'right' : 'left';
  return y < 0 ? 'far' : 'near';
}
