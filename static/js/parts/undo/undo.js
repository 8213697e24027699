// The part of the page for taking back: asks the server to undo this person's last gesture, and
// shows the question when others have to agree (T63).

import { el, setText } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { onDone, onRename } from '../../listeners.js';
import { nameOf, the } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { eachFrame } from '../../view/state.js';
import { createGhosts } from './ghosts.js';
import { firstMessage, isLoaded, list } from '../../messages.js';
import { waitWhile } from '../../wait.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').QuestionEvent} Question */

/** How often a request without an answer is sent again, and after how many ms. */
const TRIES = 3;
const PAUSE = 1000;

/** How long after its end a question is shown that the server says nothing more about, in ms. */
const LATE = 5000;

/** How a question stands, as in holt.proto. */
const OPEN = 0;
const ENDED = ['', 'done', 'refused', 'timedOut', 'withdrawn', 'impossible'];

/** What a gesture is called by its operation. Others are "what they did last". */
const MOVES = new Set(['grab', 'release', 'move', 'wrest', 'pivot']);

/** The open question; null: there is none. @type {ReturnType<typeof begin>|null} */
let open = null;

/** Whether a request to undo is under way: a second press means the same one. */
let isAsking = false;

/** How long it is offered to undo what was done just now, in ms. */
const OFFERED = 10_000;

/** How long an undo waits for the outcomes of what was done before it (T63.24), in ms. */
const OUTCOMES = 5000;

/** Takes the offer to undo away; null: there is none. @type {(() => void)|null} */
let endOffer = null;

/** @param {State} s @returns {() => void} stops */
export function bind(s) {
  onDone(s, () => endOffer?.()); // an undo would take that back instead
  const stop = onRename(s, (from, to) => open?.ghosts.rename(from, to));
  eachFrame(s, () => {
    open?.ghosts.draw();
    return false;
  });
  return () => {
    stop();
    close();
    endOffer?.();
  };
}

/**
 * Offers for a while to undo what this person has just done (T63.25). The offer stays while it has
 * the focus or the pointer.
 * @param {State} s
 * @param {Voice} voice
 * @param {string} text what was done
 */
export function offer(s, voice, text) {
  endOffer?.();
  const before = document.activeElement;
  const seq = s.sync.lastMade();
  const take = () => {
    endOffer?.();
    void undo(s, voice, seq);
  };
  const root = el(
    'div', { class: 'question offer', role: 'group', 'aria-label': text },
    el('span', { class: 'question-text' }, text),
    el('button', { class: 'secondary', onclick: take }, icon('undo'), msg('undo.undo')),
    el('span', { class: 'question-left', 'aria-hidden': 'true' }),
  );
  root.style.setProperty('--stays', `${OFFERED}ms`);
  const end = () => {
    if (root.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    clearTimeout(timer);
    root.remove();
    endOffer = null;
  };
  const tick = () => {
    if (root.matches(':hover, :focus-within')) timer = setTimeout(tick, PAUSE);
    else end();
  };
  let timer = setTimeout(tick, OFFERED);
  endOffer = end;
  voice.hush();
  s.page.banner.after(root);
  voice.whisper(msg('undo.offered', { text }));
}


/**
 * Takes this person's last gesture back, or asks those who have to agree.
 * @param {State} s
 * @param {Voice} voice
 * @param {() => number} [meant] returns the number of an update of this page: then only its gesture
 *   is taken back (T63.28)
 */
export async function undo(s, voice, meant) {
  if (isAsking) return;
  isAsking = true;
  endOffer?.();
  const token = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
    b.toString(16).padStart(2, '0')).join('');
  try {
    const answer = await waitWhile(s.sync.pendingNow(), OUTCOMES) &&
      await post(s, '', { token, ...(meant && { client: s.sync.client, seq: meant() }) }, TRIES);
    if (!answer) voice.alarm(msg('undo.offline'));
    else if (answer.status === 200) voice.notice(msg('undo.done'));
    else if (answer.status !== 202) voice.alarm(whyNot(s, answer.said));
  } finally {
    isAsking = false;
  }
}

/**
 * Sends a request, again if there is no answer: the token says that it is the same one.
 * @param {State} s
 * @param {string} path
 * @param {object} body
 * @param {number} tries
 * @returns {Promise<{status: number, said: any}|null>} null if there was no answer
 */
async function post(s, path, body, tries) {
  for (let i = 0; i < tries; i++) {
    if (i > 0) await new Promise((again) => setTimeout(again, PAUSE));
    try {
      const answer = await fetch(`${s.api}/undo${path}`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const said = await answer.json().catch(() => ({}));
      if (answer.status !== 503 && answer.status !== 429) return { status: answer.status, said };
    } catch {
      // it is sent again
    }
  }
  return null;
}

/** Says why something was not taken back. @param {State} s @param {any} problem */
function whyNot(s, { code = '', piece: id = 0 }) {
  const piece = s.sync.pieces.get(id);
  if (code === 'changed-since' && !piece) return msg('undo.why.changed');
  const what = piece ? the(nameOf(s, piece)) : '';
  return firstMessage([`undo.why.${code}`], { what }) || msg('undo.failed');
}

/**
 * What was done, in words.
 * @param {State} s
 * @param {string} op
 * @param {number} by
 */
export function whatOf(s, op, by) {
  const name = op === 'run' ? s.parts.abilities?.pressedBy(by) : '';
  if (name) return msg('undo.of.press', { name });
  const id = `undo.of.${MOVES.has(op) ? 'move' : op}`;
  if (isLoaded(id)) return firstMessage([id]);
  return msg(by === s.sync.you ? 'undo.of.own' : 'undo.of.other');
}

/**
 * Shows how a question stands.
 * @param {State} s
 * @param {Voice} voice
 * @param {Question} q
 */
export function show(s, voice, q) {
  if (q.state === OPEN) {
    if (open?.id !== q.id) {
      close();
      open = begin(s, voice, q);
    }
    open.draw(q);
    return;
  }
  const wasOpen = open?.id === q.id;
  if (wasOpen) close();
  if (!wasOpen && q.by !== s.sync.you) return;
  const how = ENDED[q.state] ?? '';
  const { you } = s.sync;
  const who = nickOf(s, how === 'refused' ? q.refusedBy : q.by);
  if (how === 'done' && q.by === you) voice.notice(msg('undo.done'));
  else if (how === 'done') {
    voice.caption(msg('undo.doneBy', { who }));
    voice.news(who, 'undo', 0, ''); // with the pieces, if this person has seen them move
  }
  else if (how === 'refused') voice.notice(msg('undo.refused', { who }));
  else if (how === 'timedOut') voice.notice(msg('undo.timedOut'));
  else if (how === 'impossible') voice.notice(msg('undo.impossible'));
  else if (q.by !== you) voice.notice(msg('undo.withdrawn'));
}

/** Takes the question away. */
export function close() {
  open?.end();
  open = null;
}

/**
 * Shows a question.
 * @param {State} s
 * @param {Voice} voice
 * @param {Question} q
 */
function begin(s, voice, q) {
  const { you } = s.sync;
  const send = (/** @type {string} */ path, /** @type {object} */ body) => {
    for (const b of buttons) b.disabled = true;
    void post(s, path, body, TRIES).then((answer) => {
      if (answer?.status === 404 && open?.id === q.id) close(); // it has ended meanwhile
      if (answer) return;
      for (const b of buttons) b.disabled = false;
      voice.alarm(msg('undo.offline'));
    });
  };
  const answer = (/** @type {boolean} */ agree) => send(`/${q.id}`, { agree });
  const allow = el('button', { class: 'primary', onclick: () => answer(true) }, msg('undo.allow'));
  const refuse = el(
    'button', { class: 'secondary', onclick: () => answer(false) }, msg('undo.refuse'),
  );
  const withdraw = el(
    'button',
    { class: 'secondary', onclick: () => send('', { withdraw: true }) },
    msg('undo.withdraw'),
  );
  const buttons = q.by === you ? [withdraw] : q.asked.includes(you) ? [allow, refuse] : [];
  const text = el('span', { class: 'question-text' });
  const left = el('span', { class: 'question-left', 'aria-hidden': 'true' });
  left.style.animationDuration = `${Math.max(0, q.ends - s.net.serverNow())}ms`;
  const root = el(
    'div', { class: 'question', role: 'group', 'aria-label': msg('undo.title') },
    icon('undo'), text, buttons.length > 0 && el('div', { class: 'question-answers' }, ...buttons),
    left,
  );
  s.page.banner.after(root);
  for (const id of q.pieces) s.view.shown.get(id)?.el.classList.add('undoing');
  const sentence = (/** @type {Question} */ { by, op, asked, agreed }) => {
    const what = whatOf(s, op, by);
    const who = nickOf(s, by);
    const others = asked.filter((seat) => !agreed.includes(seat)).map((seat) => nickOf(s, seat));
    if (by === you) return msg('undo.asking', { what, who: list(others) });
    if (agreed.includes(you)) return msg('undo.answered');
    return asked.includes(you)
      ? `${msg('undo.asks', { who, what })} ${msg('undo.seen')}`
      : msg('undo.watching', { who, what });
  };
  voice.warn(sentence(q));
  const ghosts = createGhosts(s);
  const late = setTimeout(close, Math.max(0, q.ends - s.net.serverNow()) + LATE);
  return {
    id: q.id,
    ghosts,
    draw(/** @type {Question} */ now) {
      ghosts.show(now.ghosts);
      setText(text, sentence(now));
      allow.hidden = refuse.hidden = now.agreed.includes(you);
    },
    end() {
      clearTimeout(late);
      root.remove();
      ghosts.remove();
      for (const id of q.pieces) s.view.shown.get(id)?.el.classList.remove('undoing');
    },
  };
}
