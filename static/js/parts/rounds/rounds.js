// The part of the page for rounds (T76): several people choose cards of their hands, or write an
// answer, and everything is shown at once.

import { el, on, setAttr, setText } from '../../view/dom.js';
import { addIcons, icon } from '../../view/icons.js';
import { nameOf } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { list } from '../../messages.js';
import { isPlayer } from '../../roles.js';
import { hosts } from '../../rights.js';
import { use } from '../../parts.js';
import { drawWithBars } from '../../bars/state.js';
import { begin, choose, end, unchoose } from './request.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').RoundEvent} Round */
/** @typedef {import('../../types.js').Choice} Choice */

/** Bounds of T76. */
const MOST_PIECES = 16;
const LONGEST_ANSWER = 200;
const LONGEST_TITLE = 60;

/** How a round stands, as in holt.proto. */
const OPEN = 0;
const SHOWN = 1;

addIcons({
  ready: 'M4.5 12.5l5 5L20 7',
  choosing: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2',
  fold: 'M6 15l6-6 6 6',
  unfold: 'M6 9l6 6 6-6',
});

/** The panel of the open round; null: there is none. @type {ReturnType<typeof panelOf>|null} */
let open = null;

/** What is shown of the last round; null: nothing. @type {HTMLElement|null} */
let shown = null;

/** @returns {() => void} stops */
export function bind() {
  return () => {
    close();
    shown?.remove();
  };
}

/** Opens the dialog that begins a round, or goes to the open one. @param {State} s
 * @param {Voice} voice */
export function start(s, voice) {
  if (s.sync.round) {
    show(s, voice, s.sync.round);
    open?.focus();
    return;
  }
  use(s, voice, 'dialogs', (dialogs) => ask(s, voice, dialogs));
}

/**
 * Opens the dialog that begins a round.
 * @param {State} s
 * @param {Voice} voice
 * @param {import('../../parts.js').Part<'dialogs'>} dialogs
 */
function ask(s, voice, dialogs) {
  const title = el('input', {
    type: 'text', id: 'round-title', maxlength: LONGEST_TITLE, autocomplete: 'off',
    placeholder: msg('rounds.example'),
  });
  const people = [...s.sync.seats.values()].filter((seat) => !seat.left && isPlayer(seat));
  const boxes = people.map((seat) => el('input', {
    type: 'checkbox', value: seat.id, checked: true, 'data-seat': seat.id,
  }));
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true }, msg('rounds.nobody'));
  const go = el('button', { class: 'primary', type: 'submit' }, msg('rounds.begin'));
  const form = el(
    'form', { class: 'round-form' },
    el('div', { class: 'field' }, el('label', { for: title.id }, msg('rounds.what')), title),
    el(
      'fieldset', { class: 'round-people' }, el('legend', {}, msg('rounds.who')),
      ...boxes.map((box, i) => el('label', { class: 'choice' }, box, nickOf(s, people[i].id))),
    ),
    failed,
    el('div', { class: 'answers' }, go),
  );
  const d = dialogs.openDialog(
    s.page.main, 'round-dialog', msg('rounds.title'), msg('rounds.close'),
    el('p', { class: 'quiet' }, msg('rounds.about')), form,
  );
  on(form, 'submit', async (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    const asked = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    failed.hidden = asked.length > 0;
    if (asked.length === 0) return;
    go.disabled = true;
    const done = await begin(s, voice, title.value.trim(), asked);
    go.disabled = false;
    if (done) d.close();
  });
  title.focus();
}

/** Shows how a round stands. @param {State} s @param {Voice} voice @param {Round} round */
export function show(s, voice, round) {
  if (round.state === OPEN) {
    if (open?.id !== round.id) {
      close();
      shown?.remove();
      open = panelOf(s, voice, round);
      voice.warn(beganBy(s, round));
    }
    open.draw(round);
    return;
  }
  close();
  if (round.state === SHOWN && round.shown.length > 0) tell(s, voice, round);
  else voice.notice(msg('rounds.cancelled'));
}

/** Takes the panel of the round away. */
export function close() {
  open?.end();
  open = null;
}

/** @param {State} s @param {Round} round */
function beganBy(s, { by, title }) {
  const who = nickOf(s, by);
  return title ? msg('rounds.beganTitle', { who, title }) : msg('rounds.began', { who });
}

/** Returns the selected pieces that lie in this person's own hand. @param {State} s */
function selectedInHand(s) {
  return [...s.input.selection].filter((id) => {
    const piece = s.sync.pieces.get(id);
    return piece !== undefined && piece.owner === s.sync.you && s.sync.you !== 0 &&
      s.catalog.kinds[piece.kind]?.hand !== true && isPrivate(s, piece);
  });
}

/** Returns whether pieces of its kind lie in hands (T23). @param {State} s
 * @param {import('../../types.js').Piece} piece */
function isPrivate(s, piece) {
  const kind = s.catalog.kinds[piece.kind];
  return kind?.secret === true || kind?.private === true;
}

/** Says what somebody has chosen. @param {State} s @param {Choice} choice */
function whatOf(s, { pieces, text }) {
  const names = pieces.flatMap((id) => {
    const piece = s.sync.pieces.get(id);
    return piece ? [nameOf(s, piece)] : [];
  });
  if (text) names.push(msg('rounds.quoted', { text }));
  return names.length > 0 ? list(names) : msg('rounds.nothing');
}

/**
 * Makes the panel of an open round.
 * @param {State} s
 * @param {Voice} voice
 * @param {Round} first
 */
function panelOf(s, voice, first) {
  const { you } = s.sync;
  let round = first;
  /** Whether this person chooses again. */
  let isAgain = false;
  const people = el('ul', { class: 'round-ready' });
  const counted = el('p', { class: 'round-count', role: 'status' });
  const text = el('input', {
    type: 'text', class: 'round-answer', maxlength: LONGEST_ANSWER, autocomplete: 'off',
    placeholder: msg('rounds.answer'), 'aria-label': msg('rounds.answer'), enterkeyhint: 'done',
  });
  const state = el('p', { class: 'round-state', role: 'status' });
  const ready = el('button', { class: 'primary', type: 'submit' }, msg('rounds.ready'));
  const again = el('button', {
    class: 'secondary', onclick: () => run(again, () => unchoose(s, voice, round.id)),
  }, msg('rounds.change'));
  const now = el('button', {
    class: 'secondary', onclick: () => run(now, () => end(s, voice, round.id, true)),
  }, msg('rounds.showNow'));
  const cancel = el('button', {
    class: 'plain', onclick: () => run(cancel, () => end(s, voice, round.id, false)),
  }, msg('rounds.cancel'));
  const run = async (
    /** @type {HTMLButtonElement} */ button, /** @type {() => Promise<boolean>} */ f,
  ) => {
    button.disabled = true;
    await f();
    button.disabled = false;
  };
  const form = el(
    'form',
    {
      class: 'round-choice',
      onsubmit: (/** @type {SubmitEvent} */ e) => {
        e.preventDefault();
        const pieces = selectedInHand(s);
        if (pieces.length > MOST_PIECES)
          return voice.alarm(msg('rounds.most', { n: MOST_PIECES }));
        void run(ready, () => choose(s, voice, round.id, pieces, text.value.trim()));
      },
    },
    el('p', { class: 'quiet' }, msg('rounds.own')), counted, el(
      'div', { class: 'round-row' }, text, ready,
    ),
  );
  const fold = el('button', {
    class: 'plain round-fold', onclick: () => foldTo(!root.classList.contains('folded')),
  });
  const root = el(
    'section', { class: 'round', 'aria-label': msg('rounds.panel'), 'data-round': first.id },
    el('div', { class: 'round-head' }, icon('choosing'), el('h2', {}, beganBy(s, first)), fold),
    people, form, state,
    el('div', { class: 'round-ends' }, again, now, cancel),
  );
  const foldTo = (/** @type {boolean} */ is) => {
    root.classList.toggle('folded', is);
    setAttr(fold, 'aria-label', msg(is ? 'rounds.unfold' : 'rounds.fold'));
    fold.replaceChildren(icon(is ? 'unfold' : 'fold'));
  };
  foldTo(false);
  // Keys do nothing on the table while the focus is in the field.
  const stopKeys = on(text, 'keydown', (/** @type {KeyboardEvent} */ e) => e.stopPropagation());
  s.page.banner.after(root);
  const draw = () => {
    const { asked, ready: all, by, own } = round;
    const hasChosen = own.seat !== 0;
    const waiting = asked.filter((seat) => !all.includes(seat)).map((seat) => nickOf(s, seat));
    people.replaceChildren(...asked.map((seat) => {
      const is = all.includes(seat);
      const nick = nickOf(s, seat);
      return el(
        'li', { class: is ? 'is-ready' : '', 'aria-label': is
          ? msg('rounds.isReady', { nick }) : msg('rounds.isChoosing', { nick }) },
        icon(is ? 'ready' : 'choosing'), el('span', { 'aria-hidden': 'true' }, nick),
      );
    }));
    const isAsked = asked.includes(you);
    form.hidden = !isAsked || hasChosen;
    again.hidden = !hasChosen;
    now.hidden = cancel.hidden = by !== you && !hosts(s);
    if (hasChosen) {
      setText(state, `${msg('rounds.waits', { who: list(waiting) })} ${
        msg('rounds.yours', { what: whatOf(s, own) })}`);
    } else setText(state, isAsked ? '' : msg('rounds.watching', { who: list(waiting) }));
    state.hidden = state.textContent === '';
    if (hasChosen && !isAgain) text.value = own.text;
    isAgain = !hasChosen;
    count();
  };
  const count = () => {
    if (!form.hidden) setText(counted, msg('rounds.chosen', { n: selectedInHand(s).length }));
  };
  const stop = drawWithBars(s, count);
  return {
    id: first.id,
    draw(/** @type {Round} */ is) {
      round = is;
      draw();
    },
    focus() {
      foldTo(false);
      (form.hidden ? again : text).focus();
    },
    end() {
      stop();
      stopKeys();
      root.remove();
    },
  };
}

/** Shows what everybody has chosen. @param {State} s @param {Voice} voice @param {Round} round */
function tell(s, voice, round) {
  shown?.remove();
  const { title } = round;
  const heading = title ? msg('rounds.shownTitle', { title }) : msg('rounds.shown');
  const lines = round.shown.map((choice) => ({
    who: nickOf(s, choice.seat), what: whatOf(s, choice),
  }));
  const done = el('button', {
    class: 'plain', 'aria-label': msg('rounds.close'), onclick: () => root.remove(),
  }, icon('close'));
  const root = el(
    'section', { class: 'round shown', 'aria-label': heading },
    el('div', { class: 'round-head' }, icon('ready'), el('h2', {}, heading), done),
    el(
      'ul', { class: 'round-shown' },
      ...lines.map(({ who, what }) => el('li', {}, el('b', {}, who), el('span', {}, what))),
    ),
  );
  shown = root;
  s.page.banner.after(root);
  const said = lines.map(({ who, what }) => msg('rounds.one', { who, what }));
  voice.warn(`${heading} ${said.join(' ')}`);
}
