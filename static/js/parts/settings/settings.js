// The part of the page for the settings of the table (docs/protocol/component.md, C14): it shows
// what hosts have set, and lets them set it. It is loaded when something has been set, or when
// somebody opens the dialog.

import { nearest, NONE, tileOf } from './cells.js';
import { css } from '../../view/colour.js';
import { all, el, setAttr } from '../../view/dom.js';
import { UNITS, turned } from '../../view/geometry.js';
import { addIcons, icon } from '../../view/icons.js';
import { takerOf } from '../../sync/kinds.js';
import { use } from '../../parts.js';
import { linksOf } from './links.js';
import { refreshSettings, showSettings } from './dialog.js';
import { isPending, of } from './components.js';
import { isOpenToPrograms } from './programs.js';
import { accessOf, accessSentence, drawAccess } from './access.js';
import { chatRules } from './chat.js';
import { playersRecall } from './recall.js';
import { undoConsent } from '../../rights.js';
import { voiceOf } from './voice.js';
import { isRecorded } from './recording.js';
import { msg } from './msg.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

export { voiceOf };

const SVG = 'http://www.w3.org/2000/svg';

addIcons({
  link:
    'M10 14a4.2 4.2 0 0 0 6 0l3.2-3.2a4.2 4.2 0 0 0-6-6L12 6' +
    'M14 10a4.2 4.2 0 0 0-6 0l-3.2 3.2a4.2 4.2 0 0 0 6 6L12 18',
});

/**
 * The settings whose changes by others are announced to screen readers.
 * @type {import('./components.js').Name[]}
 */
const ANNOUNCED = [
  'surface', 'size', 'grid', 'links', 'recall', 'undo', 'recording', 'foreign', 'access', 'voice',
];

/**
 * Shows the settings.
 * @param {State} s
 * @param {Voice} voice
 * @param {import('../../parts.js').Part<'components'>} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, { replica, entities }) {
  const layer = cellsLayer();
  s.page.surface.append(layer.root);
  /**
   * The value of each setting that was shown last, as a text to compare.
   * @type {Map<string, string>}
   */
  const known = new Map();
  const changedIn = () => ANNOUNCED.filter((name) => {
    const now = JSON.stringify(of(s, name));
    const is = known.get(name) !== now;
    known.set(name, now);
    return is;
  });
  const draw = () => {
    drawSurface(s);
    layer.draw(s);
    drawLinks(s);
    drawAccess(s);
    refreshSettings();
  };
  changedIn();
  let wasFrozen = false;
  const tellFreeze = () => {
    if (accessOf(s).frozen === wasFrozen) return;
    wasFrozen = !wasFrozen;
    voice.notice(msg(wasFrozen ? 'settings.told.frozen' : 'settings.told.moves'));
  };
  tellFreeze();
  drawWithBars(s, draw);
  const unfollow = replica.listen((changes) => {
    if (!changes.has(entities.TABLE)) return;
    const told = changedIn().filter((name) => !isPending(s, name)).map((name) => sentence(s, name));
    if (told.length > 0) voice.whisper(told.join(' '));
    tellFreeze();
    redrawBars(s);
  });
  return all(unfollow, () => layer.root.remove());
}

/** Opens the dialog of the table. @param {State} s @param {Voice} voice */
export function openTable(s, voice) {
  use(s, voice, 'dialogs', (dialogs) => showSettings(s, voice, dialogs));
}

/**
 * Returns the place of a piece that is put down: the middle of a cell, if pieces snap. A piece that
 * goes into a hand or a container does not snap, and neither does a heavy one, such as a board, a
 * deck or a hand.
 * @param {State} s
 * @param {Piece} piece
 * @param {Point} at where it is put down, in units
 * @returns {Point|null} null if it does not snap
 */
export function snapped(s, piece, at) {
  const grid = of(s, 'grid');
  if (!grid?.snap || s.view.shown.get(piece.id)?.heavy) return null;
  const taker = takerOf(s, { ...piece, ...at }, 'release');
  if (taker && (taker.into !== 0 || taker.owner !== 0)) return null;
  if (!taker && piece.owner !== 0) return null; // it stays in its hand
  return nearest(grid, at, s.view.camera);
}

/**
 * Returns the centre of the cell of the table's grid that is next to a place, in a direction as
 * this person sees the table; null if pieces do not snap, or if there is no such cell.
 * @param {State} s
 * @param {import('../../view/geometry.js').Point} at
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 */
export function nextTo(s, at, dx, dy) {
  const grid = of(s, 'grid');
  if (!grid?.snap) return null;
  const { camera } = s.view;
  const here = nearest(grid, at, camera);
  const v = turned(dx * grid.pitch, dy * grid.pitch, -camera.turn);
  const next = here && nearest(grid, { x: here.x + v.x, y: here.y + v.y }, camera);
  return next && (next.x !== here.x || next.y !== here.y) ? next : null;
}

/** @param {State} s */
function drawSurface(s) {
  const colour = of(s, 'surface')?.colour;
  const { surface } = s.page;
  surface.classList.toggle('coloured', colour !== undefined);
  if (colour !== undefined) surface.style.setProperty('--own-surface', css(colour));
}

/** Makes the layer of the grid: a picture that repeats on the surface, below all pieces. */
function cellsLayer() {
  const make = (
    /** @type {string} */ name,
    /** @type {Record<string, string>} */ attributes,
    /** @type {Element[]} */ ...children
  ) => {
    const e = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };
  const shade = make('path', { class: 'shade' });
  const line = make('path', {});
  const pattern = make('pattern', { id: 'cells', patternUnits: 'userSpaceOnUse' }, shade, line);
  const area = make('rect', { fill: 'url(#cells)' });
  const root = make(
    'svg',
    { class: 'cells', 'aria-hidden': 'true', hidden: '' }, // until it is drawn
    make('defs', {}, pattern),
    area,
  );
  let drawn = '';
  const draw = (/** @type {State} */ s) => {
    const grid = of(s, 'grid');
    const { width, height } = s.view.camera;
    const key = JSON.stringify([grid, width, height]);
    if (key === drawn) return;
    drawn = key;
    root.toggleAttribute('hidden', !grid || grid.form === NONE);
    if (!grid || grid.form === NONE) return;
    const tile = tileOf(grid);
    const mm = (/** @type {number} */ units) => String(units / UNITS);
    setAttr(root, 'viewBox', [-width / 2, -height / 2, width, height].map(mm).join(' '));
    for (const [name, value] of Object.entries({
      x: grid.x,
      y: grid.y,
      width: tile.width,
      height: tile.height,
    }))
      setAttr(pattern, name, mm(value));
    for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height }))
      setAttr(area, name, mm(value));
    setAttr(pattern, 'viewBox', `0 0 ${tile.width} ${tile.height}`);
    for (const path of [shade, line]) setAttr(path, 'd', tile.path);
  };
  return { root, draw };
}

/** Shows the number of links beside the title. @param {State} s */
function drawLinks(s) {
  const button = s.page.title.querySelector('button');
  const n = linksOf(s).length;
  const old = button?.querySelector('.title-links:not(.title-access)');
  if (!button || n === 0) old?.remove();
  else if (old?.getAttribute('data-links') !== String(n)) {
    old?.remove();
    button.append(
      el(
        'span',
        { class: 'title-links', 'data-links': n },
        icon('link'),
        String(n),
        el('span', { class: 'unseen' }, msg('settings.links')),
      ),
    );
  }
}

/**
 * Describes a setting that has changed.
 * @param {State} s
 * @param {import('./components.js').Name} name
 */
function sentence(s, name) {
  switch (name) {
    case 'surface':
      return msg('settings.told.surface');
    case 'size':
      return msg('settings.told.size');
    case 'grid':
      return (of(s, 'grid')?.form ?? NONE) === NONE
        ? msg('settings.told.noGrid')
        : msg('settings.told.grid');
    case 'recall':
      return msg(playersRecall(s) ? 'settings.told.recall' : 'settings.told.noRecall');
    case 'undo':
      return msg(`settings.told.undo.${undoConsent(s)}`);
    case 'access':
      return accessSentence(s);
    case 'voice':
      return msg(voiceOf(s) ? 'settings.told.voice' : 'settings.told.noVoice');
    case 'chat':
      return msg(chatRules(s).silent ? 'settings.told.chatSilent' : 'settings.told.chat');
    case 'recording':
      return msg(isRecorded(s) ? 'settings.told.recording' : 'settings.told.notRecording');
    case 'foreign':
      return msg(isOpenToPrograms(s) ? 'settings.told.programs' : 'settings.told.noPrograms');
    default:
      return msg('settings.told.links', { n: linksOf(s).length });
  }
}
