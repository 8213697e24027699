// The tab for the game as a whole: it is saved as the table lies (T102), with what it says of
// itself (T105), as one more set-up (T106), and as a version (T107).

import { el, setText } from '../../view/dom.js';
import { createAbout, createSeats } from './about.js';
import { textField } from './form.js';
import { MOST_NAME } from './kinds.js';
import { createLanguages } from './languages.js';
import { msg } from './msg.js';
import { draftOf, keepLast, lastSaved, save } from './savings.js';
import { createSetups, createVersions } from './versions.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./savings.js').Saving} Saving */

/** The most characters of the sentence about a game, and about a version. */
const MOST_SUMMARY = 200;

/**
 * Makes the tab.
 * @param {State} s
 * @param {Voice} voice
 * @returns {import('./panel.js').Content}
 */
export function createGame(s, voice) {
  const values = { name: s.sync.info?.title ?? '', summary: '', note: '' };
  /** The game that the next one follows: '' is that of the table. */
  let of = lastSaved(s);
  let isDrawn = false;
  const name = textField(msg('edit.game.name'), values.name, MOST_NAME, (text) => {
    values.name = text;
  });
  const summary = textField(msg('edit.game.summary'), '', MOST_SUMMARY, (text) => {
    values.summary = text;
  });
  const note = textField(msg('edit.game.note'), '', MOST_SUMMARY, (text) => {
    values.note = text;
  });
  const about = createAbout();
  const seats = createSeats(s);
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { class: 'primary', type: 'submit' }, msg('edit.save'));
  const attempt = el('button', {
    class: 'secondary', type: 'button', onclick: () => void tryIt(),
  }, msg('edit.tryNow'));
  const saved = el('div', { class: 'edit-saved', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const languages = createLanguages(tell);
  const versions = createVersions((version) => {
    voice.whisper(msg('edit.versions.isBack'));
    follow(version.game);
  }, tell);
  const setups = createSetups((setup) => sendSetup(setup), tell);

  /** From now on saved games follow this one. @param {string} game */
  const follow = (game) => {
    of = game;
    keepLast(s, game);
    void load();
  };
  /** Shows what the followed game says. */
  const load = async () => {
    const draft = await draftOf(s, of);
    if ('code' in draft) {
      if (of && draft.code === 'impossible-value') follow(''); // it is forgotten
      return;
    }
    if (of) {
      for (const [key, one] of /** @type {const} */ ([['name', name], ['summary', summary]]))
        one.input.value = values[key] = draft[key];
    }
    about.show(draft.about);
    seats.show(draft.seats);
    setups.show(draft.setups);
    languages.show(of, draft.languages);
    setups.root.hidden = !of && draft.name === '';
    await versions.show(of);
  };
  /** Returns the name of the game; '' if that is missing. */
  const named = () => {
    tell('');
    values.name = values.name.trim();
    if (!values.name) {
      tell(msg('edit.fault.name'));
      name.input.focus();
    }
    return values.name;
  };
  /**
   * Saves something, and says whether that was done.
   * @param {Saving} saving
   */
  const send = async (saving) => {
    button.disabled = attempt.disabled = true;
    setText(button, msg('edit.saving'));
    const said = values.note.trim();
    const answer = await save(s, { ...saving, ...of && { of }, ...said && { note: said } });
    button.disabled = attempt.disabled = false;
    setText(button, msg('edit.save'));
    if ('code' in answer) {
      tell(answer.text);
      return '';
    }
    const is = msg('edit.saved', { name: saving.name });
    voice.whisper(is);
    saved.replaceChildren(
      el('p', {}, is),
      el('p', {}, el('a', { href: answer.file, download: '' }, msg('edit.download'))),
      el('p', {}, el('a', { href: `${answer.file}?form=readable`, download: '' }, msg('edit.zip'))),
      el('p', {}, el('a', { href: `/?game=${answer.game}`, target: '_blank' }, msg('edit.try'))),
    );
    saved.hidden = false;
    note.input.value = values.note = '';
    follow(answer.game);
    return answer.game;
  };
  /** Saves the game, and returns it; '' if that failed. */
  const submit = async () => {
    if (!named()) return '';
    const said = about.read();
    const places = seats.read();
    if (said.fault || places === null) {
      tell(msg(said.fault ? `edit.fault.${said.fault}` : 'edit.fault.seats'));
      return '';
    }
    const sentence = values.summary.trim();
    const translated = languages.read();
    return send({
      name: values.name, ...sentence && { summary: sentence }, about: said.about,
      ...places && { seats: places }, ...translated && { languages: translated },
    });
  };
  const sendSetup = async (/** @type {NonNullable<Saving['setup']>} */ setup) => {
    if (!named()) return false;
    return await send({ name: values.name, setup }) !== '';
  };
  /** Saves the game, and opens the page on which a table of it begins. */
  const tryIt = async () => {
    const page = window.open('', '_blank'); // later it would be no answer to a press
    const game = await submit();
    if (!game) page?.close();
    else if (page) page.location.href = `/?game=${game}`;
  };
  const root = el(
    'form',
    {
      class: 'edit-form', novalidate: true,
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        void submit();
      },
    },
    el('h3', {}, msg('edit.game.title')),
    el('p', { class: 'quiet' }, msg('edit.game.about')),
    name.root, summary.root, about.root, seats.root, setups.root, languages.root, note.root,
    problem,
    el('div', { class: 'edit-send edit-both' }, button, attempt), saved, versions.root,
  );
  return {
    root,
    draw: () => {
      if (isDrawn) return;
      isDrawn = true;
      void load();
    },
    back: () => false,
  };
}
