// The pen. While drawing is on, a mouse, finger or stylus on the table makes strokes or erases
// them. A stroke is sent while it is drawn, a stretch at a time. Two fingers still zoom and move
// the table.

import { all, on } from '../../view/dom.js';
import { toTable, UNITS } from '../../view/geometry.js';
import { pathOf, simplified, stretchesOf } from './lines.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Ink} Ink */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

/** Milliseconds between two stretches of a stroke that is being drawn. */
const BEAT = 150;

/** The number of stretches after which a stroke continues as another one. A set keeps 256 (C14). */
const STRETCHES = 240;

/**
 * How far a simplified line may be from the drawn one: OFF in px of this person's screen, and at
 * most MOST_OFF in units.
 */
const OFF = 0.7;
const MOST_OFF = 15;

/** How far the eraser reaches, in px. */
const REACH = 9;

/**
 * If a second finger follows, a stroke of up to this length, in px, is removed: the person wants to
 * zoom.
 */
const SLIP = 24;

/**
 * The setting of the pen.
 * @typedef {{tool: 'pen'|'eraser', colour: number, width: number}} Setting
 */

/**
 * @typedef {object} Callbacks
 * @property {Setting} setting
 * @property {(ink: Ink) => boolean} mayErase
 * @property {(ink: Ink) => void} onForbidden the eraser touches a stroke that this person may not
 *   erase
 * @property {() => void} onFull there is no room for another stroke
 * @property {(entity: number) => void} onDrawn a stroke was drawn
 */

/**
 * A stroke that is being made.
 * @typedef {object} Draft
 * @property {number} pointer
 * @property {import('../components/registry.js').Stroke} stroke
 * @property {SVGPathElement} path
 * @property {number} entity 0: nothing of it has been sent yet
 * @property {number} count number of stretches that were sent
 * @property {Point[]} sent points that were sent
 * @property {Point[]} rest points since then
 */

/**
 * The state of the pen.
 * @typedef {object} Pen
 * @property {State} s
 * @property {Shared} shared
 * @property {Board} board
 * @property {Callbacks} desk
 * @property {Draft|null} draft
 * @property {{pointer: number, does: 'erase'|'pan', x: number, y: number}|null} other the pointer
 *   that erases or moves the table
 * @property {boolean} hasStylus whether a stylus has drawn. Then a finger or the ball of the hand
 *   does not draw any more.
 * @property {number} fingers
 * @property {ReturnType<typeof setTimeout>|undefined} beat
 */

/**
 * Listens to pointers.
 * @param {State} s
 * @param {Shared} shared
 * @param {Board} board
 * @param {Callbacks} desk
 * @returns {() => void} stops
 */
export function bindPen(s, shared, board, desk) {
  /** @type {Pen} */
  const pen = {
    s, shared, board, desk,
    draft: null, other: null, hasStylus: false, fingers: 0, beat: undefined,
  };
  /** @param {string} type @param {(pen: Pen, e: PointerEvent) => void} handle */
  const listen = (type, handle) =>
    on(s.page.window, type, (/** @type {PointerEvent} */ e) => handle(pen, e), { capture: true });
  return all(
    () => end(pen),
    listen('pointerdown', down),
    listen('pointermove', move),
    listen('pointerup', up),
    listen('pointercancel', up),
  );
}

/** @param {Pen} pen @param {PointerEvent} e */
function down(pen, e) {
  const { main, window: win } = pen.s.page;
  const isTouch = e.pointerType === 'touch';
  if (isTouch) pen.fingers++;
  // the press moves the table or opens a menu
  if ((e.button !== 0 && !isEraser(e)) || main.classList.contains('panning')) return;
  e.stopImmediatePropagation();
  e.preventDefault();
  pen.hasStylus ||= e.pointerType === 'pen';
  if (pen.draft || pen.other || (isTouch && pen.fingers > 1)) {
    if (isTouch) secondFinger(pen);
    return;
  }
  win.setPointerCapture(e.pointerId);
  if (isTouch && pen.hasStylus)
    pen.other = { pointer: e.pointerId, does: 'pan', x: e.clientX, y: e.clientY };
  else if (pen.desk.setting.tool === 'eraser' || isEraser(e)) {
    pen.other = { pointer: e.pointerId, does: 'erase', x: 0, y: 0 };
    erase(pen, e);
  } else {
    const { colour, width } = pen.desk.setting;
    begin(pen, e.pointerId, { colour, width }, placeOf(pen.s, e));
    show(pen);
  }
}

/**
 * Begins a stroke.
 * @param {Pen} pen
 * @param {number} pointer
 * @param {Draft['stroke']} stroke
 * @param {Point} from
 */
function begin(pen, pointer, stroke, from) {
  const path = pen.board.draft(stroke);
  pen.draft = { pointer, stroke, path, entity: 0, count: 0, sent: [], rest: [from] };
  pen.beat = setTimeout(() => tick(pen), BEAT);
}

/** @param {Pen} pen */
function tick(pen) {
  if (!pen.draft) return;
  if (pen.s.net.status.state === 'online') sendRest(pen, pen.draft);
  clearTimeout(pen.beat); // of a stroke that continues this one
  pen.beat = setTimeout(() => tick(pen), BEAT);
}

/** @param {Pen} pen @param {PointerEvent} e */
function move(pen, e) {
  const { draft, other, s } = pen;
  if (draft?.pointer === e.pointerId) {
    const events = e.getCoalescedEvents?.() ?? [];
    for (const event of events.length > 0 ? events : [e]) add(draft, placeOf(s, event));
    show(pen);
  } else if (other?.pointer === e.pointerId) {
    if (other.does === 'erase')
      for (const event of e.getCoalescedEvents?.() ?? [e]) erase(pen, event);
    else {
      s.page.window.scrollBy(other.x - e.clientX, other.y - e.clientY);
      Object.assign(other, { x: e.clientX, y: e.clientY });
    }
  }
}

/**
 * Handles a second finger, which means a zoom. A short stroke of the first finger is removed,
 * because it was not intended.
 * @param {Pen} pen
 */
function secondFinger(pen) {
  pen.other = null;
  const { draft } = pen;
  if (!draft) return;
  const [first, ...others] = [...draft.sent, ...draft.rest];
  const most = (SLIP * UNITS) / scaleOf(pen.s);
  if (others.every((p) => Math.hypot(p.x - first.x, p.y - first.y) <= most)) {
    finish(pen);
    if (draft.entity) pen.shared.replica.removeEntity(draft.entity);
  } else end(pen);
}

/** @param {Pen} pen @param {PointerEvent} e */
function up(pen, e) {
  if (e.pointerType === 'touch') pen.fingers = Math.max(0, pen.fingers - 1);
  if (pen.draft?.pointer === e.pointerId) end(pen);
  if (pen.other?.pointer === e.pointerId) pen.other = null;
}

/** Sends the rest of the stroke, and ends it. @param {Pen} pen */
function end(pen) {
  if (pen.draft) sendRest(pen, pen.draft);
  finish(pen);
}

/** Ends the stroke on the screen. @param {Pen} pen */
function finish(pen) {
  const { draft, board, desk } = pen;
  pen.draft = null;
  clearTimeout(pen.beat);
  draft?.path.remove();
  if (!draft?.entity) return;
  board.hide(draft.entity, false);
  board.read(draft.entity);
  desk.onDrawn(draft.entity);
}

/** Sends the points since the last time, simplified. @param {Pen} pen @param {Draft} draft */
function sendRest(pen, draft) {
  const { replica, COMPONENTS } = pen.shared;
  const last = draft.sent.slice(-1);
  if (draft.rest.length === 0) return;
  const off = Math.min((OFF * UNITS) / scaleOf(pen.s), MOST_OFF);
  const fresh = simplified([...last, ...draft.rest], off).slice(last.length);
  if (!draft.entity && !createStroke(pen, draft)) {
    finish(pen);
    pen.desk.onFull();
    return;
  }
  for (const stretch of stretchesOf(fresh)) {
    replica.append(draft.entity, COMPONENTS.points, stretch);
    draft.count++;
  }
  draft.sent.push(...fresh.map((p) => ({ x: Math.round(p.x), y: Math.round(p.y) })));
  draft.rest = [];
  if (draft.count < STRETCHES) return;
  // the stroke has reached its greatest length, and continues as another one
  const { pointer, stroke, sent } = draft;
  finish(pen);
  begin(pen, pointer, stroke, sent[sent.length - 1]);
}

/**
 * Creates the stroke in the replica. Returns false if that is not possible.
 * @param {Pen} pen
 * @param {Draft} draft
 */
function createStroke({ s, shared, board }, draft) {
  const { replica, entities, COMPONENTS } = shared;
  const entity = entities.newStroke(s.net.serverNow(), replica.isDeleted);
  if (entity === 0 || !replica.put(entity, COMPONENTS.stroke, draft.stroke)) return false;
  draft.entity = entity;
  board.hide(entity, true);
  return true;
}

/** @param {Pen} pen @param {PointerEvent} e */
function erase({ s, shared, board, desk }, e) {
  for (const ink of board.at(placeOf(s, e), (REACH * UNITS) / scaleOf(s))) {
    if (desk.mayErase(ink)) {
      shared.replica.removeEntity(ink.entity);
      board.read(ink.entity);
    } else desk.onForbidden(ink);
  }
}

/** @param {State} s */
const scaleOf = ({ view: { camera } }) => camera.scale * (camera.live?.factor ?? 1);

/**
 * Returns the place of a pointer in units, at most 300 units beyond the edge of the table.
 * @param {State} s
 * @param {PointerEvent} e
 * @returns {Point}
 */
function placeOf({ view: { camera } }, e) {
  const { x, y } = toTable(camera, e.clientX, e.clientY);
  const near = (/** @type {number} */ n, /** @type {number} */ size) =>
    Math.min(Math.max(n, -size / 2 - 300), size / 2 + 300);
  return { x: near(x, camera.width), y: near(y, camera.height) };
}

/** Adds a place to a stroke if it differs from the last one. @param {Draft} d @param {Point} p */
function add(d, p) {
  const last = d.rest.at(-1) ?? d.sent.at(-1);
  if (!last || Math.hypot(p.x - last.x, p.y - last.y) >= 2) d.rest.push(p);
}

/** Shows the stroke. @param {Pen} pen */
function show({ draft }) {
  draft?.path.setAttribute('d', pathOf([...draft.sent, ...draft.rest]));
}

/** Returns whether the eraser end of a stylus is used. @param {PointerEvent} e */
function isEraser(e) {
  return e.pointerType === 'pen' && (e.buttons & 32) !== 0;
}
