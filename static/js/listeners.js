// Calls parts of the page when something happens that concerns pieces which they keep.

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').SyncEvent} SyncEvent */

/**
 * Called with what this page has just done to a piece, and displays.
 * @typedef {(id: number, op: string, args: import('./types.js').Args) => void} Done
 */

/**
 * @typedef {object} Listeners
 * @property {Array<(from: number, to: number) => void>} renamed
 * @property {Array<(event: SyncEvent) => void>} events
 * @property {Array<Done>} done
 * @property {Array<() => void>} full
 */

/** @returns {Listeners} */
export function createListeners() {
  return { renamed: [], events: [], done: [], full: [] };
}

/**
 * Calls a function when a piece gets another identifier (T21).
 * @param {State} s
 * @param {(from: number, to: number) => void} listener
 * @returns {() => void} stops that
 */
export function onRename({ listeners: { renamed } }, listener) {
  renamed.push(listener);
  return () => void renamed.splice(renamed.indexOf(listener), 1);
}

/**
 * Calls a function for each event of a frame, in order, when the state has taken in the whole
 * frame.
 * @param {State} s
 * @param {(event: SyncEvent) => void} listener
 */
export function onEvent({ listeners: { events } }, listener) {
  events.push(listener);
}

/**
 * Calls a function when a full state has replaced what the page knew (S5).
 * @param {State} s
 * @param {() => void} listener
 */
export function onFullState({ listeners: { full } }, listener) {
  full.push(listener);
}

/**
 * Calls a function for each update that this page asks for.
 * @param {State} s
 * @param {Done} listener
 */
export function onDone({ listeners: { done } }, listener) {
  done.push(listener);
}

/**
 * Says that this page has asked for an update.
 * @param {State} s
 * @param {number} id 0: of no piece
 * @param {string} op
 * @param {import('./types.js').Args} args
 */
export function noteDone({ listeners: { done } }, id, op, args) {
  for (const listen of done) listen(id, op, args);
}
