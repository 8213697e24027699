// The settings of the table, as the replica of components has them (docs/protocol/component.md, C14), and setting them.

import { sharedOf } from '../../parts.js';

/** @typedef {import('../../state.js').State} State */

/** What the settings hold, by what the registry calls them. */
/** @typedef {{title: {text: string}, surface: import('../components/registry.js').Surface, size: import('../components/registry.js').Size,
 *   grid: import('../components/registry.js').Grid, links: import('../components/registry.js').Links}} Settings */

/** @typedef {keyof Settings} Name */

/**
 * A setting; null if nobody has set it, and what the game says holds.
 * @template {Name} N
 * @param {State} s @param {N} name
 * @returns {Settings[N]|null}
 */
export function of(s, name) {
  const shared = sharedOf(s);
  return shared.replica.get(shared.entities.TABLE, componentOf(shared, name));
}

/**
 * Sets it, for everybody.
 * @template {Name} N
 * @param {State} s @param {N} name @param {Settings[N]|null} value null: as the game says
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

/** Whether what is set is not, or not surely, known to the others. @param {State} s @param {Name} name */
export function isPending(s, name) {
  const { replica, entities, COMPONENTS } = sharedOf(s);
  return replica.pending(entities.TABLE, COMPONENTS[name]);
}
