// The sentences of a button as one edits them: each a line with chips, those in it below it, and
// a list of what can be added.

import { el, setAttr, setText } from '../../../view/dom.js';
import { addIcons, icon } from '../../../view/icons.js';
import { chip, markWrong } from './chips.js';
import { createChoosing } from './choosing.js';
import { faultsIn } from './faults.js';
import { formOf } from './forms.js';
import * as model from './model.js';
import { msg } from './msg.js';
import { optionsOf, partsOf, saysFault, saysOf } from './words.js';

/** @typedef {import('./model.js').Sentence} Sentence */
/** @typedef {import('./fits.js').Choice} Choice */
/** @typedef {import('./words.js').Context} Context */

addIcons({
  up: 'M12 19V6M6 12l6-6 6 6',
  down: 'M12 5v13M6 12l6 6 6-6',
  tryIt: 'M4 14h16v5H4zM8 14v-3h8v3M12 3v5M9.5 6l2.5 2.5L14.5 6',
});

/** Counts editors, for the identifiers of their elements. */
let editors = 0;

/**
 * Makes the editor of sentences, which it changes.
 * @param {object} of
 * @param {Sentence[]} of.sentences
 * @param {() => Choice[]} of.choices the kinds of the table now
 * @param {() => string[]} of.setups the set-ups of the table that have names
 * @param {() => void} of.changed called when they have changed
 * @param {(text: string) => void} of.say says something to a screen reader
 */
export function createEditor({ sentences, choices, setups, changed, say }) {
  const prefix = `sentences-${++editors}`;
  /** By the numbers of their sentences. @type {Map<number, ReturnType<typeof makeLine>>} */
  const lines = new Map();
  let isChecked = false;
  /** What the server says is wrong with a sentence. @type {{id: number, says: string}|null} */
  let refused = null;

  /** @param {Sentence[]} parents @returns {Context} */
  const contextIn = (parents) => ({
    sentences, choices: choices(), setups: setups(),
    isForSeat: parents.some(({ form }) => form === 'each'),
  });
  const update = () => {
    refused = null;
    draw();
    changed();
  };
  const draw = () => {
    top.draw(isChecked ? faultsIn(sentences, choices()) : new Map());
    for (const id of lines.keys()) if (!model.find(sentences, id)) lines.delete(id);
  };
  /** Moves the focus to a sentence. @param {number} id @param {string} [slot] */
  const focus = (id, slot) => {
    const line = lines.get(id);
    if (!line) return;
    const wanted = slot && [...line.says.querySelectorAll(`[data-slot="${slot}"]`)]
      .find((field) => !(/** @type {HTMLElement} */ (field)).hidden);
    const field = wanted || line.says.querySelector('.chip') || line.remove;
    if (field instanceof HTMLElement) field.focus();
  };
  const says = (/** @type {Sentence} */ one, /** @type {Sentence[]} */ parents) =>
    saysOf(one, contextIn(parents));

  /**
   * @param {Sentence[]} list
   * @param {Sentence[]} parents the sentences in which it stands
   * @param {string} title
   * @param {() => string} label of the button that adds one
   */
  const makeList = (list, parents, title, label) => {
    const items = el('ol', { class: 'sentence-list' });
    const add = el('button', {
      type: 'button', class: 'secondary sentence-add', 'aria-expanded': 'false',
      onclick: () => (open ? close() : choose()),
    }, icon('add'), msg('sentences.add'));
    const place = el('div', {
      onkeydown: (/** @type {KeyboardEvent} */ e) => {
        if (e.key !== 'Escape') return;
        e.preventDefault(); // else the editor would go back
        close();
        add.focus();
      },
    });
    let open = false;
    const close = () => {
      open = false;
      place.replaceChildren();
      setAttr(add, 'aria-expanded', 'false');
    };
    const choose = () => {
      open = true;
      setAttr(add, 'aria-expanded', 'true');
      place.replaceChildren(createChoosing(parents, contextIn(parents), (one) => {
        close();
        model.add(list, one);
        update();
        say(msg('sentences.added', { says: says(one, parents) }));
        focus(one.id);
      }));
      const first = place.querySelector('button, summary');
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
      add.scrollIntoView({ block: 'start' });
    };
    const root = el(
      'div', { class: 'sentence-part' },
      title && el('p', { class: 'sentence-title', 'aria-hidden': 'true' }, title),
      items, add, place,
    );
    return {
      root,
      add,
      /** @param {ReturnType<typeof faultsIn>} faults */
      draw: (faults) => {
        setAttr(add, 'aria-label', label());
        const wanted = list.map((one) => {
          const line = lines.get(one.id) ?? makeLine(one, list, parents, () => add.focus());
          lines.set(one.id, line);
          return line;
        });
        const isSame = wanted.length === items.children.length &&
          wanted.every(({ root: item }, i) => item === items.children[i]);
        if (!isSame) items.replaceChildren(...wanted.map((line) => line.root));
        for (const line of wanted) line.draw(faults);
      },
    };
  };

  /**
   * @param {Sentence} one
   * @param {Sentence[]} list
   * @param {Sentence[]} parents
   * @param {() => void} focusAdd
   */
  const makeLine = (one, list, parents, focusAdd) => {
    const number = el('span', { class: 'sentence-number', 'aria-hidden': 'true' });
    const says = el('div', { class: 'sentence-says' });
    const problem = el('p', { class: 'problem', id: `${prefix}-${one.id}`, hidden: true });
    const place = () => /** @type {model.Place} */ (model.find(sentences, one.id));
    const step = (/** @type {-1|1} */ by) => el('button', {
      type: 'button', class: 'plain sentence-tool',
      onclick: (/** @type {Event} */ e) => {
        if (!model.canMove(place(), by)) return;
        model.move(place(), by);
        update();
        const at = model.numberOf(sentences, one.id);
        say(msg('sentences.moved', { number: at, says: saysOf(one, contextIn(parents)) }));
        const button = /** @type {HTMLElement} */ (e.currentTarget);
        button.focus();
      },
    }, icon(by < 0 ? 'up' : 'down'));
    const up = step(-1);
    const down = step(1);
    const remove = el('button', {
      type: 'button', class: 'plain sentence-tool', onclick: () => {
        const { at } = place();
        list.splice(at, 1);
        update();
        say(msg('sentences.removed', { says: saysOf(one, contextIn(parents)) }));
        const next = list[at] ?? list[at - 1];
        const line = next && lines.get(next.id);
        if (line) line.remove.focus();
        else focusAdd();
      },
    }, icon('remove'));
    const group = el(
      'div', { class: 'sentence', role: 'group' }, number, says,
      el('div', { class: 'sentence-tools' }, up, down, remove),
    );
    const within = one.lists.map((inner, i) => {
      const field = formOf(one.form).lists?.[i] ?? '';
      const title = field === 'then' ? msg('sentences.then')
        : field === 'else' ? msg('sentences.else') : '';
      return makeList(inner, [...parents, one], title, () => {
        const at = model.numberOf(sentences, one.id);
        if (field === 'then') return msg('sentences.addThen', { number: at });
        if (field === 'else') return msg('sentences.addElse', { number: at });
        return msg('sentences.addIn', { number: at });
      });
    });
    let shape = '';
    /** Draws the words, and the chips if others can be chosen. @param {Context} context */
    const drawSays = (context) => {
      const parts = partsOf(one, context);
      const now = JSON.stringify(parts.map((part, i) => {
        if (i % 2 === 0) return '';
        const is = formOf(one.form).slots[part].type;
        if (is === 'text' || is === 'texts') return part; // nothing is chosen there
        const value = one.has[part];
        const chosen = is === 'number' ? model.isAnswer(value) : value;
        return [part, optionsOf(one, part, context), chosen];
      }));
      if (now === shape) {
        const texts = says.querySelectorAll('.sentence-text');
        for (const [i, text] of texts.entries()) setText(text, parts[i * 2]);
        return;
      }
      shape = now;
      const had = says.contains(document.activeElement)
        ? document.activeElement?.getAttribute('data-slot') : null;
      says.replaceChildren(...parts.flatMap((part, i) => (i % 2 === 0
        ? [el('span', { class: 'sentence-text' }, part)]
        : chip(one, part, context, (value) => {
          model.change(sentences, one, part, value);
          update();
        }))));
      const again = had && says.querySelector(`[data-slot="${had}"]`);
      if (again instanceof HTMLElement) again.focus();
    };
    return {
      root: el('li', {}, group, problem, ...within.map((inner) => inner.root)),
      says,
      remove,
      /** @param {ReturnType<typeof faultsIn>} faults */
      draw: (faults) => {
        const context = contextIn(parents);
        const at = model.numberOf(sentences, one.id);
        drawSays(context);
        setText(number, at);
        setAttr(group, 'aria-label',
          msg('sentences.one', { number: at, says: saysOf(one, context) }));
        setAttr(up, 'aria-label', msg('sentences.up', { number: at }));
        setAttr(down, 'aria-label', msg('sentences.down', { number: at }));
        setAttr(remove, 'aria-label', msg('sentences.remove', { number: at }));
        setAttr(up, 'aria-disabled', model.canMove(place(), -1) ? null : 'true');
        setAttr(down, 'aria-disabled', model.canMove(place(), 1) ? null : 'true');
        const fault = faults.get(one.id);
        const text = refused?.id === one.id ? refused.says : fault ? saysFault(fault) : '';
        setText(problem, text);
        problem.hidden = text === '';
        markWrong(says, fault?.slot ?? '', fault ? problem.id : '');
        for (const inner of within) inner.draw(faults);
      },
    };
  };

  const top = makeList(sentences, [], '', () => msg('sentences.add'));
  draw();
  return {
    root: top.root,
    draw,
    /** Moves the focus to the button that adds one. */
    focusAdd: () => top.add.focus(),
    /**
     * Shows what is wrong from now on, and moves the focus to the first such sentence. Returns what
     * is wrong with it, '' if nothing is.
     */
    check: () => {
      isChecked = true;
      draw();
      const faults = faultsIn(sentences, choices());
      const wrong = model.all(sentences).find(({ id }) => faults.has(id));
      const fault = wrong && faults.get(wrong.id);
      if (!wrong || !fault) return '';
      focus(wrong.id, fault.slot);
      return msg('sentences.wrong', {
        number: model.numberOf(sentences, wrong.id), says: saysFault(fault),
      });
    },
    /**
     * Shows what the server has said of a sentence. Returns that; '' if it spoke of no sentence.
     * @param {string} detail
     */
    refuse: (detail) => {
      const { of, says: text } = model.faultOf(sentences, detail);
      if (!of || !detail.includes('button: ')) return '';
      refused = {
        id: of.id, says: msg('sentences.refused', { detail: text.replace(/\.$/, '') }),
      };
      draw();
      focus(of.id);
      return msg('sentences.wrong', {
        number: model.numberOf(sentences, of.id), says: refused.says,
      });
    },
  };
}
