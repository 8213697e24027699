// Navigation in the score sheet and editing of its cells, as in a spreadsheet: by keys, mouse or
// finger.

import { all, el, on } from '../../view/dom.js';
import { describe, goTo, isOpen, isSame, keyOf, nextFrom, stepFrom, textAt } from './grid.js';
import { MOST_LINE } from './model.js';
import { msg } from './msg.js';

/** @typedef {import('./grid.js').Grid} Grid */
/** @typedef {import('./grid.js').Address} Address */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * What editing needs of the panel.
 * @typedef {object} Callbacks
 * @property {(typed: string, most: number) => string} lineOf makes a line of at most so many
 *   characters from typed text
 * @property {() => boolean} mayWrite
 * @property {(at: Address, text: string) => void} write puts a text into a cell
 * @property {() => void} changed editing has begun or ended
 * @property {() => void} leave Escape was pressed while no cell is edited
 */

/**
 * The cell that is being edited. Only one at a time.
 * @typedef {object} Draft
 * @property {Address} at
 * @property {HTMLInputElement} input
 * @property {HTMLElement} note says what has happened to the cell meanwhile
 * @property {string} before the text when editing began
 * @property {boolean} touch begun by a finger: editing continues in the next cell, so that the
 *   on-screen keyboard stays
 */

/**
 * What the functions of this module share.
 * @typedef {object} Editing
 * @property {Grid} g
 * @property {Callbacks} callbacks
 * @property {Draft|null} draft null while no cell is edited
 */

/**
 * Listens to a grid. Returns functions that control editing.
 * @param {Grid} g
 * @param {Callbacks} desk
 */
export function bindEditing(g, desk) {
  /** @type {Editing} */
  const e = { g, callbacks: desk, draft: null };
  const focusOut = (/** @type {FocusEvent} */ { target }) => {
    // otherwise check() says that the cell is gone
    if (e.draft && target === e.draft.input && g.cells.has(keyOf(e.draft.at))) end(e, true);
  };
  const stop = all(
    on(g.table, 'keydown', (event) => onKey(e, event)),
    on(g.table, 'click', (event) => onClick(e, event)),
    on(g.table, 'focusout', focusOut),
  );
  return {
    /** @param {Address} at */
    begin: (at) => begin(e, at),
    /** @param {boolean} keep */
    end: (keep) => end(e, keep),
    check: () => check(e),
    stop,
  };
}

/**
 * Begins to edit a cell.
 * @param {Editing} e
 * @param {Address} at
 * @param {{text?: string, touch?: boolean}} [how] text: what to begin with instead of the present
 *   text
 */
function begin(e, at, { text, touch = false } = {}) {
  const { g, callbacks } = e;
  const cell = g.cells.get(keyOf(at));
  if (!cell || !isOpen(at) || !callbacks.mayWrite()) return;
  end(e, true);
  goTo(g, at);
  const before = textAt(g.sheet, at);
  const draft = { at, before, touch, ...fieldFor(describe(g.sheet, at)) };
  e.draft = draft;
  g.busy = at;
  draft.input.value = text ?? before;
  cell.replaceChildren(draft.input, draft.note);
  cell.classList.add('busy');
  draft.input.focus();
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (text === undefined) draft.input.select();
  callbacks.changed();
}

/**
 * Ends editing.
 * @param {Editing} e
 * @param {boolean} keep whether to write the new text
 */
function end(e, keep) {
  const { g, callbacks, draft } = e;
  if (!draft) return;
  e.draft = null;
  g.busy = null;
  const cell = g.cells.get(keyOf(draft.at));
  const text = callbacks.lineOf(draft.input.value, MOST_LINE);
  if (cell) {
    cell.classList.remove('busy');
    cell.replaceChildren();
  }
  if (cell && keep && text !== draft.before) callbacks.write(draft.at, text);
  callbacks.changed();
}

/**
 * Checks whether others have changed the cell that is being edited.
 * @param {Editing} e
 * @returns {boolean} whether the cell still exists
 */
function check(e) {
  const { g, draft } = e;
  if (!draft) return true;
  if (!g.cells.has(keyOf(draft.at))) {
    end(e, false);
    return false;
  }
  const text = textAt(g.sheet, draft.at);
  draft.note.hidden = text === draft.before;
  let says = '';
  if (!draft.note.hidden) says = text ? msg('sheet.now', { text }) : msg('sheet.emptied');
  if (draft.note.textContent !== says) draft.note.textContent = says;
  return true;
}

/**
 * Goes on to a cell, and edits it if the person uses a finger.
 * @param {Editing} e
 * @param {Address|null} to
 * @param {boolean} touch
 */
function editNext(e, to, touch) {
  if (!to) return;
  if (touch && isOpen(to)) begin(e, to, { touch });
  else goTo(e.g, to, true);
}

/**
 * @param {Editing} e
 * @param {KeyboardEvent} event
 */
function onKey(e, event) {
  const { draft } = e;
  const { target } = event;
  let isDone = false;
  if (draft && target === draft.input) isDone = keyInField(e, draft, event);
  else if (addressOf(target)) isDone = keyInGrid(e, event);
  if (isDone) event.preventDefault();
}

/**
 * @param {Editing} e
 * @param {PointerEvent} event
 */
function onClick(e, { target, pointerType, detail }) {
  const at = addressOf(target);
  if (!at || isSame(at, e.draft?.at ?? null)) return;
  const touch = pointerType === 'touch' || pointerType === 'pen';
  const again = isSame(at, e.g.at) && detail > 1;
  if (touch || again) begin(e, at, { touch });
  else goTo(e.g, at, true);
}

/**
 * @param {Editing} e
 * @param {Draft} draft
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was used
 */
function keyInField(e, { at, touch }, { key, shiftKey, isComposing }) {
  const { g } = e;
  if (isComposing) return false;
  const by = shiftKey ? -1 : 1;
  switch (key) {
    case 'Enter': {
      end(e, true);
      const below = stepFrom(g, at, 0, by);
      const next = nextFrom(g, at, by);
      editNext(e, touch || !isOpen(below) ? (next ?? at) : below, touch && next !== null);
      return true;
    }
    case 'Tab': {
      const to = nextFrom(g, at, by);
      end(e, true);
      if (to) editNext(e, to, touch);
      else goTo(g, at, true); // then the browser moves the focus on
      return to !== null;
    }
    case 'Escape':
      end(e, false);
      goTo(g, at, true);
      return true;
    case 'ArrowUp':
    case 'ArrowDown':
      end(e, true);
      goTo(g, stepFrom(g, at, 0, ARROWS[key][1]), true);
      return true;
  }
  return false;
}

/**
 * @param {Editing} e
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was used
 */
function keyInGrid(e, event) {
  const { g, callbacks } = e;
  const { at } = g;
  const { key } = event;
  const command = event.ctrlKey || event.metaKey;
  if (key in ARROWS) {
    const [dx, dy] = ARROWS[key];
    goTo(g, stepFrom(g, at, command ? dx * 1000 : dx, command ? dy * 1000 : dy), true);
    return true;
  }
  switch (key) {
    case 'Home':
    case 'End': {
      const far = key === 'Home' ? -1000 : 1000;
      goTo(g, stepFrom(g, at, far, command ? far : 0), true);
      return true;
    }
    case 'Tab': {
      const to = nextFrom(g, at, event.shiftKey ? -1 : 1);
      if (to) goTo(g, to, true);
      return to !== null;
    }
    case 'Enter':
    case 'F2':
      begin(e, at);
      return true;
    case 'Delete':
    case 'Backspace':
      if (isOpen(at) && callbacks.mayWrite() && textAt(g.sheet, at) !== '') callbacks.write(at, '');
      return true;
    case 'Escape':
      callbacks.leave();
      return true;
  }
  const isLetter = [...key].length === 1;
  const typed = isLetter && (event.getModifierState('AltGraph') || !(command || event.altKey));
  if (typed) begin(e, at, { text: '' }); // the browser then puts the letter into the field
  return false;
}

/** @param {string} what */
function fieldFor(what) {
  const note = el('span', { class: 'sheet-note', id: 'sheet-note', role: 'status', hidden: true });
  const label = msg('sheet.edit', { what });
  const input = el('input', {
    type: 'text',
    class: 'sheet-field',
    size: 1,
    'aria-label': label,
    'aria-describedby': 'sheet-note',
    enterkeyhint: 'next',
    autocomplete: 'off',
    maxlength: 2 * MOST_LINE,
  });
  return { input, note };
}

/**
 * Returns the cell in which an event has happened.
 * @param {EventTarget|null} target
 * @returns {Address|null}
 */
function addressOf(target) {
  const cell = target instanceof Element ? target.closest('[data-row]') : null;
  return cell
    ? {
        row: Number(cell.getAttribute('data-row')),
        column: Number(cell.getAttribute('data-column')),
      }
    : null;
}
