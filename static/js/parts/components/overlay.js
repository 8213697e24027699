// What the host has written of the table as a whole holds over what the server said of it when the page came: title, surface and size
// (docs/protocol/component.md, C14).

import { COMPONENTS } from './registry.js';
import { TABLE } from './entities.js';
import { onFull } from '../../outcome.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').TableInfo} TableInfo */

/**
 * @param {State} s @param {import('./replica.js').PageReplica} replica
 * @returns {() => void} does it: to be called when the server has said something, or something was written
 */
export function overlay(s, replica) {
  let said = s.sync.info;
  /** What was made of it. @type {TableInfo|null} */
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
    s.dirtyBars = true;
    s.redraw();
  };
}
