// Switches in the bars of tools. What this person has switched off stays off in this browser.

import { icon } from '../../view/icons.js';
import { nameTool, viewTool } from './viewtool.js';

/** @typedef {import('../../state.js').State} State */

/**
 * A switch. `key` is that of the browser's store under which "off" is kept.
 * @typedef {object} Switch
 * @property {string} key
 * @property {() => boolean} isOff
 * @property {(isOff: boolean) => void} set does what is asked for
 * @property {(isOff: boolean) => string} picture
 * @property {(isOff: boolean) => import('./viewtool.js').Says} says
 * @property {Element|null} [before] the button of a bar before which it stands; missing: the last
 *   one of the bar of the view
 */

/** Adds a switch to a bar. @param {State} s @param {Switch} of */
export function addSwitch(s, { key, isOff, set, picture, says, before }) {
  const toggle = () => {
    remember(key, !isOff());
    set(!isOff());
    show();
  };
  const button = viewTool(picture(isOff()), says(isOff()), '', toggle);
  const show = () => {
    button.querySelector('svg')?.replaceWith(icon(picture(isOff())));
    nameTool(button, says(isOff()));
  };
  button.tabIndex = -1; // arrow keys reach it from the other buttons of the bar
  (before ?? s.page.viewbar.lastElementChild)?.before(button);
}

/** Returns whether something was switched off. @param {string} key */
export function wasOff(key) {
  try {
    return localStorage.getItem(key) === '1';
  } catch {
    return false; // the page may not use the store
  }
}

/** @param {string} key @param {boolean} isOff */
function remember(key, isOff) {
  try {
    if (isOff) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    // it is on again after a reload
  }
}
