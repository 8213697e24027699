// The part of the page for the log: what happened at the table, and what people write to each
// other. Older lines come from the server (T65), new ones from the stream.

import { all, el, wantsStill } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { leaveSide, standBeside } from '../../view/camera.js';
import { kindAt, turnsUp } from '../../view/catalog.js';
import { toPage, UNITS } from '../../view/geometry.js';
import { onEvent, onFullState, onRename } from '../../listeners.js';
import { isHand } from '../../rights.js';
import { drawWithBars, noteRead, redrawBars } from '../../bars/state.js';
import { afterErasure, pageOf } from './history.js';
import { createLines } from './lines.js';
import { msg } from './msg.js';
import { createPanel } from './panel.js';
import { createSending, whyNotSent } from './sending.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').SyncEvent} SyncEvent */
/** @typedef {import('./lines.js').Happening} Happening */
/** @typedef {import('./lines.js').Line} Line */

addIcons({ remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5' });

/** For how long the place of a line is shown, in ms. */
const SHOWN = 2400;

/** The panel; null before it has been opened. @type {ReturnType<typeof begin>|null} */
let log = null;

/** The element that had the focus when the panel was opened. @type {HTMLElement|null} */
let before = null;

export { clock, sentenceOf, whoOf } from './words.js';

/** Does nothing until the log is opened. @returns {() => void} stops */
export function bind() {
  return () => log?.stop();
}

/** Opens or closes the log. @param {State} s @param {Voice} voice */
export function toggle(s, voice) {
  if (isOpen()) shut(s);
  else open(s, voice);
}

/**
 * Says why the server has refused something of the chat; '' if it was something else.
 * @param {Extract<SyncEvent, {type: 'reject'}>} event
 */
export function whyRefused(event) {
  return log?.sending.whyRefused(event) ?? '';
}

/** Returns whether the log is open. */
export function isOpen() {
  return log?.panel.isOpen() === true;
}

/** @param {State} s @param {Voice} voice */
function open(s, voice) {
  log ??= begin(s, voice);
  standBeside(s, 'logged', log.shut);
  before = /** @type {HTMLElement|null} */ (document.activeElement);
  log.panel.drawPeople();
  log.panel.open();
  noteRead(s);
}

/** @param {State} s */
function shut(s) {
  if (!log) return;
  log.panel.close();
  leaveSide(s, 'logged', log.shut);
  redrawBars(s);
  if (before?.isConnected) before.focus({ preventScroll: true });
}

/**
 * Returns what lines need to know of a table.
 * @param {State} s
 * @returns {import('./lines.js').Words}
 */
function wordsFor(s) {
  return {
    cell: (at) => s.parts.boards?.nameAt(s, at) ?? '',
    zone: (at) => s.parts.zones?.nameAt(s, at) ?? '',
    isHand: (piece) => isHand(s, piece),
    turnsUp: (before, after) => turnsUp(s.catalog, before, after),
    isButton: (piece) => kindAt(s.catalog, piece.kind).button !== undefined,
  };
}

/**
 * Returns what makes lines of the events of a replay.
 * @param {State} s
 * @returns {{lines: Line[], take: (event: SyncEvent) => Line|null}} `take` returns the line that is
 *   new or has changed; null if there is none
 */
export function linesOf(s) {
  const { lines, add } = createLines(wordsFor(s));
  return {
    lines,
    take: (event) => {
      const h = event.type === 'rewound' ? rewindOf(event) : happeningOf(s, event);
      return h && add(h);
    },
  };
}

/** The kinds of save points, by their numbers in the stream. */
const SAVES = /** @type {const} */ (['auto', 'named', 'set-up', 'auto', 'before']);

/** @param {import('../../types.js').Rewound} event @returns {Happening|null} */
function rewindOf({ at, by, to }) {
  if (!to) return null;
  return { at, by, op: 'rewind', rewound: { kind: SAVES[to.kind], name: to.name, at: to.at } };
}

/** @param {State} s @param {Voice} voice */
function begin(s, voice) {
  const words = wordsFor(s);
  let live = createLines(words);
  /** The next earlier page, as Page says. */
  let earlier = '';
  /** Counts full states: answers to what was asked before one are out of date. */
  let turn = 0;
  const close = () => shut(s);
  const sending = createSending(s);
  const panel = createPanel(s, {
    close,
    say: (line) => {
      const why = whyNotSent(s, line);
      if (why) voice.alarm(why);
      else say(s, voice, sending, line);
      return why === '';
    },
    remove: (line) => line.chat && sending.unsay(line.chat.line),
    show: (line) => line.place && showPlace(s, line.place),
    earlier: () => void read({ before: earlier }),
  });
  s.page.main.after(panel.root);
  const take = (/** @type {Happening} */ h) => {
    const known = h.chat?.isDeleted ? panel.chatLine(h.chat.line) : undefined;
    if (known) known.chat = h.chat ?? null;
    const line = known ?? live.add(h);
    if (line) panel.put(line);
  };
  const read = async (/** @type {{to?: number, before?: string}} */ from) => {
    const asked = turn;
    panel.setState(false, msg('log.reading'));
    try {
      const page = await pageOf(s, from);
      if (asked !== turn) return;
      const older = createLines(words);
      for (const h of page.happenings) older.add(h);
      panel.putEarlier(older.lines);
      earlier = page.before;
      panel.setState(earlier !== '', page.isDropped ? msg('log.dropped') : '');
    } catch {
      if (asked === turn) panel.setState(true, msg('log.failed'));
      earlier = from.before ?? '';
    }
  };
  const removeAll = () => {
    turn++;
    live = createLines(words);
    panel.clear();
  };
  const readAgain = () => {
    removeAll();
    void read({ to: s.sync.mark });
  };
  onEvent(s, (event) => {
    const refused = sending.settle(event);
    if (refused) panel.giveBack(refused);
    // The server has no texts of that seat any more, and another name.
    const after = afterErasure(event, s.sync);
    if (after !== null) {
      if (after === 'read') readAgain();
      else removeAll();
      return;
    }
    const h = happeningOf(s, event);
    if (h) take(h);
  });
  onFullState(s, readAgain);
  onRename(s, (from, to) => live.rename(from, to));
  readAgain();
  return { panel, shut: close, sending, stop: all(drawWithBars(s, panel.drawPeople), panel.stop) };
}

/**
 * Returns what an event of the stream means for the log; null: nothing.
 * @param {State} s
 * @param {SyncEvent} e
 * @returns {Happening|null}
 */
function happeningOf(s, e) {
  const at = s.sync.time;
  switch (e.type) {
    case 'update':
      return {
        at, by: e.by, op: e.op,
        piece: { id: e.piece, before: e.before, after: s.sync.pieces.get(e.piece) ?? null },
      };
    case 'acked':
      return {
        at, by: s.sync.you, op: e.op,
        piece: { id: e.piece, before: e.before ?? null, after: e.after ?? null },
      };
    case 'notice':
      return {
        at, by: e.by, op: e.op,
        notice: { piece: s.sync.pieces.get(e.piece) ?? null, count: e.count, to: e.seat },
      };
    case 'seat': {
      const after = s.sync.seats.get(e.id);
      return after ? { at, by: e.id, op: 'seat', seat: { before: e.before, after } } : null;
    }
    case 'said':
      return {
        at: e.at, by: e.by, op: 'say',
        chat: { line: e.line, text: e.text, to: e.to, isDeleted: e.text === '' },
      };
    case 'unsaid':
      return {
        at, by: e.by, op: 'unsay', chat: { line: e.line, text: '', to: 0, isDeleted: true },
      };
    default:
      return null;
  }
}

/**
 * @param {State} s
 * @param {Voice} voice
 * @param {ReturnType<typeof createSending>} sending
 * @param {import('./sending.js').Sent} line
 */
function say(s, voice, sending, line) {
  if (s.net.status.state !== 'online') voice.notice(msg('log.offline'));
  sending.say(line);
}

/**
 * Shows a place: scrolls to it if it is out of sight, and draws a ring there.
 * @param {State} s
 * @param {import('../../view/geometry.js').Point} place
 */
function showPlace(s, place) {
  const { camera } = s.view;
  const at = toPage(camera, place);
  const x = at.x - camera.left - camera.w / 2;
  const y = at.y - camera.top - camera.h / 2;
  if (Math.abs(x) > camera.w / 2 - 40 || Math.abs(y) > camera.h / 2 - 40)
    s.page.window.scrollBy({ left: x, top: y, behavior: wantsStill() ? 'instant' : 'smooth' });
  const ring = el('span', { class: 'log-ring' });
  ring.style.transform = `translate(${place.x / UNITS}px, ${place.y / UNITS}px)`;
  s.page.arrows.append(ring);
  setTimeout(() => ring.remove(), SHOWN);
}
