// Says that the log of the table is filling up (T44), and what a host can do about it. It is loaded
// with the first warning.

import { el, setText } from '../../view/dom.js';
import { use } from '../../parts.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { hosts } from '../../rights.js';
import { nickOf } from '../../view/names.js';
import { drawWithBars } from '../../bars/state.js';
import { onEvent } from '../../listeners.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/** The highest level of T44: nothing can be changed any more. */
const FULL = 3;

/**
 * Shows the warnings.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  const text = el('span', { class: 'banner-text' });
  const open = () => use(s, voice, 'settings', (tabletop) => tabletop.openTable(s, voice));
  const settingsButton = el(
    'button', { class: 'secondary', onclick: open }, msg('space.door'),
  );
  const done = el('button', { class: 'secondary' }, msg('space.done'));
  const line = el('div', { class: 'banner space', role: 'status' }, text, settingsButton, done);
  let seen = 0; // the level that this person has acknowledged
  const draw = () => {
    const level = s.sync.space?.level ?? 0;
    line.hidden = level <= seen;
    if (level === 0) seen = 0;
    settingsButton.hidden = !hosts(s);
    const sentence = sentenceOf(level, hosts(s));
    if (!line.hidden && text.textContent !== sentence) setText(text, sentence);
  };
  done.addEventListener('click', () => {
    seen = s.sync.space?.level ?? 0;
    draw();
  });
  s.page.banner.after(line);
  drawWithBars(s, draw);
  const hear = (/** @type {import('../../types.js').SpaceEvent|null} */ event) => {
    if (event?.dropped)
      voice.notice(droppedSentence(event.dropped === s.sync.you ? '' : nickOf(s, event.dropped)));
    if (event) draw();
  };
  onEvent(s, (event) => {
    if (event.type === 'space') hear(event);
  });
  hear(s.sync.space);
  return () => line.remove();
}

/**
 * Returns the sentence for history that somebody has dropped; '' stands for this person.
 * @param {string} nick
 */
export function droppedSentence(nick) {
  return nick ? msg('space.dropped', { nick }) : msg('space.droppedByYou');
}

/**
 * Returns the sentence for a level; '' if nothing has to be said.
 * @param {number} level
 * @param {boolean} host
 */
export function sentenceOf(level, host) {
  const sentence = firstMessage([`space.levels.${Math.min(level, FULL)}`]);
  if (!sentence) return '';
  return host ? `${sentence} ${msg('space.host')}` : `${sentence} ${msg('space.player')}`;
}
