// Presses a button that is being edited, as anybody at the table does.

import { explain } from '../../../reasons.js';
import { waitWhile } from '../../../wait.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('../../../bars/say.js').Voice} Voice */

/** For how long a button that was put down may take to come to the table, in ms. */
const SOON = 2000;
const LATE = 5000;

/**
 * Presses a button of a kind, as soon as one lies on the table. If none comes, it is put there.
 * @param {State} s
 * @param {Voice} voice
 * @param {number} kind
 */
export async function press(s, voice, kind) {
  const find = () => [...s.sync.pieces.values()].find((piece) => piece.kind === kind);
  const [abilities, dialogs] = await Promise.all([s.load('abilities'), s.load('dialogs')]);
  await waitWhile(() => !find(), SOON);
  if (!find()) dialogs.addPiece(s, kind);
  await waitWhile(() => !find(), LATE);
  const piece = find();
  const run = piece && abilities.actionsOffered(s, [piece]).find(({ op }) => op === 'run');
  if (!run) return;
  const no = run.why?.(s, [piece]);
  if (no) explain(s, no, voice);
  else run.run(s, [piece], voice);
}
