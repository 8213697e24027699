// Connects the table's page to its part in fairness, and announces when a round has begun and when
// one can be checked.

import { all, on, SMALL } from '../../view/dom.js';
import { browserDeps, createFairness } from './participant.js';
import { plays } from '../../rights.js';
import { msg } from './msg.js';
import { list } from '../../messages.js';
import { bindSuggestion } from './suggestion.js';

export { sha256 } from './sha256.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./participant.js').News} News */

/**
 * Contributes and takes notes while the page is open (S17).
 * @param {State} s
 * @param {import('../../bars/say.js').Voice} voice
 * @returns {() => void} stops
 */
export function bind(s, voice) {
  const suggestion = bindSuggestion(s, voice);
  const fairness = createFairness({
    table: s.table,
    sync: s.sync,
    plays: () => plays(s),
    send: (up) => s.net.send(up),
    tell: (news) => {
      if (news.type === 'contradiction') voice.alarm(msg('fairness.contradiction'));
      else if (news.type === 'leftOut') voice.notice(msg('fairness.leftOut'));
      else if (news.type === 'untouched') suggestion.offer(news.is);
      // in a small window it would cover the table, and nobody has to do anything
      else if (matchMedia(SMALL).matches) voice.whisper(sentenceOf(news));
      else voice.notice(sentenceOf(news));
    },
    deps: browserDeps(),
  });
  s.relay.bindWitness(fairness.receive);
  return all(
    on(window, 'pagehide', fairness.keep),
    // On a phone it may be the last event of a page.
    on(document, 'visibilitychange', fairness.keep),
    fairness.stop,
    suggestion.stop,
  );
}

/** @param {News & { type: 'rounds' }} news */
function sentenceOf({ opened, told }) {
  return [
    opened > 0 && msg('fairness.opened'),
    told.length > 0
      ? msg('fairness.told', { n: told.length, rounds: list(told.map(String)) })
      : msg('fairness.waits'),
  ].filter(Boolean).join(' ');
}
