// The part of the page for what players write on pieces (docs/protocol/component.md, C14): labels,
// tints and remarks. It shows them at their pieces and adds them to the pieces' names. It is loaded
// when a piece has one or is about to get one.

import { all, el, on } from '../../view/dom.js';
import { hueOf } from './tints.js';
import { draw, erase, newMark } from './draw.js';
import { askLabel, askTint, refreshRemark, showRemark } from './dialogs.js';
import { msg } from './msg.js';
import { allWritten, piecesIn, writtenOn } from './components.js';
import { sharedOf, use } from '../../parts.js';
import { drawLabel } from '../../view/piece.js';
import { nameOf, the } from '../../view/describe.js';
import { eachFrame } from '../../view/state.js';
import { drawWithBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./draw.js').Mark} Mark */
/** @typedef {import('./components.js').Written} Written */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

/**
 * The greatest number of simultaneous changes by others that are announced one by one. Of more only
 * the number is announced.
 */
const MOST_SPOKEN = 3;

/** The drawn marks, by piece. @type {Map<number, Mark>} */
const marks = new Map();

/**
 * Creates the layer and shows the marks.
 * @param {State} s
 * @param {Voice} voice
 * @param {Shared} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, { replica }) {
  const layer = el('div', { class: 'marks' });
  s.page.arrows.prepend(layer); // above all pieces, below the cursors of others
  let link = s.net.status.state;
  for (const id of allWritten(s)) renew(s, id);
  const drawAll = () => {
    for (const [id, mark] of marks) draw(s, layer, mark, s.view.shown.get(id));
    return false;
  };
  eachFrame(s, drawAll);
  const drawLink = () => {
    if (link === s.net.status.state) return;
    link = s.net.status.state;
    // unsent text is marked while there is no connection
    for (const id of marks.keys()) renew(s, id);
  };
  drawWithBars(s, drawLink);
  const open = (/** @type {MouseEvent} */ e) => {
    const sign = e.target instanceof Element ? e.target.closest('[data-remark]') : null;
    const piece = s.sync.pieces.get(Number(sign?.getAttribute('data-remark')));
    if (piece) openRemark(s, [piece], voice);
  };
  return all(
    // it is not a press on the table
    on(layer, 'pointerdown', (/** @type {Event} */ e) => e.stopPropagation()),
    on(layer, 'click', open),
    // shows the full label of the piece under the mouse
    on(s.page.window, 'pointerover', () => marks.size > 0 && s.redraw()),
    on(s.page.outer, 'focusin', () => s.redraw()),
    replica.listen((changes) => onChanges(s, changes, voice)),
    () => layer.remove(),
  );
}

/** Asks for a label for pieces. @param {State} s @param {Piece[]} pieces @param {Voice} voice */
export function openLabel(s, pieces, voice) {
  use(s, voice, 'dialogs', (dialogs) => askLabel(s, pieces, voice, dialogs));
}

/** Asks for a tint for pieces. @param {State} s @param {Piece[]} pieces @param {Voice} voice */
export function openTint(s, pieces, voice) {
  use(s, voice, 'dialogs', (dialogs) => askTint(s, pieces, voice, dialogs));
}

/**
 * Shows a remark that can be read, changed or deleted.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Voice} voice
 */
export function openRemark(s, pieces, voice) {
  use(s, voice, 'dialogs', (dialogs) => showRemark(s, pieces, voice, dialogs));
}

/** Returns the pieces with a remark. Spectators can read it, too. @param {Piece[]} pieces */
export function remarked(pieces) {
  return pieces.filter(({ id }) => marks.get(id)?.written.remark);
}

/**
 * Describes the label, tint and remark of a piece.
 * @param {number} id id of the piece
 * @returns {string[]}
 */
export function saysOf(id) {
  const written = marks.get(id)?.written;
  if (!written) return [];
  const parts = [];
  if (written.label) parts.push(msg('marks.labelled', { text: written.label }));
  if (written.tint >= 0)
    parts.push(msg('marks.tinted', { name: msg(`marks.hues.${hueOf(written.tint).id}`) }));
  if (written.remark) parts.push(msg('marks.remarked'));
  if (written.unsent) parts.push(msg('marks.unsent'));
  return parts;
}

/**
 * Takes in changes of the displayed state, and announces those by others.
 * @param {State} s
 * @param {import('../components/replica.js').Changes} changes
 * @param {Voice} voice
 */
function onChanges(s, changes, voice) {
  const told = [];
  for (const id of piecesIn(s, changes.keys())) {
    const before = marks.get(id)?.written;
    renew(s, id);
    const piece = s.sync.pieces.get(id);
    if (piece && !isOwn(s, id))
      told.push(...newsOf(the(nameOf(s, piece)), before, marks.get(id)?.written));
  }
  if (told.length > MOST_SPOKEN) voice.whisper(msg('marks.told.many', { n: told.length }));
  else if (told.length > 0) voice.whisper(told.join(' '));
  refreshRemark();
}

/**
 * Returns whether an operation of this page on the piece is pending. Then the change is one's own.
 * @param {State} s
 * @param {number} id
 */
function isOwn(s, id) {
  const { replica, entities } = sharedOf(s);
  return replica.pending(entities.entityOfPiece(id));
}

/**
 * Reads the label, tint and remark of a piece again, and updates its name.
 * @param {State} s
 * @param {number} id
 */
function renew(s, id) {
  const written = writtenOn(s, id);
  const isBlank = !written.label && written.tint < 0 && !written.remark;
  const mark = marks.get(id);
  if (isBlank) {
    if (mark) erase(mark);
    marks.delete(id);
  } else if (mark) mark.written = written;
  else marks.set(id, newMark(written));
  const p = s.view.shown.get(id);
  const piece = s.sync.pieces.get(id);
  if (p && piece) drawLabel(s, p, piece);
  s.redraw();
}

/**
 * Returns sentences about the changes of a piece.
 * @param {string} what
 * @param {Written} [before]
 * @param {Written} [now]
 * @returns {string[]}
 */
function newsOf(what, before, now) {
  const told = [];
  if ((before?.label ?? '') !== (now?.label ?? ''))
    told.push(
      now?.label
        ? msg('marks.told.label', { what, text: now.label })
        : msg('marks.told.noLabel', { what }),
    );
  const tint = now?.tint ?? -1;
  if ((before?.tint ?? -1) !== tint)
    told.push(
      tint >= 0
        ? msg('marks.told.tint', { what, name: msg(`marks.hues.${hueOf(tint).id}`) })
        : msg('marks.told.noTint', { what }),
    );
  if ((before?.remark ?? '') !== (now?.remark ?? ''))
    told.push(
      now?.remark ? msg('marks.told.remark', { what }) : msg('marks.told.noRemark', { what }),
    );
  return told;
}
