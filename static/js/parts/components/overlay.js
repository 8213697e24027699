// Puts the title, surface and size that a host has written (docs/protocol/component.md, C14) over
// what the server sent when the page connected.

import { COMPONENTS } from './registry.js';
import { TABLE } from './entities.js';
import { onFull } from '../../outcome.js';
import { redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').TableInfo} TableInfo */

/**
 * Connects the replica with the data of the table.
 * @param {State} s
 * @param {import('./replica.js').PageReplica} replica
 * @returns {() => void} applies the components; call it when the server has sent the data of the
 *   table or a component of the table has changed
 */
export function overlay(s, replica) {
  let said = s.sync.info;
  /** The result of the last call. @type {TableInfo|null} */
  let made = null;
  return () => {
    const { info } = s.sync;
    if (info !== made) said = info;
    if (!info || !said) return;
    const { width, height } = replica.get(TABLE, COMPONENTS.size) ?? said;
    const title = replica.get(TABLE, COMPONENTS.title)?.text || said.title;
    const surface = replica.get(TABLE, COMPONENTS.surface)?.name || said.surface;
    if (
      title === info.title &&
      surface === info.surface &&
      width === info.width &&
      height === info.height
    )
      return;
    made = { ...said, title, surface, width, height };
    s.sync.info = made;
    onFull(s);
    redrawBars(s);
  };
}
