// Reads and writes the settings of the table in the replica of components
// (docs/protocol/component.md, C14).

import { sharedOf } from '../../parts.js';

/** @typedef {import('../../state.js').State} State */

/** The messages of the settings, by their names in the registry. */
/**
 * @typedef {{title: {text: string}, surface: import('../components/registry.js').Surface, size:
 *   import('../components/registry.js').Size, grid: import('../components/registry.js').Grid,
 *   links: import('../components/registry.js').Links,
 *   recall: import('../components/registry.js').Recall,
 *   access: import('../components/registry.js').Access,
 *   voice: import('../components/registry.js').Voice,
 *   undo: import('../components/registry.js').Undo,
 *   chat: import('../components/registry.js').Chat, recording:
 *   import('../components/registry.js').Recording, foreign:
 *   import('../components/registry.js').Foreign}} Settings
 */

/** @typedef {keyof Settings} Name */

/**
 * Returns a setting; null if nobody has set it. Then the value of the game applies.
 * @template {Name} N
 * @param {State} s
 * @param {N} name
 * @returns {Settings[N]|null}
 */
export function of(s, name) {
  const shared = sharedOf(s);
  return shared.replica.get(shared.entities.TABLE, componentOf(shared, name));
}

/**
 * Sets a setting, for everybody.
 * @template {Name} N
 * @param {State} s
 * @param {N} name
 * @param {Settings[N]|null} value null: remove it, so that the value of the game applies
 */
export function set(s, name, value) {
  const shared = sharedOf(s);
  const component = componentOf(shared, name);
  if (value) shared.replica.put(shared.entities.TABLE, component, value);
  else shared.replica.remove(shared.entities.TABLE, component);
}

/**
 * @template {Name} N
 * @param {import('../../parts.js').Part<'components'>} shared @param {N} name
 */
function componentOf({ COMPONENTS }, name) {
  return /** @type {import('../components/registry.js').Component<Settings[N]>} */ (
    /** @type {unknown} */ (COMPONENTS[name])
  );
}

/**
 * Returns whether the others may not know the current setting yet.
 * @param {State} s
 * @param {Name} name
 */
export function isPending(s, name) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.pending(entities.TABLE, COMPONENTS[name]);
}
