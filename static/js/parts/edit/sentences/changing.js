// The form of a button that lies on the table: what it does can be changed, and tried at once.

import { el, setText } from '../../../view/dom.js';
import { icon } from '../../../view/icons.js';
import { buttonOf, doesOf } from './does.js';
import { createField } from './field.js';
import { fetchPictures, kindOfButton, picturesOf } from './kept.js';
import { msg } from './msg.js';
import { press } from './press.js';
import { changeKind, stateOf } from './resend.js';
import { fetchKinds } from './written.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('../../../bars/say.js').Voice} Voice */

/**
 * Makes the form.
 * @param {State} s
 * @param {Voice} voice
 * @param {number} number of the kind
 * @param {() => void} done called when it is changed
 * @param {() => void} aside called when somebody wants to see the table, and goes on editing
 */
export function createChanging(s, voice, number, done, aside) {
  const { name } = s.catalog.kinds[number];
  let was = stateOf(s, number);
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const tell = (/** @type {string} */ text) => {
    setText(problem, text);
    problem.hidden = text === '';
  };
  let isChanged = false;
  /** @type {ReturnType<typeof createField>|null} */
  let field = null;
  /** The kind as its game has it, when it was opened. @type {import('./kept.js').Kind|null} */
  let kind = null;
  /** @type {import('./does.js').Does|null} */
  let does = null;
  const heading = el('h3', { tabindex: '-1' }, name);
  const place = el('div');
  const put = el('button', { class: 'primary', type: 'submit', disabled: true },
    msg('sentences.done'));
  const attempt = el('button', {
    class: 'secondary', disabled: true, onclick: () => void submit(true),
  }, icon('tryIt'), msg('sentences.try'));
  const root = el(
    'form', {
      class: 'edit-form', novalidate: true, onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        void submit(false);
      },
    },
    heading, place, problem, el('div', { class: 'edit-send' }, put, attempt),
  );

  const open = async () => {
    kind = (await fetchKinds(s))[number];
    does = kind.button ? doesOf(kind.button) : null;
    if (!does) {
      tell(msg('sentences.newer'));
      return;
    }
    field = createField(s, voice, does, () => {
      isChanged = true;
      setText(put, msg('sentences.change'));
      tell('');
    });
    place.replaceChildren(field.root);
    put.disabled = attempt.disabled = false;
  };
  /** Changes it. Returns why that failed; '' if it is done. @returns {Promise<string>} */
  const send = async () => {
    if (!kind || !does) return msg('sentences.newer');
    const button = buttonOf(does);
    const pictures = await fetchPictures(s.catalog.base, picturesOf(kind));
    const refused = await changeKind(s, number, was, kindOfButton(kind, button), pictures);
    if (refused) return field?.refuse(refused.detail ?? '') || refused.text;
    isChanged = false;
    setText(put, msg('sentences.done'));
    was = stateOf(s, number);
    voice.notice(msg('sentences.isChanged', { name }));
    return '';
  };
  const submit = async (/** @type {boolean} */ isTried) => {
    const wrong = field?.check() ?? '';
    if (wrong) {
      tell(wrong);
      return;
    }
    if (put.disabled) return;
    put.disabled = attempt.disabled = true;
    try {
      const why = isChanged ? await send() : '';
      tell(why);
      if (why) return;
      if (!isTried) {
        done();
        return;
      }
      await tryIt();
    } catch {
      tell(msg('sentences.failed'));
    } finally {
      put.disabled = attempt.disabled = false;
    }
  };
  const tryIt = async () => {
    aside();
    await press(s, voice, number);
  };
  const opened = open().catch(() => tell(msg('sentences.failed')));
  return {
    root,
    takesPictures: false,
    isKept: () => isChanged,
    refresh: () => field?.refresh(),
    takeFile: async () => {},
    focus: () => heading.focus({ preventScroll: true }),
    /** Presses the button, when it has just been put on the table. */
    tryIt: async () => {
      await opened;
      attempt.focus({ preventScroll: true });
      await tryIt();
    },
  };
}
