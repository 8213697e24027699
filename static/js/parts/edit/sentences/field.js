// What a button does, in the form of a button: who may press it, and its sentences.

import { el } from '../../../view/dom.js';
import { fetchKinds, fetchSetups } from './written.js';
import { numberChip, select } from './chips.js';
import { createEditor } from './editor.js';
import { wholeFault } from './faults.js';
import { MOST_COOLDOWN, setsUp } from './forms.js';
import { msg } from './msg.js';

/** @typedef {import('../../../state.js').State} State */
/** @typedef {import('../../../bars/say.js').Voice} Voice */
/** @typedef {import('./fits.js').Choice} Choice */
/** @typedef {import('./does.js').Does} Does */

const SECOND = 1000;

/**
 * Makes the field.
 * @param {State} s
 * @param {Voice} voice
 * @param {Does} does
 * @param {() => void} changed
 */
export function createField(s, voice, does, changed) {
  /** The kinds of the table as the game has them, which is not the language of the page. */
  let written = s.catalog.kinds;
  let hash = '';
  /** @type {string[]} */
  let setups = [];
  const choices = () => choicesOf(s, written);
  const who = select('who', msg('sentences.chip.who'), [
    { value: 'players', label: msg('sentences.who.players') },
    { value: 'host', label: msg('sentences.who.host') },
  ], does.who, (value) => {
    does.who = value === 'host' ? 'host' : 'players';
    changed();
  });
  const seconds = numberChip('seconds', msg('sentences.chip.seconds'), does.seconds,
    { min: 0, max: MOST_COOLDOWN / SECOND, step: 0.1 }, (n) => {
      does.seconds = n;
      changed();
    });
  const none = el('p', { class: 'quiet' }, msg('sentences.none'));
  const hosts = el('p', { class: 'quiet' }, msg('sentences.hosts'));
  const draw = () => {
    none.hidden = does.sentences.length > 0;
    const isHosts = does.sentences.some(({ form }) => setsUp(form));
    hosts.hidden = !isHosts;
    who.disabled = isHosts;
    who.value = isHosts || does.who === 'host' ? '1' : '0'; // its options are numbered
  };
  const editor = createEditor({
    sentences: does.sentences,
    choices,
    setups: () => setups,
    changed: () => {
      draw();
      changed();
    },
    say: voice.whisper,
  });
  const [first, second, third] = msg('sentences.rule', { who: '\u0001', seconds: '\u0001' })
    .split('\u0001');
  const root = el(
    'fieldset', { class: 'sentences' }, el('legend', {}, msg('sentences.title')),
    el('p', { class: 'quiet' }, msg('sentences.about')), none, editor.root,
    el('p', { class: 'sentence-says sentence-rule' }, first, who, second, seconds, third), hosts,
  );
  fetchSetups(s).then((names) => {
    setups = names;
    editor.draw();
  }, () => {}); // the first one can be chosen
  const refresh = () => {
    if (hash === s.catalog.hash) return;
    ({ hash } = s.catalog);
    const now = hash;
    fetchKinds(s).then((kinds) => {
      if (now !== s.catalog.hash) return;
      written = kinds;
      editor.draw();
    }, () => {}); // with the names of the page's language it works in most games
  };
  refresh();
  draw();
  return {
    root,
    /** Shows what is wrong, and returns it; '' if nothing is. */
    check: () => {
      const of = editor.check();
      const isLate = !(does.seconds >= 0 && does.seconds * SECOND <= MOST_COOLDOWN);
      const whole = wholeFault(does.sentences) ?? (isLate ? 'cooldown' : null);
      if (of || !whole) return of;
      if (whole === 'cooldown') seconds.focus();
      else editor.focusAdd();
      return msg(`sentences.whole.${whole}`);
    },
    refuse: editor.refuse,
    /** Shows what the table has now. */
    refresh,
  };
}

/**
 * Returns the kinds of the table that sentences can mean.
 * @param {State} s
 * @param {import('../../../view/catalog.js').Kind[]} written
 * @returns {Choice[]}
 */
function choicesOf(s, written) {
  const there = new Set([...s.sync.pieces.values()].map(({ kind }) => kind));
  return s.catalog.kinds.map((kind, i) => ({
    name: (written[i] ?? kind).name, label: kind.name, kind, isMask: s.catalog.masks.has(i),
    isThere: there.has(i),
  }));
}
