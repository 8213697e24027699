// Joins the table page to what it does for fairness, and tells of rounds: that one has begun, and that one can be checked.

import { all, on } from './dom.js';
import { browserDeps, createFairness } from './fairness.js';
import { plays } from './state.js';
import { strings } from './strings.js';
import { bindSuggestion } from './suggestion.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./fairness.js').News} News */

/**
 * Contributes and takes notes while the page is there.
 * @param {State} s @param {import('./say.js').Voice} voice
 * @returns {{ receive: ReturnType<typeof createFairness>['receive'], stop: () => void }}
 */
export function bindFairness(s, voice) {
  const suggestion = bindSuggestion(s, voice);
  const fairness = createFairness({
    table: s.table,
    sync: s.sync,
    plays: () => plays(s),
    send: (up) => s.net.send(up),
    tell: (news) => {
      if (news.type === 'contradiction') voice.alarm(strings.fairness.contradiction);
      else if (news.type === 'untouched') suggestion.offer(news.is);
      else voice.notice(sentenceOf(news));
    },
    deps: browserDeps(),
  });
  return {
    receive: fairness.receive,
    stop: all(
      on(window, 'pagehide', fairness.keep),
      on(document, 'visibilitychange', fairness.keep), // on a phone it may be the last that a page hears
      fairness.stop,
      suggestion.stop,
    ),
  };
}

/** @param {News & { type: 'rounds' }} news */
function sentenceOf({ opened, told }) {
  const t = strings.fairness;
  return [opened > 0 && t.opened, told.length > 0 ? t.told(told) : t.waits].filter(Boolean).join(' ');
}
