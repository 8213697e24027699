// The part of the page for save points (T70 to T72): their dialog, and what it says when somebody
// brought the table back.

import { el, on } from '../../view/dom.js';
import { hosts } from '../../rights.js';
import { icon } from '../../view/icons.js';
import { nickOf } from '../../view/names.js';
import { onEvent } from '../../listeners.js';
import { use } from '../../parts.js';
import { refresh, show, timeOf, whyNot } from './dialog.js';
import { KINDS } from './kinds.js';
import { goBack } from './request.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Rewound} Rewound */

/** For how many ms the message stays, while nobody is about to press its button. */
const STAYS = 10_000;

/** Takes the message away; null: there is none. @type {(() => void)|null} */
let dismissing = null;

/**
 * @param {State} s
 * @returns {() => void} stops
 */
export function bind(s) {
  onEvent(s, (event) => {
    if (event.type === 'saves' || event.type === 'rewound') refresh();
  });
  return () => dismissing?.();
}

/** Opens the dialog. @param {State} s @param {Voice} voice */
export function open(s, voice) {
  use(s, voice, 'dialogs', (dialogs) =>
    use(s, voice, 'profiles', (profiles) => show(s, voice, dialogs, profiles)));
}

/**
 * Says that somebody else has made a save point.
 * @param {State} s
 * @param {Voice} voice
 * @param {import('../../types.js').SavePoint} made
 */
export function tellMade(s, voice, { kind, name, by }) {
  if (kind === KINDS.NAMED && by !== s.sync.you)
    voice.notice(msg('saves.made', { who: nickOf(s, by), name }));
}

/** Returns what a rewind is in words. @param {State} s @param {Rewound} rewound */
export function sentenceOf(s, { by, to }) {
  const who = by === s.sync.you ? msg('saves.you') : nickOf(s, by);
  switch (to?.kind) {
    case KINDS.NAMED:
      return msg('saves.told.named', { who, name: to.name });
    case KINDS.SET_UP:
      return to.name
        ? msg('saves.told.setUpAs', { who, name: to.name }) : msg('saves.told.setUp', { who });
    case KINDS.BEFORE:
      return msg('saves.told.before', { who });
    default:
      return msg('saves.told.auto', { who, time: timeOf(to?.at ?? 0) });
  }
}

/**
 * Says that the table went back, with a button for hosts that takes it back.
 * @param {State} s
 * @param {Voice} voice
 * @param {Rewound} rewound
 */
export function tell(s, voice, rewound) {
  dismissing?.();
  const sentence = sentenceOf(s, rewound);
  // Whoever took a rewind back has gone back to where the table was: that is not taken back again.
  const mayReturn = rewound.to?.kind !== KINDS.BEFORE;
  const back = el('button', { class: 'primary' }, msg('saves.takeBack'));
  back.addEventListener('click', async () => {
    back.disabled = true;
    const answer = await goBack(s, rewound.back);
    if (answer?.status === 200) return;
    back.disabled = false;
    voice.alarm(whyNot(answer));
  });
  const done = el(
    'button', { class: 'plain', 'aria-label': msg('saves.dismiss') }, icon('close'),
  );
  const root = el(
    'div', { class: 'rewound', role: 'group', 'aria-label': msg('saves.title') },
    el('span', { class: 'rewound-text' }, sentence), mayReturn && hosts(s) && back, done,
  );
  s.page.banner.after(root);
  voice.warn(hosts(s) || !mayReturn ? sentence : `${sentence} ${msg('saves.only')}`);
  const isBusy = () => root.matches(':hover') || root.contains(document.activeElement);
  const late = setInterval(() => !isBusy() && end(), STAYS);
  const stop = on(done, 'click', () => end());
  const end = () => {
    clearInterval(late);
    stop();
    root.remove();
    if (dismissing === end) dismissing = null;
  };
  dismissing = end;
}
