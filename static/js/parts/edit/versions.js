// The versions of the game that was saved (T107), and its set-ups (T106).

import { el } from '../../view/dom.js';
import { spanFields, field } from './about.js';
import { msg } from './msg.js';
import { bringBack, versionsOf } from './savings.js';

/** @typedef {import('./savings.js').Draft} Draft */
/** @typedef {import('./savings.js').Version} Version */

const MOST_SETUP = 60;
const MOST_PLAYERS = 32;

/**
 * Makes the list of versions.
 * @param {(version: Version) => void} back called when one is the newest again
 * @param {(text: string) => void} tell says why something failed
 */
export function createVersions(back, tell) {
  const list = el('ol', { class: 'edit-versions' });
  const root = el('section', { hidden: true }, el('h3', {}, msg('edit.versions.title')), list);
  const item = (/** @type {Version} */ v, /** @type {boolean} */ isNewest) => {
    const time = new Date(v.saved).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    const again = el('button', {
      class: 'secondary', type: 'button',
      'aria-label': msg('edit.versions.backTo', { time }),
      onclick: async () => {
        again.disabled = true;
        const answer = await bringBack(v.game);
        again.disabled = false;
        if ('text' in answer) tell(answer.text);
        else back(v);
      },
    }, msg('edit.versions.back'));
    const link = (/** @type {string} */ href, /** @type {string} */ text) => el('a', {
      href, ...href.startsWith('/?') ? { target: '_blank' } : { download: '' },
      'aria-label': msg('edit.versions.of', { what: text, time }),
    }, text);
    return el(
      'li', {},
      el('p', {}, v.by ? msg('edit.versions.by', { time, who: v.by }) : time,
        isNewest && el('strong', {}, ` · ${msg('edit.versions.newest')}`)),
      !!v.note && el('p', {}, v.note),
      el(
        'div', { class: 'edit-version-links' },
        link(v.file, msg('edit.versions.file')),
        link(`${v.file}?form=readable`, msg('edit.versions.zip')),
        link(`/?game=${v.game}`, msg('edit.versions.try')),
        !isNewest && again,
      ),
    );
  };
  return {
    root,
    /** Shows the versions of a game. @param {string} game */
    show: async (game) => {
      const all = game ? await versionsOf(game) : [];
      root.hidden = all.length === 0;
      list.replaceChildren(...all.map((v, i) => item(v, i === 0)));
    },
  };
}

/**
 * Makes the fields with which the table becomes a set-up.
 * @param {(setup: {name: string, players: [number, number]|[]}) => Promise<boolean>} save
 * @param {(text: string) => void} tell says what is wrong
 */
export function createSetups(save, tell) {
  const list = el('ul', { class: 'edit-setups' });
  const name = field(msg('edit.setup.name'), el('input', {
    type: 'text', maxlength: MOST_SETUP, autocomplete: 'off',
  }));
  const players = spanFields(msg('edit.about.playersFrom'), msg('edit.about.playersTo'),
    MOST_PLAYERS);
  const send = el('button', { class: 'secondary', type: 'button', onclick: async () => {
    tell('');
    const span = players.read();
    const text = name.input.value.trim();
    if (!text || !span) {
      tell(msg(text ? 'edit.fault.players' : 'edit.fault.setup'));
      if (text) players.focus();
      else name.input.focus();
      return;
    }
    send.disabled = true;
    if (await save({ name: text, players: span })) {
      name.input.value = '';
      players.show();
    }
    send.disabled = false;
  } }, msg('edit.setup.save'));
  const root = el('details', { class: 'edit-more' },
    el('summary', {}, msg('edit.setup.title')),
    list, el('p', { class: 'quiet' }, msg('edit.setup.about')),
    name.root, players.root, send);
  return {
    root,
    /** @param {Draft['setups']} setups */
    show: (setups) => list.replaceChildren(...setups.map(({ name: called, players: span }) => el(
      'li', {}, called || msg('edit.setup.first'),
      span?.length ? ` · ${playersOf(span)}` : '',
    ))),
  };
}

/** Says for how many players something is. @param {[number, number]} span */
function playersOf([from, to]) {
  if (from === to) return msg('edit.setup.exactly', { n: to });
  return msg('edit.setup.players', { from, to });
}
