// The tab for the game as a whole: it is saved as the table lies (T102).

import { el, setText } from '../../view/dom.js';
import { textField } from './form.js';
import { MOST_NAME } from './kinds.js';
import { msg } from './msg.js';
import { saveGame } from './send.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** The most characters of the sentence about a game. */
const MOST_SUMMARY = 200;

/**
 * Makes the tab.
 * @param {State} s
 * @param {Voice} voice
 * @returns {import('./panel.js').Content}
 */
export function createGame(s, voice) {
  const values = { name: s.sync.info?.title ?? '', summary: '' };
  const name = textField(msg('edit.game.name'), values.name, MOST_NAME, (text) => {
    values.name = text;
  });
  const summary = textField(msg('edit.game.summary'), '', MOST_SUMMARY, (text) => {
    values.summary = text;
  });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const save = el('button', { class: 'primary', type: 'submit' }, msg('edit.save'));
  const saved = el('div', { class: 'edit-saved', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const send = async () => {
    tell('');
    values.name = values.name.trim();
    values.summary = values.summary.trim();
    if (!values.name) {
      tell(msg('edit.fault.name'));
      name.input.focus();
      return;
    }
    save.disabled = true;
    setText(save, msg('edit.saving'));
    const answer = await saveGame(s, values);
    save.disabled = false;
    setText(save, msg('edit.save'));
    if ('code' in answer) {
      tell(answer.text);
      return;
    }
    voice.whisper(msg('edit.saved', { name: values.name }));
    saved.replaceChildren(
      el('p', {}, msg('edit.saved', { name: values.name })),
      el('p', {}, el('a', { href: answer.file, download: '' }, msg('edit.download'))),
      el('p', {}, el('a', { href: `/?game=${answer.game}`, target: '_blank' }, msg('edit.try'))),
    );
    saved.hidden = false;
  };
  const root = el(
    'form',
    {
      class: 'edit-form', novalidate: true,
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        void send();
      },
    },
    el('h3', {}, msg('edit.game.title')),
    el('p', { class: 'quiet' }, msg('edit.game.about')),
    name.root, summary.root, problem, el('div', { class: 'edit-send' }, save), saved,
  );
  return { root, draw: () => {}, back: () => false };
}
