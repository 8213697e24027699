// What the page knows of its streams beside what `s.net` says.

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Outcome} Outcome */

/**
 * Only this module writes it. Others may read it.
 * @typedef {object} Connection
 * @property {import('../types.js').Going|null} going what the server has said of the end of the
 *   stream; null if it has said nothing
 * @property {number} synchronisations how many times a stream was synchronised
 */

/** @returns {Connection} */
export function createConnection() {
  return { going: null, synchronisations: 0 };
}

/** Takes over what a frame says. @param {State} s @param {Outcome} outcome */
export function noteStream({ connection }, { full, resumed, going }) {
  if (full || resumed) connection.synchronisations++;
  if (going) connection.going = going;
}
