// The state of bars/: toolbar, people and banner. Only bars/ writes it. Others call the functions
// below, and may read `hidesArrows`, `isQuiet` and `unread`.

/** @typedef {import('../state.js').State} State */

/**
 * @typedef {object} Bars
 * @property {boolean} dirty whether the next frame draws the bars
 * @property {Array<(s: State) => void>} draw what draws them
 * @property {Map<number, ReturnType<typeof setTimeout>>} lostTimers seats that have just lost their
 *   connection, with the timer that announces it
 * @property {Set<number>} joined seats of whose coming nothing is said: they were just taken and
 *   nobody has used them yet, or their people come back after a rewind
 * @property {boolean} hidesArrows whether the cursors of others are hidden
 * @property {boolean} isQuiet whether this person wants no sounds
 * @property {boolean} isStill whether this person wants no vibration
 * @property {Set<number>|null} muted whom this person does not hear (muted.js); null: not read yet
 * @property {number} unread lines of chat that came while the log was closed
 */

/** @returns {Bars} */
export function createBars() {
  return {
    dirty: true, draw: [], lostTimers: new Map(), joined: new Set(), hidesArrows: false,
    isQuiet: false, isStill: false, muted: null, unread: 0,
  };
}

/** Hides or shows the cursors of others. @param {State} s @param {boolean} hides */
export function hideArrows(s, hides) {
  s.bars.hidesArrows = hides;
}

/** Stores whether this person wants no sounds. @param {State} s @param {boolean} isQuiet */
export function beQuiet(s, isQuiet) {
  s.bars.isQuiet = isQuiet;
}

/** Stores whether this person wants no vibration. @param {State} s @param {boolean} isStill */
export function beStill(s, isStill) {
  s.bars.isStill = isStill;
}

/** A line of chat has come while the log was closed. @param {State} s */
export function noteUnread(s) {
  s.bars.unread++;
  redrawBars(s);
}

/** This person has opened the log. @param {State} s */
export function noteRead(s) {
  s.bars.unread = 0;
  redrawBars(s);
}

/** Marks the bars to be drawn in the next frame. @param {State} s */
export function invalidateBars(s) {
  s.bars.dirty = true;
}

/** Draws the bars, in the next frame. @param {State} s */
export function redrawBars(s) {
  s.bars.dirty = true;
  s.redraw();
}

/**
 * Calls a function whenever the bars are drawn.
 * @param {State} s
 * @param {(s: State) => void} draw
 * @returns {() => void} stops that
 */
export function drawWithBars(s, draw) {
  s.bars.draw.push(draw);
  return () => void s.bars.draw.splice(s.bars.draw.indexOf(draw), 1);
}

/** Draws the bars if they have changed. Only render() calls this. @param {State} s */
export function drawBars(s) {
  if (!s.bars.dirty) return;
  s.bars.dirty = false;
  for (const draw of s.bars.draw) draw(s);
}
