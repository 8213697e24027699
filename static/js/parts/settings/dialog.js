// The dialog of the table: its title, its links and, for hosts, its settings. A change applies at
// once, for everybody. The dialog shows changes by others, except in a field in which this person
// is typing.

import { el, setText } from '../../view/dom.js';
import { sharedOf, use } from '../../parts.js';
import { accessSet } from './access.js';
import { creditsNote } from './credits.js';
import { deleteGroup } from './delete.js';
import { gridSet } from './grid.js';
import { linkList, linkSet } from './links.js';
import { programsNote, programsSet } from './programs.js';
import { chatSet } from './chat.js';
import { recallSet } from './recall.js';
import { recordingNote, recordingSet } from './recording.js';
import { sizeSet } from './size.js';
import { spaceSet } from './space.js';
import { hosts } from '../../rights.js';
import { of, set } from './components.js';
import { msg } from './msg.js';
import { firstMessage } from '../../messages.js';
import { summary } from './summary.js';
import { undoSet } from './undo.js';
import { voiceSet } from './voice.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../parts.js').Part<'dialogs'>} Dialogs */

/**
 * A group of settings in the dialog. `refresh` shows the current values, except in a field in which
 * this person is typing.
 * @typedef {{root: HTMLElement, refresh: () => void}} Group
 */

/** The greatest number of characters of a title (C14). */
const TITLE = 80;

/** The materials, by their names in game files. */
const MATERIALS = ['felt', 'wood', 'slate', 'paper'];

/** The colour that the dialog offers first. */
const FIRST_COLOUR = '#7a2e3a';

/** Draws the open dialog again; null if it is closed. @type {(() => void)|null} */
let refreshing = null;

/** Shows changes of settings or of the connection in an open dialog. */
export function refreshSettings() {
  refreshing?.();
}

/** Opens the dialog. @param {State} s @param {Voice} voice @param {Dialogs} dialogs */
export function showSettings(s, voice, dialogs) {
  const links = linkList(s);
  const recorded = recordingNote(s);
  const programs = programsNote(s);
  const groups = hosts(s) ? groupsOf(s, voice, dialogs) : [];
  const unsent = el('p', { class: 'quiet set-note', role: 'status' });
  const settings =
    groups.length > 0 &&
    el(
      'section',
      {},
      el('h3', {}, msg('settings.settings')),
      el('p', { class: 'quiet' }, msg('settings.settingsFor')),
      unsent,
      ...groups.map((g) => g.root),
    );
  const read = hosts(s) ? null : summary(s);
  const name = s.sync.info?.title ?? msg('settings.title');
  const d = dialogs.openDialog(
    s.page.main,
    'tabletop',
    name,
    msg('settings.close'),
    el('p', { class: 'set-doors' }, el(
      'button',
      {
        class: 'secondary', 'data-part': 'saves',
        onclick: () => use(s, voice, 'saves', (part) => part.open(s, voice)),
      },
      msg(hosts(s) ? 'settings.savesOrAgain' : 'settings.saves'),
    ), dialogs.rulesButton(s)),
    links.root,
    recorded.root,
    programs.root,
    creditsNote(s),
    ...(read ? [read.root] : []),
    ...(settings ? [settings] : []),
  );
  const heading = d.querySelector('h2');
  const refresh = () => {
    if (heading) setText(heading, s.sync.info?.title ?? msg('settings.title'));
    setText(unsent, s.net.status.state === 'online' ? '' : msg('settings.unsent'));
    links.refresh();
    recorded.refresh();
    programs.refresh();
    read?.refresh();
    for (const g of groups) g.refresh();
  };
  refreshing = refresh;
  d.addEventListener('close', () => {
    if (refreshing === refresh) refreshing = null;
  });
  refresh();
}

/** @param {State} s @param {Voice} voice @param {Dialogs} dialogs @returns {Group[]} */
function groupsOf(s, voice, dialogs) {
  return [
    titleSet(s),
    surfaceSet(s),
    sizeSet(s, voice),
    gridSet(s),
    accessSet(s),
    linkSet(s),
    voiceSet(s),
    recallSet(s),
    undoSet(s),
    chatSet(s),
    recordingSet(s),
    programsSet(s),
    spaceSet(s, dialogs),
    deleteGroup(s, dialogs),
  ];
}

/** @param {State} s @returns {Group} */
function titleSet(s) {
  const input = el('input', {
    type: 'text',
    id: 'table-title',
    maxlength: TITLE,
    autocomplete: 'off',
  });
  input.addEventListener('change', () => {
    const text = sharedOf(s).lineOf(input.value, TITLE);
    if (text && text !== s.sync.info?.title) set(s, 'title', { text });
    else input.value = s.sync.info?.title ?? '';
  });
  const refresh = () => {
    if (document.activeElement !== input) input.value = s.sync.info?.title ?? '';
  };
  return {
    root: el(
      'div', { class: 'field' }, el('label', { for: input.id }, msg('settings.name')), input,
    ),
    refresh,
  };
}

/** @param {State} s @returns {Group} */
function surfaceSet(s) {
  const colour = el(
    'input', { type: 'color', value: FIRST_COLOUR, 'aria-label': msg('settings.ownColour') },
  );
  const radio = (/** @type {string} */ value) =>
    el('input', { type: 'radio', name: 'surface', value });
  const radios = [...MATERIALS, 'own'].map(radio);
  const samples = radios.map((input) => {
    const own = input.value === 'own';
    const art = own ? colour : el('span', { class: 'sample-art', 'data-sample': input.value });
    return el(
      'label',
      { class: 'sample' },
      input,
      art,
      own ? msg('settings.ownColour') : firstMessage([`settings.surfaces.${input.value}`]),
    );
  });
  const own = () =>
    set(s, 'surface', { name: '', colour: Number.parseInt(colour.value.slice(1), 16) });
  for (const input of radios)
    input.addEventListener('change', () =>
      input.value === 'own' ? own() : set(s, 'surface', { name: input.value }),
    );
  colour.addEventListener('change', own);
  const refresh = () => {
    const now = of(s, 'surface');
    const isOwn = now?.colour !== undefined;
    if (now?.colour !== undefined && document.activeElement !== colour)
      colour.value = `#${now.colour.toString(16).padStart(6, '0')}`;
    const name = isOwn ? 'own' : now?.name || s.sync.info?.surface;
    for (const input of radios) input.checked = input.value === name;
  };
  const root = el(
    'fieldset',
    { class: 'set' },
    el('legend', {}, msg('settings.surface')),
    el('div', { class: 'samples' }, ...samples),
  );
  return { root, refresh };
}
