// The toolbar: buttons for the usual actions of the selected pieces, each with picture, name and
// key, and one that opens the menu of all actions. And the bar of the view.

import { hindranceOf, perform } from './perform.js';
import { swapOrSay } from './people.js';
import { button } from '../../bars/buttons.js';
import { all, el, isSmall, on, setAttr, setText } from '../../view/dom.js';
import { fit } from '../../view/camera.js';
import { refocus, targets, select } from '../../input/select.js';
import { use } from '../../parts.js';
import { reasonFor } from '../../reasons.js';
import { plays } from '../../rights.js';
import { placer } from './place.js';
import { primaryActions } from './primary.js';
import { msg } from './msg.js';
import { otherSide, turnFromSide } from '../../view/sides.js';
import { STEP, turnView, zoomStep } from '../../view/zoom.js';
import { drawWithBars } from '../../bars/state.js';
import { selectMany } from '../../input/state.js';
import { viewTool } from './viewtool.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Makes the bars, and draws them when they change.
 * @param {State} s
 * @param {Voice} voice
 * @param {ReturnType<typeof import('./openers.js').openers>} doors
 * @returns {() => void} removes the listeners
 */
export function bindToolbar(s, voice, doors) {
  const { toolbar, viewbar } = s.page;
  const count = el('span', { class: 'tool-count' });
  const done = button('close', msg('controls.bar.done'), 'Esc', () => {
    selectMany(s, false);
    select(s, []);
  });
  done.classList.add('tool-done');
  const many = button('many', msg('controls.bar.many'), '', () => {
    selectMany(s, !s.input.many);
    s.redraw();
    if (s.input.many) voice.notice(msg('controls.modeMany'));
  });
  many.classList.add('touch-only');
  const more = button('more', msg('controls.bar.more'), '', () => {
    use(s, voice, 'dialogs', (dialogs) => dialogs.openMenuAt(s, more, voice));
  });
  setAttr(more, 'aria-haspopup', 'dialog');
  setAttr(more, 'data-part', 'dialogs');
  /** By the ids of actions. @type {Map<string, HTMLButtonElement>} */
  const made = new Map();
  const buttonFor = (/** @type {import('../../input/action.js').Action} */ a) => {
    const known = made.get(a.id);
    if (known) return known;
    const b = button(a.icon, ' ', ' ', () => perform(s, a.id, voice));
    setAttr(b, 'data-action', a.id);
    setAttr(b, 'data-part', a.asks ? 'dialogs' : null);
    made.set(a.id, b);
    return b;
  };
  toolbar.append(count, more, many, done);

  const swap = viewTool(
    'swap', says(msg('core.view.swap'), msg('core.view.swap'), msg('controls.view.about.swap')), '',
    () => void swapOrSay(s, voice),
  );
  swap.classList.add('swap');
  swap.hidden = true;
  const help = viewTool(
    'help',
    says(msg('controls.view.help'), msg('controls.view.help'), msg('controls.view.about.help')),
    'H', doors.help,
  );
  setAttr(help, 'data-part', 'dialogs');
  const turn = () => {
    turnView(s);
    voice.whisper(msg('controls.view.turnedTo', { n: turnFromSide(s) }));
  };
  viewbar.append(
    viewTool(
      'zoomOut', says(msg('controls.view.zoomOut'), msg('controls.view.zoomOut'), ''), '−',
      () => zoomStep(s, 1 / STEP),
    ),
    viewTool(
      'zoomIn', says(msg('controls.view.zoomIn'), msg('controls.view.zoomIn'), ''), '+',
      () => zoomStep(s, STEP),
    ),
    viewTool(
      'fit',
      says(msg('controls.view.word.fit'), msg('controls.view.fit'), msg('controls.view.about.fit')),
      '0', () => fit(s),
    ),
    viewTool(
      'turn',
      says(
        msg('controls.view.word.turn'), msg('controls.view.turn'),
        msg('controls.view.about.turn'),
      ),
      'G', turn,
    ),
    swap,
    help,
  );

  const place = placer(s);
  const draw = () => {
    const pieces = s.input.selection.size > 0 || s.input.carry?.by === 'keys' ? targets(s) : [];
    const visible = (pieces.length > 0 && plays(s)) || s.input.many;
    const holds = toolbar.contains(document.activeElement);
    toolbar.hidden = !visible;
    if (!visible && holds) {
      /** @type {HTMLElement} */ (document.activeElement).blur();
      refocus(s);
    }
    swap.hidden = otherSide(s) === 0;
    s.page.main.classList.toggle('many', s.input.many);
    setAttr(s.page.main, 'data-carrying', s.input.carry ? s.input.carry.by : null);
    setAttr(s.page.main, 'data-take', s.input.take || null);
    setAttr(many, 'aria-pressed', s.input.many ? 'true' : 'false');
    if (!visible) {
      place(pieces);
      return;
    }
    setText(count, msg('controls.bar.selected', { n: pieces.length }));
    more.hidden = pieces.length === 0;
    const row = pieces.length === 0
      ? []
      : primaryActions(s, pieces, isSmall()).map((a) => {
        const b = buttonFor(a);
        describe(s, b, a, pieces);
        return b;
      });
    placeButtons(toolbar, count, row, more);
    setTabStop(toolbar);
    place(pieces);
  };
  setTabStop(viewbar);
  drawWithBars(s, draw);
  return all(
    on(toolbar, 'keydown', (/** @type {KeyboardEvent} */ e) => moveFocus(toolbar, e)),
    on(viewbar, 'keydown', (/** @type {KeyboardEvent} */ e) => moveFocus(viewbar, e)),
  );
}

/**
 * Gives a button the name and key of an action. If the action cannot be done now, the button stays
 * in its place and says why.
 * @param {State} s
 * @param {HTMLButtonElement} b
 * @param {import('../../input/action.js').Action} a
 * @param {import('../../types.js').Piece[]} pieces
 */
function describe(s, b, a, pieces) {
  const fits = a.fits(s, pieces);
  const label = a.label(s, fits.length > 0 ? fits : pieces);
  const isPossible = fits.length > 0;
  setText(/** @type {Element} */ (b.querySelector('.tool-name')), label);
  setText(/** @type {Element} */ (b.querySelector('.tool-key')), a.key);
  setAttr(b, 'aria-label', label);
  setAttr(b, 'aria-disabled', isPossible ? null : 'true');
  const keyed = a.key ? msg('core.bar.keyed', { label, key: a.key }) : label;
  setAttr(b, 'title', isPossible ? keyed : reasonFor(s, hindranceOf(s, a, pieces)));
  setAttr(b, 'aria-keyshortcuts', (a.key && (a.keys ?? a.key)) || null);
}

/**
 * Puts buttons between two others. Buttons that are already in place stay.
 * @param {HTMLElement} bar
 * @param {Element} first
 * @param {Element[]} row
 * @param {Element} last
 */
function placeButtons(bar, first, row, last) {
  const wanted = new Set(row);
  let at = first.nextElementSibling;
  while (at && at !== last) {
    const next = at.nextElementSibling;
    if (!wanted.has(at)) at.remove();
    at = next;
  }
  let before = first;
  for (const b of row) {
    if (before.nextElementSibling !== b) bar.insertBefore(b, before.nextElementSibling);
    before = b;
  }
}

/** @param {string} word @param {string} label @param {string} about */
const says = (word, label, about) => ({ word, label, about });

/** Makes exactly one button of a bar reachable by Tab. @param {HTMLElement} bar */
export function setTabStop(bar) {
  const shown = buttonsOf(bar);
  const current = shown.find((b) => b.tabIndex === 0) ?? shown[0];
  for (const b of bar.querySelectorAll('button')) b.tabIndex = b === current ? 0 : -1;
}

/**
 * Moves the focus from button to button by arrow keys, Home and End.
 * @param {HTMLElement} bar
 * @param {KeyboardEvent} e
 */
export function moveFocus(bar, e) {
  const shown = buttonsOf(bar);
  const at = shown.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const forth = e.key === 'ArrowRight' || e.key === 'ArrowDown';
  const back = e.key === 'ArrowLeft' || e.key === 'ArrowUp';
  let to = -1;
  if (forth || back) to = (at + (forth ? 1 : -1) + shown.length) % shown.length;
  if (e.key === 'Home') to = 0;
  if (e.key === 'End') to = shown.length - 1;
  if (at < 0 || to < 0) return;
  e.preventDefault();
  for (const b of shown) b.tabIndex = -1;
  shown[to].tabIndex = 0;
  shown[to].focus();
}

/** @param {HTMLElement} bar */
function buttonsOf(bar) {
  return [...bar.querySelectorAll('button')].filter((b) => !b.hidden && b.offsetParent !== null);
}
