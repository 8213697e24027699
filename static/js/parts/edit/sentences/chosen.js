// The button that is chosen at the table, or was pressed last: the editor offers to change what it
// does.

import { el, setText } from '../../../view/dom.js';
import { onDone } from '../../../listeners.js';
import { kindAt } from '../../../view/catalog.js';
import { icon } from '../../../view/icons.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */

/**
 * Makes what offers it, hidden while nothing of that sort is chosen.
 * @param {State} s
 * @param {(kind: number) => void} take
 */
export function createChosen(s, take) {
  let kind = -1;
  const label = el('span');
  const button = el('button', {
    class: 'secondary edit-chosen', hidden: true, onclick: () => take(kind),
  }, icon('edit'), label);
  const draw = () => {
    const { selection, focus } = s.input;
    const [id, ...others] = selection.size > 0 ? selection : [focus];
    const piece = others.length > 0 ? undefined : s.sync.pieces.get(id);
    const of = piece && kindAt(s.catalog, piece.kind);
    button.hidden = !of?.button;
    if (!piece || !of?.button) return;
    ({ kind } = piece);
    setText(label, msg('sentences.changeIt', { name: of.name }));
  };
  onDone(s, draw);
  return { button, draw };
}
