// The part of the page that measures the distance between places or pieces. It asks the table,
// which answers this seat alone (docs/protocol/component.md, C18). It is loaded when somebody takes
// the ruler.

import * as carry from '../../input/drag.js';
import { kindOf } from '../../view/catalog.js';
import { all, on } from '../../view/dom.js';
import { clamp, toTable } from '../../view/geometry.js';
import { Measuring, UNANSWERED } from './measuring.js';
import { sharedOf } from '../../parts.js';
import { createRulerbar } from './bar.js';
import { createLine } from './line.js';
import { bindRulerPointer } from './pointer.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { lengthOf, lengthsOf } from './lengths.js';
import { focused, select, under } from '../../input/select.js';
import { plays } from '../../rights.js';
import { nameOf, placeOf, the } from '../../view/describe.js';
import { eachFrame } from '../../view/state.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';
import { onRename } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('./measuring.js').End} End */

/**
 * An end with the name of its piece when it was chosen, in case the piece goes.
 * @typedef {End & {name?: string}} Named
 */

/**
 * The functions of the ruler while it is out; null while it is put away.
 * @type {{step: () => void, rename: (from: number, to: number) => void, leave: () => void}|null}
 */
let out = null;

/**
 * Connects the ruler with the page.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  eachFrame(s, () => {
    out?.step();
    return false; // whatever moves asks for the next frame itself
  });
  onRename(s, (from, to) => out?.rename(from, to));
  drawWithBars(s, () => {
    if (!plays(s) || s.parts.drawing?.isOn() || s.parts.pings?.isAiming()) out?.leave();
  });
  return () => out?.leave();
}

/** Returns whether this person is measuring. */
export function isOn() {
  return out !== null;
}

/** Takes the ruler, or puts it away. @param {State} s @param {Voice} voice */
export function toggle(s, voice) {
  if (out) {
    out.leave();
    voice.whisper(msg('ruler.ended'));
  } else if (plays(s)) begin(s, voice);
}

/** Lets this person measure until they leave. @param {State} s @param {Voice} voice */
function begin(s, voice) {
  if (s.parts.drawing?.isOn()) s.parts.drawing.toggle(s, voice);
  if (s.parts.pings?.isAiming()) s.parts.pings.aim(s, voice);
  if (s.input.carry) carry.end(s);
  select(s, []);
  const { main, toolbar, window: win } = s.page;
  const { replica, entities, COMPONENTS } = sharedOf(s);
  const measuring = new Measuring({
    seen: (piece) => seen(s, piece),
    ask: (from, to) =>
      replica.ask(entities.entityOfSeat(s.sync.you), COMPONENTS.measure, COMPONENTS.measureResult, {
        from,
        to,
      }),
    changed: () => changed(),
  });
  const line = createLine(s);
  const bar = createRulerbar({
    again: () => act(() => measuring.retry()),
    done: () => toggle(s, voice),
  });
  let told = '';
  /** Shows the measurement, and announces a result to screen readers. */
  const changed = () => {
    const report = reportOf(s, measuring);
    line.draw(measuring, report);
    bar.draw({ phase: report.phase, ...report.bar, mayAsk: UNANSWERED.includes(measuring.phase) });
    if (report.ears && report.ears !== told) voice.whisper(report.ears);
    told = report.ears;
  };
  const act = (/** @type {() => void} */ f) => {
    f();
    changed();
  };
  /** Chooses a spot: the second one if the first is chosen already. @param {Named} end */
  const choose = (end) => {
    const { isOpen, from } = measuring;
    if (isOpen && (end.piece === 0 || end.piece !== from?.piece)) {
      measuring.reach(end);
      measuring.choose();
    } else {
      measuring.begin(end);
      voice.whisper(msg('ruler.from', { what: nameOfEnd(s, end) }));
    }
    changed();
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    const elsewhere = /** @type {Element} */ (e.target).closest(
      'input, textarea, select, dialog, .sheet, .menu, .people',
    );
    if (elsewhere || e.ctrlKey || e.metaKey || e.altKey) return;
    const piece = focused(s);
    const chooses = piece !== 0 && (e.key === 'Enter' || e.key === ' ');
    if (e.key !== 'Escape' && !chooses) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    if (chooses) choose(endOf(s, piece));
    else toggle(s, voice);
  };
  const leave = all(
    bindRulerPointer(s, measuring, {
      endAt: (x, y) => endAt(s, x, y),
      press: choose,
      changed: () => changed(),
    }),
    on(document, 'keydown', key, { capture: true }),
    on(s.page.outer, 'focusin', () => {
      if (measuring.isOpen && focused(s)) act(() => measuring.reach(endOf(s, focused(s))));
    }),
    () => {
      out = null;
      measuring.clear();
      line.remove();
      main.classList.remove('measuring');
      const had = bar.root.contains(document.activeElement);
      bar.root.remove();
      if (had) win.focus({ preventScroll: true });
      redrawBars(s);
    },
  );
  out = {
    step: () => act(() => measuring.look()),
    rename: (from, to) => measuring.rename(from, to),
    leave,
  };
  main.classList.add('measuring');
  toolbar.before(bar.root);
  voice.hush();
  voice.whisper(beginning(s));
  if (focused(s)) choose(endOf(s, focused(s)));
  changed();
  redrawBars(s);
}

/**
 * Returns where a piece is shown; null if it is not on the table.
 * @param {State} s
 * @param {number} id
 */
function seen(s, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return null;
  const { x, y } = s.view.shown.get(id) ?? piece;
  return { x, y, still: x === piece.x && y === piece.y };
}

/** Returns the end at a piece. @param {State} s @param {number} id @returns {Named} */
function endOf(s, id) {
  const piece = s.sync.pieces.get(id);
  return {
    piece: id,
    x: piece?.x ?? 0,
    y: piece?.y ?? 0,
    name: piece ? the(nameOf(s, piece)) : msg('ruler.lost'),
  };
}

/**
 * Returns the end that a point of the page means: the uppermost piece there, or the place. On a
 * board or a hand it is the place.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 * @returns {Named}
 */
function endAt(s, px, py) {
  const id = under(px, py).find((n) => s.sync.pieces.has(n)) ?? 0;
  const piece = s.sync.pieces.get(id);
  const k = piece && kindOf(s, piece);
  if (k && (k.weight !== 'heavy' || k.container)) return endOf(s, id);
  const { x, y } = toTable(s.view.camera, px, py);
  const { width, height } = s.view.camera;
  return {
    piece: 0,
    x: Math.round(clamp(x, -width / 2, width / 2)),
    y: Math.round(clamp(y, -height / 2, height / 2)),
  };
}

/** @param {State} s @param {Named} end */
function nameOfEnd(s, end) {
  if (end.piece === 0) return msg('ruler.place', { where: placeOf(s, end) });
  const piece = s.sync.pieces.get(end.piece);
  return piece ? the(nameOf(s, piece)) : (end.name ?? msg('ruler.lost'));
}

/** Returns the sentence that says how to measure. @param {State} s */
function beginning(s) {
  return s.input.touch || matchMedia('(pointer: coarse)').matches
    ? msg('ruler.begunTouch')
    : msg('ruler.begun');
}

/**
 * Describes a measurement: beside the line, in the bar, and for screen readers if there is a
 * result.
 * @param {State} s
 * @param {Measuring} m
 */
function reportOf(s, m) {
  const { from, to, distance } = m;
  if (!from || !to || distance === null) {
    const says = from ? msg('ruler.from', { what: nameOfEnd(s, from) }) : beginning(s);
    return { phase: m.phase, label: { number: '', note: '' }, bar: { says, note: '' }, ears: '' };
  }
  const phase = m.phase === 'asked' && s.net.status.state !== 'online' ? 'waiting' : m.phase;
  const note = firstMessage([`ruler.notes.${phase}`]);
  if (phase === 'gone') {
    const lost = [from, to].find((end) => end.piece && !s.sync.pieces.has(end.piece)) ?? to;
    const says = msg('ruler.gone', { what: nameOfEnd(s, lost) });
    return { phase, label: { number: '?', note }, bar: { says, note: '' }, ears: says };
  }
  const pitch = pitchOf(s);
  const length = lengthOf(distance, pitch);
  const says = msg(m.isEstimate ? 'ruler.reckoned' : 'ruler.measured', {
    from: nameOfEnd(s, from),
    to: nameOfEnd(s, to),
    distance: lengthsOf(distance, pitch),
  });
  const why = firstMessage([`ruler.why.${phase}`]);
  const ears = phase === 'reckoned' || phase === 'asked' ? '' : `${says} ${why}`.trim();
  return {
    phase,
    label: { number: m.isEstimate ? msg('ruler.about', { distance: length }) : length, note },
    bar: { says, note: why },
    ears,
  };
}

/** Returns the pitch of the table's grid, in units; 0 if it has none. @param {State} s */
function pitchOf(s) {
  const { replica, entities, COMPONENTS, FORMS } = sharedOf(s);
  const grid = replica.get(entities.TABLE, COMPONENTS.grid);
  return grid && FORMS[grid.form] !== 'none' ? grid.pitch : 0;
}
