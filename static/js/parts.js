// Loads the parts of the page, each a file of its own: those without which the table cannot be
// shown before that, those with which people play right after it, and the others when somebody
// wants to use them. A part may import anything of the core, and nothing of another part. The core
// calls a part only through s.parts.

import { abilityOf } from './kinds/abilities.js';
import { all, el, on } from './view/dom.js';
import { msg } from './msg.js';
import { hasPending } from './input/pending.js';
import { redrawBars } from './bars/state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./view/catalog.js').Kind} Kind */

/**
 * The loaded parts; null: not loaded.
 * @typedef {object} Parts
 * @property {typeof import('./parts/controls/controls.js')|null} controls
 *   with what players act: mouse, fingers, keys and bars; loaded when the table has been shown
 * @property {typeof import('./parts/abilities/abilities.js')|null} abilities
 *   dice, counters, currency, notes, labels, and the actions that kinds offer
 * @property {typeof import('./parts/cards/cards.js')|null} cards
 *   secret pieces, hands and containers
 * @property {typeof import('./parts/boards/boards.js')|null} boards
 *   snapping to the cells of boards; loaded with the first board on the table that is shown
 * @property {typeof import('./parts/zones/zones.js')|null} zones
 *   which zone takes what, and what lies there; loaded with the first zone on the table
 * @property {typeof import('./parts/layers/layers.js')|null} layers
 *   faces that are drawn from layers
 * @property {typeof import('./parts/clocks/clocks.js')|null} clocks
 *   loaded with the first clock on the table, since every game has clocks in its box
 * @property {typeof import('./parts/fairness/fairness.js')|null} fairness
 *   the witness of randomness (S17); loaded like controls, where something can be drawn
 * @property {typeof import('./parts/motion/motion.js')|null} motion
 *   motion of the pieces and cursors of others
 * @property {typeof import('./parts/components/components.js')|null} components
 *   components that merge: labels of pieces, the score sheet, drawings
 * @property {typeof import('./parts/marks/marks.js')|null} marks
 *   labels, tints and remarks of pieces
 * @property {typeof import('./parts/doors/doors.js')|null} doors
 *   pieces that lead to other tables (O49)
 * @property {typeof import('./parts/settings/settings.js')|null} settings
 *   the settings of the table
 * @property {typeof import('./parts/profiles/profiles.js')|null} profiles
 *   how people appear
 * @property {typeof import('./parts/sheet/sheet.js')|null} sheet
 *   the score sheet
 * @property {typeof import('./parts/log/log.js')|null} log
 *   what happened, and what people write to each other
 * @property {typeof import('./parts/undo/undo.js')|null} undo
 *   takes back what this person did last (T63)
 * @property {typeof import('./parts/replay/replay.js')|null} replay
 *   shows the past of the table (T73)
 * @property {typeof import('./parts/rounds/rounds.js')|null} rounds
 *   rounds in which everybody chooses something, and all is shown at once (T76)
 * @property {typeof import('./parts/saves/saves.js')|null} saves
 *   save points, to which the table goes back (T70 to T72)
 * @property {typeof import('./parts/drawing/drawing.js')|null} drawing
 *   what people draw on the table
 * @property {typeof import('./parts/pings/pings.js')|null} pings
 *   places that people show each other
 * @property {typeof import('./parts/ruler/ruler.js')|null} ruler
 *   measures distances on the table
 * @property {typeof import('./parts/guests/guests.js')|null} guests
 *   guest sets (T37); loaded with the first one
 * @property {typeof import('./parts/bag/bag.js')|null} bag
 *   a person's bag (O38); loaded at the start for a visitor
 * @property {typeof import('./parts/dialogs/dialogs.js')|null} dialogs
 *   dialogs and menus
 * @property {typeof import('./parts/edit/edit.js')|null} edit
 *   the editor of the game (T99); loaded when this person edits it
 * @property {typeof import('./parts/csv/csv.js')|null} csv
 *   tables of spreadsheets; loaded when somebody who edits brings one
 * @property {typeof import('./parts/space/space.js')|null} space
 *   warns that the log of the table fills up (T44); loaded with the first warning
 * @property {typeof import('./parts/bitmaps/bitmaps.js')|null} bitmaps
 *   the pictures of a crowded table as bitmaps; loaded when a table has become crowded
 * @property {typeof import('./parts/sounds/sounds.js')|null} sounds
 *   what one hears; loaded with the first press, unless this person wants no sounds
 * @property {typeof import('./parts/datagrams/datagrams.js')|null} datagrams
 *   the stream by datagrams; a server without them does not name this part
 */
/** @typedef {keyof Parts} Name */
/** @template {Name} N @typedef {NonNullable<Parts[N]>} Part */
/** @typedef {<N extends Name>(name: N) => Promise<Part<N>>} Load */

/**
 * The parts that any kind with offers needs, as places do, and those of secret pieces.
 * @type {Name[]}
 */
const OF_OFFERS = ['abilities'];
/** @type {Name[]} */
const OF_SECRETS = [...OF_OFFERS, 'cards', 'fairness'];
/** The part of kinds with layers. @type {Name[]} */
const OF_LAYERS = ['layers'];

/** The parts without which a table can be shown, but nobody can play. @type {Set<Name>} */
const OF_PLAY = new Set(['fairness']);
/**
 * The parts that show something, without which a replay cannot be shown, and that with the shape of
 * all dialogs. A replay loads no others.
 * @type {Set<Name>}
 */
const OF_REPLAY = new Set([
  'abilities', 'boards', 'cards', 'clocks', 'components', 'dialogs', 'drawing', 'layers', 'log',
  'marks', 'motion', 'replay', 'zones',
]);

/**
 * The parts that show or write components. They are bound after the part with the replica.
 * @type {Set<Name>}
 */
const SHARING = new Set([
  'marks', 'doors', 'settings', 'profiles', 'sheet', 'drawing', 'pings', 'ruler',
]);

/**
 * Returns the parts that are needed to show pieces of these kinds, and what belongs to these sides
 * (T92). The server has the same rule (web/parts.go), so that they come along with the page.
 * @param {Kind[]} kinds
 * @param {import('./view/catalog.js').Side[]} sides
 */
export function partsFor(kinds, sides) {
  const ofPlaces = sides.some(({ pieces }) => pieces) ? OF_OFFERS : [];
  const names = new Set([...ofPlaces, ...allFor(kinds).filter((name) => !OF_PLAY.has(name))]);
  return [...names].sort();
}

/**
 * Returns the parts that are needed to play with pieces of these kinds, beside those that show
 * them.
 * @param {Kind[]} kinds
 * @returns {Name[]}
 */
export function partsForPlay(kinds) {
  return ['controls', ...allFor(kinds).filter((name) => OF_PLAY.has(name))];
}

/** @param {Kind[]} kinds @returns {Name[]} */
function allFor(kinds) {
  const names = kinds.flatMap((k) => [
    ...(k.secret ? OF_SECRETS : k.offers?.length ? OF_OFFERS : []),
    ...(abilityOf(k).parts ?? []),
    ...(k.faces.some((f) => f.layers) ? OF_LAYERS : []),
  ]);
  return [...new Set(names)].sort();
}

/** Returns that no part is loaded. @returns {Parts} */
export function noParts() {
  return {
    controls: null,
    abilities: null,
    cards: null,
    boards: null,
    zones: null,
    layers: null,
    clocks: null,
    fairness: null,
    motion: null,
    components: null,
    marks: null,
    doors: null,
    settings: null,
    profiles: null,
    sheet: null,
    log: null,
    undo: null,
    replay: null,
    rounds: null,
    saves: null,
    drawing: null,
    pings: null,
    ruler: null,
    guests: null,
    bag: null,
    dialogs: null,
    edit: null,
    csv: null,
    space: null,
    bitmaps: null,
    sounds: null,
    datagrams: null,
  };
}

/**
 * The state of the parts. A part creates its own when it is bound, and nobody else reads or writes
 * it.
 * @typedef {object} PartState
 * @property {import('./parts/abilities/state.js').Abilities|null} abilities
 * @property {import('./parts/cards/state.js').Cards|null} cards
 * @property {import('./parts/clocks/state.js').Clocks|null} clocks
 * @property {import('./parts/motion/state.js').Motion|null} motion
 */

/** @returns {PartState} */
export function noPartState() {
  return { abilities: null, cards: null, clocks: null, motion: null };
}

/**
 * Sets s.load(), and loads a part when somebody is about to use it.
 * @param {State} s
 * @param {Voice} voice
 * @param {Partial<Parts>} [given] parts that need not be loaded
 * @returns {() => void} stops the loaded parts
 */
export function bindParts(s, voice, given = {}) {
  const { main } = s.page;
  const files = filesIn(main);
  /** @type {Map<Name, Promise<any>>} */
  const coming = new Map();
  /** @type {(() => void)[]} */
  const stops = [];
  /** Number of failed attempts. A new address avoids a failure that the browser remembers. */
  let failed = 0;
  const fetchPart = async (/** @type {Name} */ name) => {
    const { script = '', style } = files.get(name) ?? {};
    try {
      const loading = given[name] ?? import(failed > 0 ? `${script}?again=${failed}` : script);
      const [part] = await Promise.all([
        loading,
        style && addStyle(style),
        SHARING.has(name) && s.load('components'),
      ]);
      s.parts[name] = part;
      stops.push(part.bind(s, voice, s.parts.components));
      redrawBars(s);
      return part;
    } catch (error) {
      failed++;
      coming.delete(name);
      void reloadIfOld(s, voice);
      throw error;
    }
  };
  s.load = (name) => {
    if (s.isReplay && !OF_REPLAY.has(name)) return new Promise(() => {}); // nobody waits for it
    const known = coming.get(name) ?? fetchPart(name);
    coming.set(name, known);
    return known;
  };
  const reach = (/** @type {Event} */ e) => {
    const name =
      e.target instanceof Element && e.target.closest('[data-part]')?.getAttribute('data-part');
    if (name) s.load(/** @type {Name} */ (name)).catch(() => {}); // use() reports a failure
  };
  return all(
    on(main, 'pointerover', reach),
    on(main, 'pointerdown', reach),
    on(main, 'focusin', reach),
    () => {
      for (const stop of stops) stop();
    },
  );
}

/** Returns the part for components. Only for parts that are bound after it. @param {State} s */
export function sharedOf({ parts: { components } }) {
  return /** @type {Part<'components'>} */ (components);
}

/** Milliseconds between two attempts to load a part. */
const AGAIN = 3000;

/**
 * Loads a part that the table needs, and retries until that succeeds.
 * @param {State} s
 * @param {Name} name
 * @returns {Promise<void>} fulfilled when it is loaded
 */
export function loadUntilDone(s, name) {
  const known = loading.get(name);
  if (known) return known;
  const attempt = async () => {
    for (;;)
      try {
        await s.load(name);
        break;
      } catch {
        await new Promise((again) => setTimeout(again, AGAIN));
      }
    loading.delete(name);
  };
  const done = attempt();
  loading.set(name, done);
  return done;
}

/** The parts that are being loaded in this way. @type {Map<Name, Promise<void>>} */
const loading = new Map();

/** Number of calls of use(). Only the last one counts. */
let calls = 0;

/**
 * Calls a function with a part: at once, or when the part is loaded. If it cannot be loaded, the
 * player is notified; the next call tries again. Of several calls that wait, only the last one
 * counts.
 * @template {Name} N
 * @param {State} s
 * @param {Voice} voice
 * @param {N} name
 * @param {(part: Part<N>) => void} f
 */
export function use(s, voice, name, f) {
  const call = ++calls;
  const here = s.parts[name];
  if (here) {
    f(here);
    return;
  }
  s.load(name).then(
    (part) => {
      if (call === calls) f(part);
    },
    () => {
      if (call === calls) voice.alarm(msg('core.load.part'));
    },
  );
}

/**
 * Returns the addresses of the parts. The server has written the names of their files into the
 * page; each begins with the name of its part.
 * @param {HTMLElement} main
 */
function filesIn({ dataset: { assets = '', parts = '' } }) {
  /** @type {Map<string, {script?: string, style?: string}>} */
  const files = new Map();
  for (const file of parts.split(' ')) {
    const name = file.slice(file.lastIndexOf('/') + 1).replace(/[-.].*$/, '');
    const kind = file.endsWith('.css') ? 'style' : 'script';
    files.set(name, { ...files.get(name), [kind]: assets + file });
  }
  return files;
}

/**
 * Adds a style sheet to the page, unless the page has it already.
 * @param {string} href
 * @returns {Promise<void>} fulfilled when the sheet is loaded
 */
function addStyle(href) {
  return new Promise((done, fail) => {
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) {
      done();
      return;
    }
    const failed = () => {
      link.remove();
      fail(new Error(`style sheet ${href}`));
    };
    const link = el('link', { rel: 'stylesheet', href, onload: () => done(), onerror: failed });
    document.head.append(link);
  });
}

/** Milliseconds between two checks whether the page may be reloaded. */
const PAUSE = 1000;

/** Whether the page is about to reload. */
let leaving = false;

/**
 * Reloads the page if the server has another version of it, with other files: the parts of this
 * version no longer exist. It waits until nothing is pending, held, open or being written.
 * @param {State} s
 * @param {Voice} voice
 */
async function reloadIfOld(s, voice) {
  if (leaving) return;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
    if (!answer.ok) return;
    if ((await answer.text()).includes(`"${s.page.main.dataset.parts}"`)) return;
  } catch {
    return; // the server is unreachable; a later failure tries again
  }
  if (leaving) return;
  leaving = true;
  voice.alarm(msg('core.load.old'));
  const leave = () => {
    const held = s.input.carry || s.parts.cards?.fetch.isWaiting(s);
    const busy = hasPending(s) || held || document.querySelector('dialog, .editor');
    if (busy) setTimeout(leave, PAUSE);
    else location.reload();
  };
  leave();
}
