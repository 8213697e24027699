// The drawings on the table: one path of an SVG for each stroke, above the boards and below the pieces. What others draw grows as they
// draw it, as far as it is known: points come in bunches, and the line goes on evenly until the next.
//
// There are two layers, each of its own for the browser, which need not paint the boards and the pieces anew for a line: one for what
// rests, and one for what is being drawn, so that a new line does not have two thousand others painted anew in each frame.

import { wantsStill } from '../../view/dom.js';
import { css } from '../../view/colour.js';
import { boxAround, distanceTo, lengthOf, pathOf, pointsOf } from './lines.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Points} Points */
/** @typedef {import('../components/registry.js').Stroke} Stroke */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

const SVG = 'http://www.w3.org/2000/svg';

/** Milliseconds in which a line has grown by what has come of it. */
const GROWS = 260;

/** Milliseconds after which a line that has not grown is one of those that rest. */
const RESTS = 600;

/** How long ago somebody may have begun a stroke that is seen growing, in seconds: others were there before. */
const LIVE = 5;

/**
 * A stroke as it is drawn.
 * @typedef {object} Ink
 * @property {number} entity
 * @property {number} author its seat; 0: it is this person's, and the room does not have it yet
 * @property {Stroke} stroke
 * @property {Points[]} stretches by which it is known whether something has changed
 * @property {Point[]} points
 * @property {ReturnType<typeof boxAround>} box
 * @property {SVGPathElement} path
 * @property {{shown: number, length: number, speed: number, rested: number}|null} growth in units, and units a millisecond; for how long all of it
 *   has been shown; null: it rests
 */

export class Board {
  /** By entity. @type {Map<number, Ink>} */
  inks = new Map();
  /** Those that grow. @type {Set<Ink>} */
  #growing = new Set();
  /** The entities in the order in which they lie on one another: that of their making. @type {number[]} */
  #order = [];
  #resting = element('svg', { class: 'ink', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  #moving = element('svg', { class: 'ink', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
  #size = '';
  #last = 0;
  /** Strokes that something else shows, such as the pen that makes them. @type {Set<number>} */
  #hidden = new Set();
  /** @type {State} */
  #s;
  /** @type {Shared} */
  #shared;

  /** @param {State} s @param {Shared} shared */
  constructor(s, shared) {
    this.#s = s;
    this.#shared = shared;
    s.page.pieces.before(this.#resting, this.#moving);
  }

  /** Reads all strokes anew. @returns {Ink[]} those that somebody else has just begun */
  readAll() {
    const { replica, entities } = this.#shared;
    const there = new Set(replica.entities(entities.clearing(0), Number.MAX_SAFE_INTEGER));
    for (const entity of [...this.inks.keys()]) if (!there.has(entity)) this.read(entity);
    return [...there].flatMap((entity) => this.read(entity) ?? []);
  }

  /**
   * Reads a stroke anew.
   * @param {number} entity
   * @returns {Ink|null} the stroke if it has just been begun by somebody else
   */
  read(entity) {
    const { replica, COMPONENTS: of } = this.#shared;
    const stroke = replica.get(entity, of.stroke);
    const stretches = stroke ? replica.elements(entity, of.points) : [];
    const known = this.inks.get(entity);
    if (!stroke || stretches.length === 0) {
      if (known) this.#drop(known);
      return null;
    }
    const author = replica.get(entity, of.author)?.seat ?? 0;
    if (known) known.author = author;
    const isSame =
      known &&
      known.stroke === stroke &&
      known.stretches.length === stretches.length &&
      known.stretches.every((p, i) => p === stretches[i]);
    if (isSame) return null;
    const ink = known ?? this.#add(entity, author, stroke);
    const isLive = this.#isLive(ink);
    const before = lengthOf(ink.points);
    Object.assign(ink, { stroke, stretches, points: pointsOf(stretches) });
    ink.box = boxAround(ink.points);
    this.#draw(ink);
    if (isLive && !wantsStill()) this.#grow(ink, before);
    return isLive && !known ? ink : null;
  }

  /** @param {number} entity @param {number} author @param {Stroke} stroke @returns {Ink} */
  #add(entity, author, stroke) {
    const path = element('path', { 'data-stroke': entity });
    const ink = {
      entity,
      author,
      stroke,
      stretches: [],
      points: [],
      box: boxAround([]),
      path,
      growth: null,
    };
    this.inks.set(entity, ink);
    let at = this.#order.length;
    while (at > 0 && this.#order[at - 1] > entity) at--;
    this.#order.splice(at, 0, entity);
    this.#lay(ink);
    return ink;
  }

  /** Puts a stroke where it rests, in its place among the others. @param {Ink} ink */
  #lay(ink) {
    const resting = (/** @type {number} */ entity) =>
      this.inks.get(entity)?.path.parentNode === this.#resting;
    const above = this.#order.slice(this.#order.indexOf(ink.entity) + 1).find(resting);
    this.#resting.insertBefore(ink.path, this.inks.get(above ?? -1)?.path ?? null);
  }

  /** @param {Ink} ink */
  #drop(ink) {
    ink.path.remove();
    this.inks.delete(ink.entity);
    this.#growing.delete(ink);
    this.#order.splice(this.#order.indexOf(ink.entity), 1);
  }

  /** @param {Ink} ink */
  #draw({ path, stroke, points, entity }) {
    path.setAttribute('d', pathOf(points));
    path.setAttribute('stroke', css(stroke.colour));
    path.setAttribute('stroke-width', String(stroke.width));
    path.toggleAttribute('hidden', this.#hidden.has(entity));
  }

  /** Hides a stroke that something else shows, or shows it again. @param {number} entity @param {boolean} yes */
  hide(entity, yes) {
    if (yes) this.#hidden.add(entity);
    else this.#hidden.delete(entity);
    this.inks.get(entity)?.path.toggleAttribute('hidden', yes);
  }

  // ---- growing ----

  /** Whether somebody else is making a stroke now. @param {Ink} ink */
  #isLive({ entity, author }) {
    const { secondOf, secondAt } = this.#shared.entities;
    const age = secondAt(this.#s.serverNow()) - secondOf(entity);
    return author !== 0 && author !== this.#s.sync.you && age < LIVE + this.#duration(entity);
  }

  /** For how long a stroke has been growing, in seconds, at most: a stretch of it comes six times a second. @param {number} entity */
  #duration(entity) {
    return (this.inks.get(entity)?.stretches.length ?? 0) / 4;
  }

  /** @param {Ink} ink @param {number} before how long it was */
  #grow(ink, before) {
    const shown = ink.growth?.shown ?? before;
    const length = lengthOf(ink.points);
    ink.growth = { shown, length, speed: (length - shown) / GROWS, rested: 0 };
    if (ink.path.parentNode !== this.#moving) this.#moving.append(ink.path);
    this.#growing.add(ink);
    writeGrowth(ink);
    this.#s.redraw();
  }

  /** Takes on what grows. One of s.frames. @param {number} now @returns {boolean} whether it goes on */
  step(now) {
    this.#fit();
    const ms = Math.min(now - this.#last, 50);
    this.#last = now;
    for (const ink of this.#growing) {
      const { growth } = ink;
      if (!growth) continue;
      if (growth.shown < growth.length) {
        growth.shown = Math.min(growth.length, growth.shown + growth.speed * ms);
        writeGrowth(ink);
      } else growth.rested += ms;
      if (growth.rested < RESTS) continue;
      ink.growth = null;
      this.#growing.delete(ink);
      writeGrowth(ink);
      this.#lay(ink);
    }
    return this.#growing.size > 0;
  }

  /** The board is as large as the table. */
  #fit() {
    const { width, height } = this.#s.view;
    const size = `${-width / 2} ${-height / 2} ${width} ${height}`;
    if (size === this.#size) return;
    this.#size = size;
    for (const svg of [this.#resting, this.#moving]) svg.setAttribute('viewBox', size);
  }

  // ---- finding, and what the pen shows ----

  /**
   * The strokes at a place, the uppermost first.
   * @param {Point} place @param {number} reach how far they may be off, in units
   * @returns {Ink[]}
   */
  at(place, reach) {
    const found = [];
    for (let i = this.#order.length - 1; i >= 0; i--) {
      const ink = this.inks.get(this.#order[i]);
      if (!ink) continue;
      const r = reach + ink.stroke.width / 2;
      const { left, right, top, bottom } = ink.box;
      if (place.x < left - r || place.x > right + r || place.y < top - r || place.y > bottom + r)
        continue;
      if (distanceTo(ink.points, place) <= r) found.push(ink);
    }
    return found;
  }

  /** A path above all strokes, for one that is being made. @param {Stroke} stroke */
  draft({ colour, width }) {
    const path = element('path', { stroke: css(colour), 'stroke-width': width, 'data-draft': '' });
    this.#moving.append(path);
    return path;
  }

  remove() {
    this.#resting.remove();
    this.#moving.remove();
  }
}

/** Shows a stroke as far as it has grown: as a dash of that length. @param {Ink} ink */
function writeGrowth({ path, growth }) {
  if (growth) {
    path.setAttribute('pathLength', String(growth.length));
    path.setAttribute(
      'stroke-dasharray',
      `${Math.round(growth.shown)} ${Math.ceil(growth.length) + 1}`,
    );
  } else {
    path.removeAttribute('pathLength');
    path.removeAttribute('stroke-dasharray');
  }
}

/**
 * @template {'svg'|'path'} K
 * @param {K} name @param {Record<string, string|number>} attributes
 */
function element(name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  return /** @type {SVGElementTagNameMap[K]} */ (e);
}
