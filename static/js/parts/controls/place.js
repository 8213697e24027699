// Where the toolbar stands: at the lower or the upper edge, or just inside the hands that lie
// there. It covers neither what is selected, nor other bars, hands or pieces. It moves only when
// the selection changes, when this person has put something down, or when the window changes. Hints
// and notices make room for it.

import { isInMyHand } from '../../rights.js';
import { kindOf } from '../../view/catalog.js';
import { isSmall, setAttr } from '../../view/dom.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{box: Box, weight: number}} Obstacle */
/**
 * A place: at the lower or upper edge, in the middle or at a side, and how far inside, in px. In a
 * narrow place the bar does not say how many pieces are selected.
 * @typedef {{edge: string, side: string, inside: number, isNarrow: boolean}} Place
 */
/** @typedef {Place & {box: Box}} Chosen */

/** Free space around the toolbar, in px. */
const GAP = 8;

/** Space for the bars in the lower corners, and at the sides of the upper edge, in px. */
const CORNER = 74;
const SIDE = 14;

/** How far hints of the table's edge reach into it, in px. */
const HINTS = 430;

/** How bad it is to cover a part of what is selected, of another bar, of a hand, of a piece. */
const WEIGHTS = { selected: 4, bar: 3, hand: 1, piece: 0.25 };

/** So many selected pieces are looked at, and so many others. */
const LOOKED_AT = 60;
const OTHERS_LOOKED_AT = 150;

/** The places at the edges, in the order in which they are tried. @type {Place[]} */
const PLACES = [false, true].flatMap((isNarrow) => ['bottom', 'top'].flatMap((edge) =>
  ['middle', 'start', 'end'].map((side) => ({ edge, side, inside: 0, isNarrow }))));

/** The largest part of the window that may be between its edge and the toolbar. */
const DEEPEST = 0.4;

/**
 * Returns a function that places the toolbar after the bars have been drawn.
 * @param {State} s
 * @returns {(pieces: Piece[]) => void}
 */
export function placer(s) {
  const { main, toolbar } = s.page;
  let before = '';
  let carried = false;
  /** @type {Chosen|null} */
  let chosen = null;
  const place = (/** @type {Piece[]} */ pieces) => {
    if (s.input.carry) {
      carried = true;
      return;
    }
    const { w, h } = s.view.camera; // to ask the page would make it lay out everything
    const hand = document.documentElement.style.getPropertyValue('--hand-block-size');
    const key = [
      toolbar.hidden, toolbar.childElementCount, w, h, hand, ...pieces.map((p) => p.id),
    ].join(' ');
    if (key === before && !carried) return;
    before = key;
    carried = false;
    const { style } = main;
    chosen = toolbar.hidden ? null : choose(s, pieces, chosen);
    const isOverHints = chosen && chosen.edge === 'bottom' && isAtHints(chosen.box, main);
    const raised = chosen && isOverHints ? main.clientHeight - chosen.box.top : 0;
    style.setProperty('--hints', `${raised}px`);
    const lowered = chosen?.edge === 'top'
      ? chosen.box.bottom - chosen.box.top + chosen.inside + GAP
      : 0;
    style.setProperty('--notices', `${lowered}px`);
  };
  return (pieces) => queueMicrotask(() => place(pieces));
}

/**
 * Reports whether hints at the lower edge would lie under a box.
 * @param {Box} box
 * @param {HTMLElement} main
 */
function isAtHints({ left, right }, main) {
  if (isSmall()) return true;
  return isMirrored(main) ? right > main.clientWidth - HINTS : left < HINTS;
}

/** Returns whether lines run from right to left. @param {HTMLElement} main */
function isMirrored(main) {
  return getComputedStyle(main).direction === 'rtl';
}

/**
 * Moves the toolbar to the first place at which it covers least. It stays where it is as long as it
 * covers nothing there, or somebody may be about to press one of its buttons.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {Chosen|null} now where it stands; null if it was hidden
 * @returns {Chosen}
 */
function choose(s, pieces, now) {
  const { toolbar } = s.page;
  const isPressed = toolbar.matches(':hover');
  set(toolbar, PLACES[0]);
  const obstacles = obstaclesFor(s, pieces);
  const all = isSmall()
    ? PLACES.filter(({ side, isNarrow }) => side === 'middle' && !isNarrow)
    : PLACES;
  const first = now && (isPressed || now.inside === 0) &&
    all.some(({ side }) => side === now.side) ? now : null;
  if (first && isPressed) {
    const box = boxAt(s, first);
    set(toolbar, first);
    return { ...first, box };
  }
  const inside = isSmall() ? [] : insideHands(s, obstacles);
  const places = [...(first ? [first] : []), ...all, ...inside];
  let best = { ...places[0], box: boxAt(s, places[0]) };
  let least = Infinity;
  for (const place of places) {
    const box = boxAt(s, place);
    const cost = obstacles.reduce((sum, o) => sum + o.weight * overlap(box, o.box), 0);
    if (cost >= least) continue;
    best = { ...place, box };
    least = cost;
  }
  set(toolbar, best);
  return best;
}

/**
 * Returns the places just inside the hands that lie in the middle of an edge.
 * @param {State} s
 * @param {Obstacle[]} obstacles
 * @returns {Place[]}
 */
function insideHands(s, obstacles) {
  const most = s.view.camera.h * DEEPEST;
  return ['bottom', 'top'].flatMap((edge) => {
    const place = { edge, side: 'middle', inside: 0, isNarrow: false };
    const box = boxAt(s, place);
    for (const { box: hand, weight } of obstacles)
      if (weight === WEIGHTS.hand && overlap(box, hand) > 0)
        place.inside = Math.max(
          place.inside, GAP + (edge === 'bottom' ? box.bottom - hand.top : hand.bottom - box.top),
        );
    return place.inside > 0 && place.inside <= most ? [place] : [];
  });
}

/** @param {HTMLElement} toolbar @param {Place} place */
function set(toolbar, { edge, side, inside, isNarrow }) {
  toolbar.classList.toggle('narrow', isNarrow);
  setAttr(toolbar, 'data-edge', edge);
  setAttr(toolbar, 'data-side', side);
  toolbar.style.setProperty('--inside', `${inside}px`);
}

/**
 * Returns where the toolbar would stand. It stands at its first place now.
 * @param {State} s
 * @param {Place} place
 * @returns {Box}
 */
function boxAt({ page: { main, toolbar, bar } }, { edge, side, inside, isNarrow }) {
  const now = toolbar.getBoundingClientRect();
  const count = toolbar.querySelector('.tool-count');
  const width = now.width - (isNarrow && count ? count.getBoundingClientRect().width : 0);
  const isLeft = (side === 'start') !== isMirrored(main);
  const corner = edge === 'bottom' ? CORNER : SIDE;
  const left = side === 'middle'
    ? (main.clientWidth - width) / 2
    : isLeft ? corner : main.clientWidth - corner - width;
  const top = edge === 'bottom'
    ? now.top - inside
    : bar.getBoundingClientRect().bottom + GAP + inside;
  return { left, top, right: left + width, bottom: top + now.height };
}

/**
 * Returns what the toolbar should not cover. A small screen shows this person's hand a second time,
 * at the lower edge, and the bar above it.
 * @param {State} s
 * @param {Piece[]} pieces
 * @returns {Obstacle[]}
 */
function obstaclesFor(s, pieces) {
  const { page: { main }, view } = s;
  const of = (/** @type {Iterable<Element>} */ all, /** @type {number} */ weight) =>
    [...all].map((e) => ({ box: e.getBoundingClientRect(), weight }));
  const looked = pieces.filter((p) => !isSmall() || !isInMyHand(s, p)).slice(0, LOOKED_AT);
  const selected = of(looked.flatMap((p) => view.shown.get(p.id)?.el ?? []), WEIGHTS.selected);
  if (isSmall()) return selected;
  const others = [...s.sync.pieces.values()]
    .filter((p) => kindOf(s, p).weight === 'light' && !pieces.includes(p))
    .slice(0, OTHERS_LOOKED_AT);
  return [
    ...selected,
    ...of(others.flatMap((p) => view.shown.get(p.id)?.el ?? []), WEIGHTS.piece),
    ...of(main.querySelectorAll(':scope > :is(.viewbar, aside, .panel)'), WEIGHTS.bar),
    ...of(main.querySelectorAll('.hand.owned'), WEIGHTS.hand),
  ];
}

/** Returns the area that two boxes share. @param {Box} a @param {Box} b */
function overlap(a, b) {
  const w = Math.min(a.right, b.right + GAP) - Math.max(a.left, b.left - GAP);
  const h = Math.min(a.bottom, b.bottom + GAP) - Math.max(a.top, b.top - GAP);
  return w > 0 && h > 0 ? w * h : 0;
}
