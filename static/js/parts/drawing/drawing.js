// The part of the page for drawings, which all players make on one layer of the table
// (docs/protocol/component.md, C16). It is loaded when there is a stroke, or when somebody wants to
// make one.

import * as carry from '../../input/drag.js';
import { all, on } from '../../view/dom.js';
import { msg } from './msg.js';
import { addIcons } from '../../view/icons.js';
import { Board } from './board.js';
import { SIZES } from './inks.js';
import { sharedOf } from '../../parts.js';
import { bindPen } from './pen.js';
import { createPenbar } from './bar.js';
import { select } from '../../input/select.js';
import { hosts, plays } from '../../rights.js';
import { nickOf } from '../../view/names.js';
import { eachFrame } from '../../view/state.js';
import { drawWithBars, invalidateBars, redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */
/** @typedef {import('./board.js').Ink} Ink */

/** Milliseconds for which it is not announced again that the same person draws. */
const QUIET = 20_000;

addIcons({ eraser: 'M8.5 19.5 4 15l9.5-9.5 6 6-8 8zM9 10l6 6M8.5 19.5H20' });

/** Set when the part is bound. @type {Board} */
let board;

/** Ends drawing; null while drawing is off. @type {(() => void)|null} */
let leave = null;

/**
 * Shows the drawings.
 * @param {State} s
 * @param {Voice} voice
 * @param {Shared} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, shared) {
  const { replica, entities } = shared;
  board = new Board(s, shared);
  const tell = teller(s, voice);
  for (const { author } of board.readAll()) tell(author);
  eachFrame(s, (now) => board.step(now));
  s.redraw();
  const stop = replica.listen((changes) => {
    for (const entity of changes.keys()) {
      if (entities.classOf(entity) !== 'stroke') continue;
      const begun = board.read(entity);
      if (begun) tell(begun.author);
    }
    if (leave) invalidateBars(s);
    s.redraw();
  });
  return all(() => leave?.(), stop, () => board.remove());
}

/**
 * Returns a function that announces who draws, at most once in QUIET ms for each seat.
 * @param {State} s
 * @param {Voice} voice
 */
function teller(s, voice) {
  /** @type {Map<number, number>} */
  const told = new Map();
  return (/** @type {number} */ seat) => {
    const now = performance.now();
    if (now - (told.get(seat) ?? -QUIET) < QUIET) return;
    told.set(seat, now);
    voice.whisper(msg('drawing.draws', { nick: nickOf(s, seat) }));
  };
}

/** Returns whether this person is drawing. */
export function isOn() {
  return leave !== null;
}

/** Starts or ends drawing. @param {State} s @param {Voice} voice */
export function toggle(s, voice) {
  if (leave) leave();
  else if (plays(s)) leave = begin(s, voice);
}

/**
 * Lets this person draw.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} ends it
 */
function begin(s, voice) {
  const shared = sharedOf(s);
  const { replica, entities } = shared;
  const { main } = s.page;
  const ownColour = s.sync.seats.get(s.sync.you)?.colour ?? 0;
  setting.colour ??= ownColour;
  /** Strokes of this person since drawing began, the last one last. @type {number[]} */
  const made = [];
  const mayErase = (/** @type {Ink} */ ink) =>
    hosts(s) || ink.author === 0 || ink.author === s.sync.you;
  let told = false;
  const stopPen = bindPen(s, shared, board, {
    setting: /** @type {import('./pen.js').Setting} */ (setting),
    mayErase,
    onForbidden: ({ author }) => {
      if (!told) voice.notice(msg('drawing.notYours', { nick: nickOf(s, author) }));
      told = true;
    },
    onFull: () => voice.notice(msg('drawing.full')),
    onDrawn: (entity) => {
      made.push(entity);
      redraw();
    },
  });
  const undo = () => {
    const last = lastOf(made);
    if (!last) return;
    replica.removeEntity(last);
    board.read(last);
    redraw();
  };
  const clear = () => {
    const last = Math.max(...[...board.inks.keys()].map(entities.secondOf));
    if (!Number.isFinite(last)) return;
    replica.removeEntity(entities.clearing(last + 1));
    board.readAll();
    redraw();
    voice.notice(msg('drawing.cleared'));
  };
  const bar = createPenbar(/** @type {import('./pen.js').Setting} */ (setting), ownColour, {
    undo,
    clear,
    count: () => board.inks.size,
    done: () => leave?.(),
  });
  const redraw = () =>
    bar.draw({
      mayClear: hosts(s),
      mayUndo: lastOf(made) !== 0,
      any: board.inks.size > 0,
      isOffline: s.net.status.state !== 'online',
    });
  const key = (/** @type {KeyboardEvent} */ e) => {
    const elsewhere = /** @type {Element} */ (e.target).closest(
      'input, textarea, select, dialog, .sheet, .menu, .people',
    );
    const isUndo = e.key.toLowerCase() === 'z' && (e.ctrlKey || e.metaKey) && !e.shiftKey;
    if (elsewhere || (e.key !== 'Escape' && !isUndo)) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (isUndo) undo();
    else leave?.();
  };
  if (s.input.carry) carry.end(s);
  select(s, []);
  main.classList.add('drawing');
  s.page.toolbar.before(bar.root);
  const stopBars = drawWithBars(s, redraw);
  const stopKey = on(document, 'keydown', key, { capture: true });
  redraw();
  bar.focus();
  voice.notice(
    s.input.touch || matchMedia('(pointer: coarse)').matches
      ? msg('drawing.begunTouch')
      : msg('drawing.begun'),
  );
  redrawBars(s);
  return () => {
    leave = null;
    stopPen();
    stopKey();
    stopBars();
    main.classList.remove('drawing');
    const had = bar.root.contains(document.activeElement);
    bar.root.remove();
    if (had) s.page.window.focus({ preventScroll: true });
    voice.notice(msg('drawing.ended'));
    redrawBars(s);
  };
}

/**
 * The last choice of tool, colour and width.
 * @type {{tool: 'pen'|'eraser', colour: number|undefined, width: number}}
 */
const setting = { tool: 'pen', colour: undefined, width: SIZES[1].width };

/**
 * Returns the last of one's strokes that still exists; 0 if there is none.
 * @param {number[]} made
 */
function lastOf(made) {
  return made.findLast((entity) => board.inks.has(entity)) ?? 0;
}
