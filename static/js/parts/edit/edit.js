// The part of the page for the editor of the game (T99): its panel, with a tab for each thing that
// can be edited, and the pictures that somebody drops or pastes. It is loaded when this person
// edits the game.

import { all, isSmall } from '../../view/dom.js';
import { addIcons } from '../../view/icons.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';
import { leaveSide, standBeside } from '../../view/camera.js';
import { use } from '../../parts.js';
import { waitWhile } from '../../wait.js';
import { bindFiles } from './files.js';
import { createPanel } from './panel.js';
import { letEdit } from './send.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

addIcons({
  back: 'M15 5l-7 7 7 7',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 8.5v.1',
});

/** For how long the stream may take to say that somebody edits, in ms. */
const LATE = 5000;

/** The panel; null before it has been opened. @type {ReturnType<typeof createPanel>|null} */
let panel = null;

/** Closes the panel. */
let close = () => {};

/** The element that had the focus when the panel was opened. @type {HTMLElement|null} */
let before = null;

/** @param {State} s @param {Voice} voice @returns {() => void} stops */
export function bind(s, voice) {
  return all(
    bindFiles(() => edits(s), (...files) => open(s, voice, (is) => is.takeFile(...files))),
    drawWithBars(s, () => {
      if (!edits(s)) shut(s);
    }),
    () => panel?.root.remove(),
  );
}

/** Returns whether this person edits the game (T99). @param {State} s */
const edits = (s) => !!s.sync.seats.get(s.sync.you)?.editsBy;

/** Returns whether the panel is open. */
export function isOpen() {
  return panel !== null && !panel.root.hidden;
}

/** Opens the editor; a host begins to edit with that. @param {State} s @param {Voice} voice */
export async function start(s, voice) {
  if (!edits(s)) {
    const problem = await letEdit(s, true);
    if (problem !== null) {
      voice.alarm(problem);
      return;
    }
    await waitWhile(() => !edits(s), LATE);
  }
  open(s, voice, (is) => is.focus());
}

/** This person does not edit any more. @param {State} s @param {Voice} voice */
export async function end(s, voice) {
  const problem = await letEdit(s, false);
  if (problem === null) shut(s);
  else voice.alarm(problem);
}

/** Opens or closes the panel. @param {State} s @param {Voice} voice */
export function toggle(s, voice) {
  if (isOpen()) shut(s);
  else void start(s, voice);
}

/**
 * Opens the panel. It lies where the log lies, and looks like it, which is closed then.
 * @param {State} s
 * @param {Voice} voice
 * @param {(panel: ReturnType<typeof createPanel>) => void} then
 */
function open(s, voice, then) {
  use(s, voice, 'log', () => use(s, voice, 'dialogs', () => {
    if (!panel) {
      close = () => shut(s);
      panel = createPanel(s, voice, {
        close,
        end: () => void end(s, voice),
        undo: () => use(s, voice, 'undo', (part) => void part.undo(s, voice)),
        put: () => isSmall() && shut(s), // there the panel lies over the new piece
      });
      s.page.main.after(panel.root);
    }
    if (panel.root.hidden) {
      standBeside(s, 'logged', close);
      before = /** @type {HTMLElement|null} */ (document.activeElement);
      panel.root.hidden = false;
      redrawBars(s);
    }
    panel.draw();
    then(panel);
  }));
}

/** Closes the panel, if it is open. @param {State} s */
export function shut(s) {
  if (!panel || panel.root.hidden) return;
  panel.root.hidden = true;
  leaveSide(s, 'logged', close);
  redrawBars(s);
  if (before?.isConnected) before.focus({ preventScroll: true });
}

