// The pictures of a PDF or a zip: which of them become pieces, and what sort of pieces.

import { kindNamed } from '../../view/catalog.js';
import { el, setText } from '../../view/dom.js';
import { picturesOf } from './bundles.js';
import { creditFields } from './credit.js';
import { labelled, numberField, textField, whyOf } from './form.js';
import {
  LEAST_SIZE, MOST_NAME, MOST_SIZE, RECIPES, kindsOf, startOf, wellFormed,
} from './kinds.js';
import { msg } from './msg.js';
import { encode, readPicture } from './picture.js';
import { isGivenUp, progressPlace } from './progress.js';
import { addKinds, hasKind } from './send.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./bundles.js').Named} Named */
/** @typedef {import('./picture.js').Picture} Picture */

/** What the pictures can become. */
const SORTS = /** @type {const} */ (['tile', 'token', 'board']);

/** The longer side at first, in mm. */
const SIZE = { tile: 60, token: 30, board: 400 };

/** A picture that can be chosen. @typedef {{name: string, picture: Picture,
 *   box: HTMLInputElement}} Choice */

/**
 * Makes the view, and reads the file.
 * @param {State} s
 * @param {Voice} voice
 * @param {File} file
 * @param {{done: () => void, close: () => void}} then
 */
export function createBundle(s, voice, file, { done, close }) {
  const heading = el('h3', { tabindex: '-1' }, file.name);
  const busy = progressPlace();
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  const list = el('ul', { class: 'edit-pages' });
  const credit = creditFields(textField);
  let size = SIZE.tile;
  const longer = numberField(msg('edit.bundle.size'), size,
    { min: LEAST_SIZE, max: MOST_SIZE, step: 'any' }, (n) => {
      size = n;
    });
  const select = el('select', {
    id: 'edit-bundle-sort',
    onchange: () => {
      size = SIZE[sort()];
      longer.input.value = String(size);
    },
  }, ...SORTS.map((one) => el('option', { value: one }, msg(`edit.makes.${one}`))));
  const sort = () => SORTS.find((one) => one === select.value) ?? SORTS[0];
  const put = el('button', { class: 'primary', type: 'submit' }, '');
  const fields = el(
    'div', { class: 'edit-form', hidden: true },
    list,
    el('div', { class: 'edit-row' }, labelled(select, msg('edit.bundle.sort')).root, longer.root),
    credit.root,
  );
  const sending = el('div', { class: 'edit-send', hidden: true }, put);
  /** @type {Choice[]} */
  let choices = [];
  const count = () => {
    const n = choices.filter(({ box }) => box.checked).length;
    setText(put, msg('edit.bundle.put', { n }));
    put.disabled = n === 0;
  };
  const read = async () => {
    try {
      const named = await busy.during(msg('edit.bundle.reading'), async (watching) => {
        const all = await picturesOf(file, watching);
        return shownOf(all, watching);
      });
      const { shown, left } = named;
      tell(left > 0 ? msg('edit.bundle.left', { n: left }) : '');
      choices = shown.map(({ name, picture }) => ({
        name, picture, box: el('input', { type: 'checkbox', checked: true, onchange: count }),
      }));
      list.replaceChildren(...choices.map(({ name, picture, box }) => el('li', {}, el(
        'label', {}, el('img', { alt: '', src: picture.shown }), el('span', {}, box, ` ${name}`),
      ))));
      fields.hidden = sending.hidden = credit.root.hidden = false;
      count();
      heading.focus({ preventScroll: true });
    } catch (error) {
      if (isGivenUp(error) && root.isConnected) close();
      else if (!isGivenUp(error)) tell(whyOf(error));
    }
  };
  const send = async () => {
    tell('');
    if (!(size >= LEAST_SIZE && size <= MOST_SIZE)) {
      tell(msg('edit.fault.size'));
      longer.input.focus();
      return;
    }
    put.disabled = true;
    try {
      const chosen = choices.filter(({ box }) => box.checked);
      const answer = await busy.during(msg('edit.progress.sending'), async (watching) => {
        const { kinds, art } = await made(s, chosen, sort(), size, watching.signal);
        return addKinds(s, kinds, art, { credit: credit.take(), watching });
      });
      if (!Array.isArray(answer)) {
        tell(answer.text);
        return;
      }
      if (!(await hasKind(s, answer.at(-1) ?? 0))) {
        tell(msg('edit.late'));
        return;
      }
      const dialogs = await s.load('dialogs');
      for (const kind of answer) dialogs.addPiece(s, kind);
      voice.notice(msg('edit.bundle.isPut', { n: answer.length }));
      done();
    } catch (error) {
      if (!isGivenUp(error)) tell(whyOf(error));
    } finally {
      count();
    }
  };
  const root = el(
    'form', {
      class: 'edit-form', novalidate: true,
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        if (!put.disabled) void send();
      },
    },
    heading, fields, problem, busy.root, sending,
  );
  void read();
  return { root, focus: () => heading.focus({ preventScroll: true }), stop: busy.giveUp };
}

/**
 * Decodes pictures; those that cannot be used are left out. Throws why, if none can.
 * @param {Named[]} all
 * @param {Required<import('./upload.js').Watching>} watching
 */
async function shownOf(all, { progress, signal }) {
  /** @type {{name: string, picture: Picture}[]} */
  const shown = [];
  /** @type {unknown} */
  let why = null;
  for (const [i, { name, blob }] of all.entries()) {
    signal?.throwIfAborted();
    progress(0.99 * (i / all.length));
    try {
      shown.push({ name, picture: await readPicture(blob) });
    } catch (error) {
      why = error;
    }
  }
  if (shown.length === 0) throw why;
  return { shown, left: all.length - shown.length };
}

/**
 * Makes the kinds of chosen pictures. Names that the table has, or that stand there twice, get
 * numbers.
 * @param {State} s
 * @param {Choice[]} chosen
 * @param {typeof SORTS[number]} sort
 * @param {number} size of the longer side, in mm
 * @param {AbortSignal|undefined} signal
 */
async function made(s, chosen, sort, size, signal) {
  const { sha256 } = await s.load('fairness');
  const recipe = /** @type {typeof RECIPES[number]} */ (RECIPES.find(({ id }) => id === sort));
  /** @type {Map<string, Uint8Array>} */
  const art = new Map();
  const names = new Set();
  const free = (/** @type {string} */ name) => {
    for (let n = 1; ; n++) {
      const one = n === 1 ? name : msg('edit.numbered', { name, number: n });
      if (!names.has(one) && !kindNamed(s.catalog, one)) {
        names.add(one);
        return one;
      }
    }
  };
  /** @type {object[]} */
  const kinds = [];
  for (const { name, picture } of chosen) {
    signal?.throwIfAborted();
    const short = [...wellFormed(name)].slice(0, MOST_NAME - 20).join('').trim();
    const v = startOf(recipe, free(short || msg(`edit.makes.${sort}`)));
    const scale = size / Math.max(picture.width, picture.height);
    v.shape = 'rect';
    v.width = Math.max(LEAST_SIZE, Math.round(picture.width * scale));
    v.height = Math.max(LEAST_SIZE, Math.round(picture.height * scale));
    const bytes = await encode(picture, v.width, v.height);
    const hash = [...sha256(bytes)].map((b) => b.toString(16).padStart(2, '0')).join('');
    art.set(hash, bytes);
    v.front = { ...v.front, art: hash, isExact: !picture.isSvg };
    kinds.push(...kindsOf(recipe, v, { rest: '', back: msg('edit.back.name', { name: v.name }) }));
  }
  return { kinds, art };
}
