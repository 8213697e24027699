// The messages that every table needs.

import core from '../messages/en/core.json' with { type: 'json' };
import { messages } from './messages.js';

/** @typedef {import('./messages.js').Message} Message */
/** @typedef {import('./messages.js').Args} Args */
/** @template T @typedef {import('./messages.js').Id<T>} Id */
/** @typedef {Id<typeof core>} CoreId */

export const msg = messages(core);

/**
 * Loads the messages of a part, and returns the function that gives these and those of the core.
 * @type {<T extends Record<string, Message>>(file: T) =>
 *   (id: Id<T> | CoreId, args?: Args) => string}
 */
export const part = messages;
