// The bar of the ruler: it shows the result, or why there is no answer, and has a button that puts
// the ruler away.

import { el, setAttr, setText } from '../../view/dom.js';
import { msg } from './msg.js';
import { button } from '../../bars/buttons.js';

/** Makes the bar. @param {{again: () => void, done: () => void}} actions */
export function createRulerbar(actions) {
  const says = el('p', { class: 'rulerbar-says' });
  const note = el('p', { class: 'rulerbar-note' });
  const again = el(
    'button',
    { class: 'secondary', hidden: true, onclick: actions.again },
    msg('ruler.again'),
  );
  const done = button('close', msg('ruler.done'), 'Esc', actions.done);
  const text = el('div', { class: 'rulerbar-text' }, says, note);
  const root = el(
    'div',
    { class: 'rulerbar', role: 'group', 'aria-label': msg('ruler.label') },
    text,
    again,
    done,
  );
  return {
    root,
    /** @param {{says: string, note: string, phase: string, mayAsk: boolean}} now */
    draw(now) {
      setAttr(root, 'data-ruler', now.phase);
      setText(says, now.says);
      setText(note, now.note);
      if (!now.mayAsk && document.activeElement === again) done.focus({ preventScroll: true });
      again.hidden = !now.mayAsk;
    },
  };
}
