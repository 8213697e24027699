// The one state of the page, by owner. Each folder creates its own part of it, and only that folder
// writes it: see the `state.js` of the folder. A field without a folder is documented here.

import { createBars } from './bars/state.js';
import { emptyCatalog } from './view/catalog.js';
import { createConnection } from './net/state.js';
import { createInput } from './input/state.js';
import { createListeners } from './listeners.js';
import { noParts, noPartState } from './parts.js';
import { createPending } from './input/pending.js';
import { createRelay } from './relay/state.js';
import { createView } from './view/state.js';

/** @typedef {import('./types.js').Sync} Sync */
/** @typedef {import('./types.js').Net} Net */

/**
 * @typedef {object} State
 * @property {string} table id, 32 hexadecimal digits
 * @property {string} api address of the table's resources, without a slash at the end
 * @property {string} art address of the art, with a slash at the end
 * @property {import('./page.js').Page} page
 * @property {Sync} sync the displayed state of the table
 * @property {Net} net main.js sets it before anything is bound
 * @property {import('./view/catalog.js').Catalog} catalog empty until main.js has loaded it
 * @property {boolean} isReplay whether the page shows the past (T73), and nothing on it changes the
 *   table
 * @property {boolean} ready whether the table and its catalogue are loaded; main.js sets it
 * @property {boolean} shown whether the table has been painted; main.js sets it
 * @property {import('./net/state.js').Connection} connection
 * @property {import('./view/state.js').View} view
 * @property {import('./input/state.js').Input} input
 * @property {import('./input/pending.js').Pending} pending
 * @property {import('./bars/state.js').Bars} bars
 * @property {import('./relay/state.js').Relay} relay
 * @property {import('./listeners.js').Listeners} listeners
 * @property {import('./parts.js').Parts} parts the loaded parts; parts.js writes it
 * @property {import('./parts.js').PartState} partState the state of the loaded parts
 * @property {import('./parts.js').Load} load loads a part; rejects if that fails. parts.js sets it.
 * @property {() => void} redraw asks for a frame. view/render.js sets it.
 */

/**
 * @param {Pick<State, 'table'|'api'|'art'|'page'|'sync'> & {isReplay?: boolean}} given
 * @returns {State}
 */
export function createState(given) {
  return {
    isReplay: false,
    ...given,
    net: /** @type {Net} */ (/** @type {unknown} */ (null)),
    catalog: emptyCatalog(given.art),
    ready: false,
    shown: false,
    connection: createConnection(),
    view: createView(given.sync),
    input: createInput(),
    pending: createPending(),
    bars: createBars(),
    relay: createRelay(),
    listeners: createListeners(),
    parts: noParts(),
    partState: noPartState(),
    load: () => Promise.reject(new Error('nothing can be loaded yet')),
    redraw: () => {},
  };
}
