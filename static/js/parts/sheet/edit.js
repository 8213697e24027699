// Navigation in the score sheet and editing of its cells, as in a spreadsheet: by keys, mouse or
// finger.

import { all, el, on } from '../../view/dom.js';
import { describe, goTo, isOpen, isSame, keyOf, nextFrom, stepFrom, textAt } from './grid.js';
import { MOST_LINE } from './model.js';
import { sheetwords } from './words.js';

/** @typedef {import('./grid.js').Grid} Grid */
/** @typedef {import('./grid.js').Address} Address */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * What editing needs of the panel.
 * @typedef {object} Desk
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

/** Listens to a grid. Returns functions that control editing. @param {Grid} g @param {Desk} desk */
export function bindEditing(g, desk) {
  /** @type {Draft|null} */
  let draft = null;

  /**
   * Begins to edit a cell.
   * @param {Address} at
   * @param {{text?: string, touch?: boolean}} [how] text: what to begin with instead of the present
   *   text
   */
  const begin = (at, { text, touch = false } = {}) => {
    const cell = g.cells.get(keyOf(at));
    if (!cell || !isOpen(at) || !desk.mayWrite()) return;
    end(true);
    goTo(g, at);
    const before = textAt(g.sheet, at);
    draft = { at, before, touch, ...fieldFor(describe(g.sheet, at)) };
    g.busy = at;
    draft.input.value = text ?? before;
    cell.replaceChildren(draft.input, draft.note);
    cell.classList.add('busy');
    draft.input.focus();
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (text === undefined) draft.input.select();
    desk.changed();
  };

  /** Ends editing. @param {boolean} keep whether to write the new text */
  const end = (keep) => {
    const d = draft;
    if (!d) return;
    draft = null;
    g.busy = null;
    const cell = g.cells.get(keyOf(d.at));
    const text = desk.lineOf(d.input.value, MOST_LINE);
    if (cell) {
      cell.classList.remove('busy');
      cell.replaceChildren();
    }
    if (cell && keep && text !== d.before) desk.write(d.at, text);
    desk.changed();
  };

  /**
   * Goes on to a cell, and edits it if the person uses a finger.
   * @param {Address|null} to
   * @param {boolean} touch
   */
  const goOn = (to, touch) => {
    if (!to) return;
    if (touch && isOpen(to)) begin(to, { touch });
    else goTo(g, to, true);
  };

  const keyInField = (/** @type {KeyboardEvent} */ e, /** @type {Draft} */ d) => {
    if (e.isComposing) return false;
    const { at, touch } = d;
    const by = e.shiftKey ? -1 : 1;
    switch (e.key) {
      case 'Enter':
        end(true);
        goOn(
          touch || !isOpen(stepFrom(g, at, 0, by))
            ? (nextFrom(g, at, by) ?? at)
            : stepFrom(g, at, 0, by),
          touch && nextFrom(g, at, by) !== null,
        );
        return true;
      case 'Tab': {
        const to = nextFrom(g, at, by);
        end(true);
        if (to) goOn(to, touch);
        else goTo(g, at, true); // then the browser moves the focus on
        return to !== null;
      }
      case 'Escape':
        end(false);
        goTo(g, at, true);
        return true;
      case 'ArrowUp':
      case 'ArrowDown':
        end(true);
        goTo(g, stepFrom(g, at, 0, ARROWS[e.key][1]), true);
        return true;
    }
    return false;
  };

  const keyInGrid = (/** @type {KeyboardEvent} */ e) => {
    const { at } = g;
    const command = e.ctrlKey || e.metaKey;
    if (e.key in ARROWS) {
      const [dx, dy] = ARROWS[e.key];
      goTo(g, stepFrom(g, at, command ? dx * 1000 : dx, command ? dy * 1000 : dy), true);
      return true;
    }
    switch (e.key) {
      case 'Home':
      case 'End':
        goTo(
          g,
          stepFrom(
            g,
            at,
            e.key === 'Home' ? -1000 : 1000,
            command ? (e.key === 'Home' ? -1000 : 1000) : 0,
          ),
          true,
        );
        return true;
      case 'Tab': {
        const to = nextFrom(g, at, e.shiftKey ? -1 : 1);
        if (to) goTo(g, to, true);
        return to !== null;
      }
      case 'Enter':
      case 'F2':
        begin(at);
        return true;
      case 'Delete':
      case 'Backspace':
        if (isOpen(at) && desk.mayWrite() && textAt(g.sheet, at) !== '') desk.write(at, '');
        return true;
      case 'Escape':
        desk.leave();
        return true;
    }
    const typed =
      [...e.key].length === 1 && (e.getModifierState('AltGraph') || !(command || e.altKey));
    if (typed) begin(at, { text: '' }); // the browser then puts the letter into the field
    return false;
  };

  const keyDown = (/** @type {KeyboardEvent} */ e) => {
    const done =
      draft && e.target === draft.input
        ? keyInField(e, draft)
        : addressOf(e.target)
          ? keyInGrid(e)
          : false;
    if (done) e.preventDefault();
  };
  const click = (/** @type {PointerEvent} */ e) => {
    const at = addressOf(e.target);
    if (!at || isSame(at, draft?.at ?? null)) return;
    const touch = e.pointerType === 'touch' || e.pointerType === 'pen';
    const again = isSame(at, g.at) && e.detail > 1;
    if (touch || again) begin(at, { touch });
    else goTo(g, at, true);
  };
  const focusOut = (/** @type {FocusEvent} */ e) => {
    // otherwise check() says that the cell is gone
    if (draft && e.target === draft.input && g.cells.has(keyOf(draft.at))) end(true);
  };
  const stop = all(
    on(g.table, 'keydown', keyDown),
    on(g.table, 'click', click),
    on(g.table, 'focusout', focusOut),
  );

  return {
    begin,
    end,
    stop,
    /**
     * Checks whether others have changed the cell that is being edited.
     * @returns {boolean} whether the cell still exists
     */
    check() {
      if (!draft) return true;
      if (!g.cells.has(keyOf(draft.at))) {
        end(false);
        return false;
      }
      const text = textAt(g.sheet, draft.at);
      draft.note.hidden = text === draft.before;
      const says = draft.note.hidden ? '' : sheetwords.now(text);
      if (draft.note.textContent !== says) draft.note.textContent = says;
      return true;
    },
  };
}

/** @param {string} what */
function fieldFor(what) {
  const note = el('span', { class: 'sheet-note', id: 'sheet-note', role: 'status', hidden: true });
  const label = sheetwords.edit(what);
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
