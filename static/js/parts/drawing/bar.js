// The bar of drawing: pen or eraser, colour, width, undo and clear, and a button that ends drawing.

import { css } from '../../view/colour.js';
import { el, setAttr } from '../../view/dom.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { icon } from '../../view/icons.js';
import { INKS, SIZES } from './inks.js';
import { button } from '../../bars/buttons.js';

/** @typedef {import('./pen.js').Setting} Setting */

/**
 * @typedef {object} Actions
 * @property {() => void} undo
 * @property {() => void} clear erases all drawings; the bar has asked for confirmation
 * @property {() => number} count returns the number of strokes
 * @property {() => void} done
 */

/**
 * Makes the bar.
 * @param {Setting} setting the bar changes it
 * @param {number} own the colour of this person
 * @param {Actions} actions
 */
export function createPenbar(setting, own, actions) {
  const tools = group(msg('drawing.label'), [
    choice('tool', 'pen', icon('pen'), msg('drawing.pen'), () => set({ tool: 'pen' })),
    choice('tool', 'eraser', icon('eraser'), msg('drawing.eraser'), () => set({ tool: 'eraser' })),
  ]);
  const inks = [{ id: 'own', colour: own }, ...INKS];
  const colours = group(
    msg('drawing.colours'),
    inks.map(({ id, colour }) =>
      choice(
        'colour', String(colour), swatch(colour), firstMessage([`drawing.inks.${id}`]),
        () => set({ tool: 'pen', colour }),
      ),
    ),
  );
  const widths = group(
    msg('drawing.widths'),
    SIZES.map(({ id, width }) =>
      choice(
        'width', String(width), dot(width), firstMessage([`drawing.sizes.${id}`]),
        () => set({ tool: 'pen', width }),
      ),
    ),
  );
  const undo = plain(
    'undo', 'unrotate', msg('drawing.undo'), msg('drawing.undoLast'), actions.undo,
  );
  const clear = plain(
    'clear', 'remove', msg('drawing.clear'), msg('drawing.clearAll'), () => ask(true),
  );
  const done = button('close', msg('drawing.done'), 'Esc', actions.done);
  const row = el(
    'div',
    { class: 'penbar-row' },
    tools,
    colours,
    widths,
    el('div', { class: 'penbar-group' }, undo, clear),
    done,
  );

  const says = el('p', { id: 'penbar-sure' });
  const yes = el(
    'button',
    {
      class: 'primary',
      'aria-describedby': 'penbar-sure',
      onclick: () => {
        ask(false);
        actions.clear();
      },
    },
    msg('drawing.yes'),
  );
  const no = el(
    'button', { class: 'secondary', onclick: () => ask(false) }, msg('drawing.no'),
  );
  const question = el(
    'div',
    {
      class: 'penbar-question',
      role: 'alertdialog',
      'aria-label': msg('drawing.clearAll'),
      'aria-describedby': 'penbar-sure',
      hidden: true,
    },
    says,
    yes,
    no,
  );
  const offline = el(
    'p', { class: 'penbar-note', role: 'status', hidden: true }, msg('drawing.offline'),
  );
  const root = el(
    'div',
    { class: 'penbar', role: 'group', 'aria-label': msg('drawing.label'), 'data-penbar': true },
    offline,
    row,
    question,
  );

  /**
   * Shows or hides the question before everything is erased.
   * @param {boolean} now whether to show it
   */
  function ask(now) {
    if (now) says.textContent = msg('drawing.sure', { n: actions.count() });
    question.hidden = !now;
    row.hidden = now;
    (now ? no : clear).focus();
  }

  /** @param {Partial<Setting>} change */
  function set(change) {
    Object.assign(setting, change);
    draw();
  }

  /** Shows the current setting. */
  function draw() {
    for (const b of row.querySelectorAll('[data-choice]')) {
      const [of, value] = (b.getAttribute('data-choice') ?? '').split(' ');
      const chosen = String(setting[/** @type {keyof Setting} */ (of)]) === value;
      setAttr(
        b,
        'aria-pressed',
        chosen && (of === 'tool' || setting.tool === 'pen') ? 'true' : 'false',
      );
    }
  }
  draw();

  return {
    root,
    /** @param {{mayClear: boolean, mayUndo: boolean, any: boolean, isOffline: boolean}} now */
    draw(now) {
      offline.hidden = !now.isOffline;
      clear.hidden = !now.mayClear;
      clear.disabled = !now.any;
      undo.disabled = !now.mayUndo;
      if (!question.hidden && (!now.any || !now.mayClear)) ask(false);
    },
    focus: () =>
      /** @type {HTMLElement|null} */ (row.querySelector('[aria-pressed="true"]'))?.focus({
        preventScroll: true,
      }),
  };
}

/** @param {string} label @param {Node[]} buttons */
function group(label, buttons) {
  return el('div', { class: 'penbar-group', role: 'group', 'aria-label': label }, ...buttons);
}

/**
 * @param {keyof Setting} of
 * @param {string} value
 * @param {Node} art
 * @param {string} label
 * @param {() => void} run
 */
function choice(of, value, art, label, run) {
  return el(
    'button',
    {
      class: `pen-choice pen-${of}`,
      'aria-label': label,
      title: label,
      'aria-pressed': 'false',
      'data-choice': `${of} ${value}`,
      onclick: run,
    },
    art,
  );
}

/**
 * @param {string} name
 * @param {string} picture
 * @param {string} label
 * @param {string} title
 * @param {() => void} run
 */
function plain(name, picture, label, title, run) {
  const b = el(
    'button',
    {
      class: 'pen-choice pen-plain',
      'aria-label': title,
      title,
      'data-pen': name,
      onclick: run,
    },
    icon(picture),
  );
  b.append(el('span', { class: 'tool-name', 'aria-hidden': 'true' }, label));
  return b;
}

/** @param {number} colour */
function swatch(colour) {
  const art = el('span', { class: 'pen-swatch' });
  art.style.background = css(colour);
  return art;
}

/** @param {number} width */
function dot(width) {
  const art = el('span', { class: 'pen-dot' });
  art.style.setProperty('--dot', `${4 + Math.sqrt(width)}px`);
  return art;
}
