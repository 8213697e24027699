// The dialogs in which people give labels, tints and remarks to one piece, or to all selected
// pieces.

import { el, setText } from '../../view/dom.js';
import { HUES, hueOf } from './tints.js';
import { icon } from '../../view/icons.js';
import { msg } from './msg.js';
import { writeOn, writtenOn } from './components.js';
import { sharedOf } from '../../parts.js';
import { phrase } from '../../reasons.js';
import { plays } from '../../rights.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../parts.js').Part<'dialogs'>} Dialogs */
/** @typedef {import('./components.js').Written} Written */

/** The greatest number of characters of a label and of a remark (C14). */
const LABEL = 40;
const REMARK = 1000;

/** The number of characters left at which the dialog starts to count them. */
const FEW = 100;

/**
 * The remark that is open, so that it can show changes by others.
 * @type {{refresh: () => void}|null}
 */
let reading = null;

/** Shows changes in an open remark, after somebody has written on pieces. */
export function refreshRemark() {
  reading?.refresh();
}

/**
 * Asks for a label.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 * @param {Dialogs} dialogs
 */
export function askLabel(s, pieces, voice, { openDialog }) {
  const now = common(s, pieces, (w) => w.label);
  const input = el('input', {
    type: 'text',
    id: 'label-text',
    maxlength: LABEL,
    autocomplete: 'off',
    value: now ?? '',
    'aria-describedby': 'label-hint',
  });
  const hint = el(
    'p',
    { class: 'quiet', id: 'label-hint' },
    pieces.length > 1 ? msg('marks.label.hintMany') : msg('marks.label.hint'),
  );
  const finish = (/** @type {string} */ text) => {
    d.close();
    write(s, pieces, voice, 'label', text ? { text } : null);
  };
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const text = sharedOf(s).lineOf(input.value, LABEL);
    if (text === (now ?? ''))
      // writes nothing: others may have written meanwhile, or the pieces have different labels
      d.close();
    else finish(text);
  };
  const form = el(
    'form',
    { class: 'mark-form', onsubmit: submit },
    el('div', {}, el('label', { for: input.id }, msg('marks.label.field')), input),
    hint,
    buttons(
      msg('marks.label.save'), now === '' ? null : msg('marks.label.remove'), () => finish(''),
    ),
  );
  const d = openDialog(
    s.page.main, 'label-piece', msg('marks.label.title', { what: phrase(s, pieces) }),
    msg('marks.close'), form,
  );
  input.focus();
  input.select();
}

/**
 * Asks for a tint.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 * @param {Dialogs} dialogs
 */
export function askTint(s, pieces, voice, { openDialog }) {
  const now = common(s, pieces, (w) => w.tint);
  const choose = (/** @type {number} */ colour) => {
    d.close();
    write(s, pieces, voice, 'tint', colour < 0 ? null : { colour });
  };
  const chosen = now === null || now < 0 ? null : hueOf(now);
  const all = HUES.map((hue) => {
    const sample = el('span', { class: `hue-sample tint-${hue.id}` });
    sample.style.setProperty('--tint', `#${hue.colour.toString(16).padStart(6, '0')}`);
    const text = el(
      'span',
      { class: 'hue-text' },
      msg(`marks.hues.${hue.id}`),
      el('span', { class: 'quiet' }, msg(`marks.patterns.${hue.id}`)),
    );
    return el(
      'button',
      {
        class: 'hue',
        role: 'radio',
        'aria-checked': String(hue === chosen),
        onclick: () => choose(hue.colour),
      },
      sample,
      text,
    );
  });
  const none = el(
    'button',
    {
      class: 'hue',
      role: 'radio',
      'aria-checked': String(now === -1),
      onclick: () => choose(-1),
    },
    el('span', { class: 'no-tint' }, icon('close')),
    msg('marks.tint.none'),
  );
  const group = el(
    'div',
    { class: 'hues', role: 'radiogroup', 'aria-label': msg('marks.tint.choose') },
    ...all,
    none,
  );
  group.addEventListener('keydown', (e) => moveFocus([...all, none], e));
  const d = openDialog(
    s.page.main, 'tint-piece', msg('marks.tint.title', { what: phrase(s, pieces) }),
    msg('marks.close'), group,
  );
  const first = [...all, none].find((b) => b.getAttribute('aria-checked') === 'true') ?? all[0];
  for (const b of [...all, none]) b.tabIndex = b === first ? 0 : -1;
  first.focus();
}

/**
 * Moves the focus from choice to choice by arrow keys.
 * @param {HTMLElement[]} all
 * @param {KeyboardEvent} e
 */
function moveFocus(all, e) {
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (at < 0 || by === undefined) return;
  e.preventDefault();
  const to = all[(at + by + all.length) % all.length];
  for (const b of all) b.tabIndex = b === to ? 0 : -1;
  to.focus();
}

/**
 * Shows a remark that can be read, changed or deleted.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 * @param {Dialogs} dialogs
 */
export function showRemark(s, pieces, voice, { openDialog }) {
  const title = msg('marks.remark.title', { what: phrase(s, pieces) });
  const read = () => common(s, pieces, (w) => w.remark) ?? '';
  if (!plays(s)) {
    const text = el('p', { class: 'remark-text' }, read());
    follow(openDialog(s.page.main, 'remark-piece', title, msg('marks.close'), text), () =>
      setText(text, read()),
    );
    return;
  }
  let known = read();
  const area = el('textarea', {
    id: 'remark-text',
    rows: 6,
    maxlength: REMARK,
    'aria-describedby': 'remark-hint',
  });
  area.value = known;
  const left = el('p', { class: 'quiet', 'aria-live': 'polite' });
  const news = el('p', { class: 'quiet remark-news', role: 'status' });
  const hint = el('p', { class: 'quiet', id: 'remark-hint' }, msg('marks.remark.hint'));
  const count = () => {
    const rest = REMARK - [...area.value].length;
    setText(left, rest <= FEW ? msg('marks.remark.left', { n: Math.max(0, rest) }) : '');
  };
  area.addEventListener('input', count);
  const finish = (/** @type {string} */ text) => {
    d.close();
    write(s, pieces, voice, 'remark', text ? { text } : null);
  };
  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    const text = sharedOf(s).textOf(area.value, REMARK);
    if (text === known) d.close();
    else finish(text);
  };
  const form = el(
    'form',
    { class: 'mark-form', onsubmit: submit },
    el('div', {}, el('label', { for: area.id }, msg('marks.remark.field')), area),
    el('div', {}, news, left, hint),
    buttons(msg('marks.remark.save'), known ? msg('marks.remark.remove') : null, () => finish('')),
  );
  const d = openDialog(s.page.main, 'remark-piece', title, msg('marks.close'), form);
  follow(d, () => {
    const now = read();
    if (now === known) return;
    if (area.value === known) area.value = now;
    // somebody who has started to write keeps their text
    else setText(news, now ? msg('marks.remark.now', { text: now }) : msg('marks.remark.deleted'));
    known = now;
    count();
  });
  count();
  area.focus();
}

/**
 * Writes on the pieces that still exist, and notifies the player if none does.
 * @template {keyof import('./components.js').Messages} K
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 * @param {K} kind
 * @param {import('./components.js').Messages[K]|null} message null: remove it
 */
function write(s, pieces, voice, kind, message) {
  const there = pieces.filter(({ id }) => s.sync.pieces.has(id));
  for (const { id } of there) writeOn(s, id, kind, message);
  if (there.length === 0) voice.alarm(msg('marks.gone'));
}

/**
 * Shows changes by others while the dialog is open.
 * @param {HTMLDialogElement} d
 * @param {() => void} refresh
 */
function follow(d, refresh) {
  const mine = { refresh };
  reading = mine;
  d.addEventListener('close', () => {
    if (reading === mine) reading = null;
  });
}

/**
 * @param {string} save
 * @param {string|null} remove null: there is nothing to remove
 * @param {() => void} run
 */
function buttons(save, remove, run) {
  return el(
    'div',
    { class: 'mark-buttons' },
    el('button', { type: 'submit', class: 'primary' }, save),
    remove !== null && el('button', { class: 'secondary', onclick: run }, remove),
  );
}

/**
 * Returns what all these pieces have in common; null if they differ.
 * @template V
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {(written: Written) => V} of
 */
function common(s, pieces, of) {
  const [first, ...others] = pieces.map((p) => of(writtenOn(s, p.id)));
  return others.every((other) => other === first) ? first : null;
}
