// The languages of the game (T105.5): the texts to translate as a table, and translations that come
// with the next save.

import { el, setText } from '../../view/dom.js';
import { field } from './about.js';
import { msg } from './msg.js';

/** A language, as the server wants it (G6.1): "de", "pt-BR". */
const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/;

/** The most bytes of a translation. */
const MOST_BYTES = 256 * 1024;

/**
 * Makes the fields.
 * @param {(text: string) => void} tell says what is wrong
 */
export function createLanguages(tell) {
  /** Translations that were chosen, by their tags. @type {Record<string, string>} */
  let chosen = {};
  /** The languages that the game has. @type {string[]} */
  let has = [];
  let game = '';
  const list = el('p', { class: 'quiet' });
  const draw = () => {
    const all = [...new Set([...has, ...Object.keys(chosen)])].sort();
    setText(list, all.length === 0 ? msg('edit.languages.none')
      : msg('edit.languages.has', { tags: all.join(', ') }));
    for (const one of [texts, pick]) one.disabled = !TAG.test(tag.input.value);
    texts.hidden = game === '';
    first.hidden = game !== '';
  };
  const tag = field(msg('edit.languages.tag'), el('input', {
    type: 'text', maxlength: 12, autocomplete: 'off', autocapitalize: 'none', oninput: () => draw(),
  }));
  const link = el('a', { hidden: true, download: '' });
  const texts = el('button', { class: 'secondary', type: 'button', onclick: () => {
    link.href = `/api/v1/games/${game}/texts?tag=${tag.input.value}`;
    link.click();
  } }, msg('edit.languages.texts'));
  const take = async (/** @type {File} */ one) => {
    tell(one.size > MOST_BYTES ? msg('edit.languages.large') : '');
    if (one.size > MOST_BYTES) return;
    chosen = { ...chosen, [tag.input.value]: await one.text() };
    draw();
    setText(said, msg('edit.languages.chosen', { tag: tag.input.value }));
  };
  const file = el('input', {
    type: 'file', hidden: true, accept: '.csv,.json', onchange: () => {
      const [one] = file.files ?? [];
      file.value = '';
      if (one) void take(one);
    },
  });
  const pick = el('button', {
    class: 'secondary', type: 'button', onclick: () => file.click(),
  }, msg('edit.languages.pick'));
  const said = el('p', { role: 'status' });
  const first = el('p', { class: 'quiet' }, msg('edit.languages.first'));
  const root = el('details', { class: 'edit-more' },
    el('summary', {}, msg('edit.languages.title')),
    list, tag.root, first, el('div', { class: 'edit-row' }, texts, pick, file, link), said);
  draw();
  return {
    root,
    /** Shows the languages of a game. @param {string} of @param {string[]} [tags] */
    show: (of, tags = []) => {
      game = of;
      has = tags;
      chosen = {};
      setText(said, '');
      draw();
    },
    /** Returns the translations that were chosen; undefined: none. */
    read: () => Object.keys(chosen).length > 0 ? chosen : undefined,
  };
}
