// Calls parts of the page when something happens that concerns pieces which they keep.

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./types.js').SyncEvent} SyncEvent */

/**
 * @typedef {object} Listeners
 * @property {Array<(from: number, to: number) => void>} renamed
 * @property {Array<(event: SyncEvent) => void>} events
 */

/** @returns {Listeners} */
export function createListeners() {
  return { renamed: [], events: [] };
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
