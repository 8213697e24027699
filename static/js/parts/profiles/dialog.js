// The dialog in which people set how they appear at the table: name, pronoun, colour, and whether
// they are away.

import { css, initials, inkOn } from '../../view/colour.js';
import { el, setText } from '../../view/dom.js';
import { sharedOf } from '../../parts.js';
import { msg } from './msg.js';
import { COLOURS } from './colours.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../components/registry.js').Profile} Profile */

/** The greatest number of characters of a nick and of a pronoun (C14). */
const NICK = 40;
const PRONOUN = 20;

/** The pronouns that the dialog offers. Their texts are messages. */
const PRONOUNS = /** @type {const} */ (['she', 'he', 'they']);

/**
 * @param {State} s
 * @param {Profile} now
 * @param {import('../../parts.js').Part<'dialogs'>} dialogs
 * @param {(profile: Profile) => void} save
 */
export function askProfile(s, now, { openDialog }, save) {
  const { lineOf } = sharedOf(s);
  const nick = el('input', {
    type: 'text',
    id: 'profile-nick',
    maxlength: NICK,
    required: true,
    autocomplete: 'nickname',
    spellcheck: 'false',
    value: now.nick,
  });
  const problem = el(
    'p', { class: 'problem', role: 'alert', hidden: true }, msg('profiles.noNick'),
  );
  const pronoun = el('input', {
    type: 'text',
    id: 'profile-pronoun',
    maxlength: PRONOUN,
    autocomplete: 'off',
    spellcheck: 'false',
    value: now.pronoun,
    'aria-describedby': 'pronoun-hint',
  });
  const usual = el(
    'div',
    { class: 'usual' },
    ...PRONOUNS.map((id) => msg(`profiles.pronouns.${id}`)).map((p) =>
      el(
        'button',
        {
          class: 'secondary',
          onclick: () => {
            pronoun.value = p;
          },
        },
        p,
      ),
    ),
  );
  const away = el('input', { type: 'checkbox', id: 'profile-away' });
  away.checked = now.away;
  const colours = colourField(s, now.colour, () => lineOf(nick.value, NICK) || now.nick);
  nick.addEventListener('input', colours.draw);
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const name = lineOf(nick.value, NICK);
    problem.hidden = name !== '';
    if (name === '') {
      nick.focus();
      return;
    }
    d.close();
    save({
      nick: name,
      colour: colours.read(),
      pronoun: lineOf(pronoun.value, PRONOUN),
      away: away.checked,
    });
  };
  const form = el('form', { class: 'profile-form', novalidate: true, onsubmit: submit },
    el('div', {}, el('label', { for: nick.id }, msg('profiles.nick')), nick, problem),
    el(
      'div',
      {},
      el('label', { for: pronoun.id }, msg('profiles.pronoun')),
      pronoun,
      usual,
      el('p', { class: 'quiet', id: 'pronoun-hint' }, msg('profiles.pronounHint')),
    ),
    colours.root,
    el(
      'div',
      {},
      el('label', { class: 'check' }, away, msg('profiles.away')),
      el('p', { class: 'quiet' }, msg('profiles.awayHint')),
    ),
    el('button', { type: 'submit', class: 'primary' }, msg('profiles.save')),
  );
  const d = openDialog(s.page.main, 'profile', msg('profiles.title'), msg('profiles.close'), form);
  nick.focus();
}

/**
 * Makes the field of colours. Each colour is shown as a disc.
 * @param {State} s
 * @param {number} now
 * @param {() => string} nickOf
 */
function colourField(s, now, nickOf) {
  const offered = COLOURS.map(
    ({ id, colour }) => ({ name: msg(`profiles.colours.${id}`), colour }),
  );
  const isOffered = offered.some(({ colour }) => colour === now);
  const own = el('input', { type: 'color', value: css(now), 'aria-label': msg('profiles.own') });
  const owners = new Map(
    [...s.sync.seats.values()]
      .filter(({ id }) => id !== s.sync.you)
      .map((seat) => [seat.colour, seat.nick]),
  );
  const choices = offered.map(({ name, colour }) => {
    const taken = owners.get(colour);
    const input = el('input', {
      type: 'radio',
      name: 'profile-colour',
      value: colour,
      'aria-label': taken ? msg('profiles.takenBy', { name, nick: taken }) : name,
    });
    input.checked = colour === now;
    const disc = el('span', { class: 'profile-disc', 'aria-hidden': 'true' });
    disc.style.background = css(colour);
    disc.style.color = inkOn(colour);
    const root = el(
      'label',
      {
        class: 'profile-colour',
        title: taken ? msg('profiles.takenBy', { name, nick: taken }) : name,
      },
      input,
      disc,
    );
    root.classList.toggle('taken', taken !== undefined);
    return { root, input, disc };
  });
  const other = el('input', {
    type: 'radio',
    name: 'profile-colour',
    value: 'own',
    'aria-label': msg('profiles.own'),
  });
  other.checked = !isOffered;
  own.addEventListener('input', () => {
    other.checked = true;
    draw();
  });
  const read = () => {
    const chosen = choices.find(({ input }) => input.checked);
    return chosen ? Number(chosen.input.value) : Number.parseInt(own.value.slice(1), 16);
  };
  const draw = () => {
    for (const { input, disc, root } of choices)
      setText(
        disc,
        input.checked ? initials(nickOf()) : root.classList.contains('taken') ? '●' : '',
      );
  };
  const root = el(
    'fieldset',
    { class: 'profile-colours' },
    el('legend', {}, msg('profiles.colour')),
    ...choices.map((c) => c.root),
    el('label', { class: 'profile-own' }, other, own, msg('profiles.own')),
  );
  root.addEventListener('change', draw);
  draw();
  const note = owners.size > 0 && el('p', { class: 'quiet' }, msg('profiles.taken'));
  return { root: el('div', {}, root, note), read, draw };
}
