// Parts of the page that come when they are needed, each a file of its own: what the catalogue of the table asks for before the table is
// shown, the rest when somebody reaches for it. A part imports of the page what it likes; the page knows it through s.parts alone.

import { all, el, on } from './view/dom.js';
import { strings } from './strings.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */
/** @typedef {import('./view/catalog.js').Kind} Kind */

/**
 * The parts that are here; null: not yet.
 * @typedef {object} Parts
 * @property {typeof import('./parts/abilities/abilities.js')|null} abilities dice, counters, currency, notes, labels; and what kinds offer
 * @property {typeof import('./parts/cards/cards.js')|null} cards secret pieces, hands, containers, and what is drawn out of them
 * @property {typeof import('./parts/clocks/clocks.js')|null} clocks comes with the first clock on the table: every game has some in its box
 * @property {typeof import('./parts/fairness/fairness.js')|null} fairness the witness of randomness (S17)
 * @property {typeof import('./parts/motion/motion.js')|null} motion what others carry and where they point, while they are on their way
 * @property {typeof import('./parts/components/components.js')|null} components components that merge: what is written on pieces, the score sheet, drawings
 * @property {typeof import('./parts/marks/marks.js')|null} marks what is written on pieces: labels, tints, remarks
 * @property {typeof import('./parts/settings/settings.js')|null} settings the settings of the table
 * @property {typeof import('./parts/profiles/profiles.js')|null} profiles how people appear
 * @property {typeof import('./parts/sheet/sheet.js')|null} sheet the score sheet
 * @property {typeof import('./parts/drawing/drawing.js')|null} drawing what people draw on the table
 * @property {typeof import('./parts/pings/pings.js')|null} pings places that people show each other
 * @property {typeof import('./parts/ruler/ruler.js')|null} ruler how far it is from one place to another
 * @property {typeof import('./parts/guests/guests.js')|null} guests sets that lie on the table as guests (T37): comes with the first one
 * @property {typeof import('./parts/bag/bag.js')|null} bag what somebody has in their bag (O38); with a visitor it is there from the start
 * @property {typeof import('./parts/dialogs/dialogs.js')|null} dialogs what is opened, and closed again
 * @property {typeof import('./parts/space/space.js')|null} space says that the log of the table fills up (T44): comes with the first warning
 * @property {typeof import('./parts/datagrams/datagrams.js')|null} datagrams the stream by datagrams; a server that has none does not name it
 */
/** @typedef {keyof Parts} Name */
/** @template {Name} N @typedef {NonNullable<Parts[N]>} Part */

/** The kinds that need a part. @type {[Name, (k: Kind) => unknown][]} */
const NEEDED = [
  ['abilities', (k) => k.offers?.length || k.hand || k.secret || k.die || k.counter || k.currency || k.text || k.seat],
  ['cards', (k) => k.hand || k.container || k.secret || k.currency],
  ['fairness', (k) => k.container || k.secret || k.die],
];

/** The parts that show or write components: they come with the replica, and are bound when that is here. @type {Set<Name>} */
const SHARING = new Set(['marks', 'settings', 'profiles', 'sheet', 'drawing', 'pings', 'ruler']);

/**
 * The parts without which pieces of these kinds cannot be shown and played with. The server finds the same (web/parts.go), so that
 * they come along with the page.
 * @param {Kind[]} kinds
 */
export function partsFor(kinds) {
  return NEEDED.filter(([, is]) => kinds.some(is)).map(([name]) => name);
}

/** No part is here yet. @returns {Parts} */
export function noParts() {
  return { abilities: null, cards: null, clocks: null, fairness: null, motion: null, components: null, marks: null, settings: null, profiles: null, sheet: null, drawing: null, pings: null, ruler: null, guests: null, bag: null, dialogs: null, space: null, datagrams: null };
}

/**
 * Lets parts be loaded: gives the state its load().
 * @param {State} s @param {Voice} voice
 * @returns {() => void} stops those that are here
 */
export function bindParts(s, voice) {
  const { main } = s.page;
  const files = filesIn(main);
  /** @type {Map<Name, Promise<any>>} */
  const coming = new Map();
  /** @type {(() => void)[]} */
  const stops = [];
  /** So many attempts have failed: a browser may remember what an address has not given. */
  let failed = 0;
  const fetchPart = async (/** @type {Name} */ name) => {
    const { script = '', style } = files.get(name) ?? {};
    try {
      const loading = import(failed > 0 ? `${script}?again=${failed}` : script);
      const [part] = await Promise.all([loading, style && addStyle(style), SHARING.has(name) && s.load('components')]);
      s.parts[name] = part;
      stops.push(part.bind(s, voice, s.parts.components));
      s.dirtyBars = true;
      s.redraw();
      return part;
    } catch (error) {
      failed++;
      coming.delete(name);
      void reloadIfOld(s, voice);
      throw error;
    }
  };
  s.load = (name) => {
    const known = coming.get(name) ?? fetchPart(name);
    coming.set(name, known);
    return known;
  };
  const reach = (/** @type {Event} */ e) => {
    const name = e.target instanceof Element && e.target.closest('[data-part]')?.getAttribute('data-part');
    if (name) s.load(/** @type {Name} */ (name)).catch(() => {}); // it is told when it is asked for
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

/** What is about components, for the parts that come with it. @param {State} s */
export function sharedOf({ parts: { components } }) {
  return /** @type {Part<'components'>} */ (components);
}

/** Milliseconds after which what could not be loaded is asked for again. */
const AGAIN = 3000;

/**
 * Loads a part that what is on the table needs, however often it takes.
 * @param {State} s @param {Name} name
 */
export function insist(s, name) {
  if (insisted.has(name)) return;
  insisted.add(name);
  const attempt = () => {
    s.load(name).then(() => insisted.delete(name), () => setTimeout(attempt, AGAIN));
  };
  attempt();
}

/** What is being loaded in this way. @type {Set<Name>} */
const insisted = new Set();

/** So many wishes for parts there were. The last one counts. */
let wishes = 0;

/**
 * Does something with a part when it is here, at once if it is. If it cannot be had that is said, and nothing done; the next attempt
 * asks for it again. Of several wishes that wait the last one is fulfilled.
 * @template {Name} N
 * @param {State} s @param {Voice} voice @param {N} name @param {(part: Part<N>) => void} f
 */
export function use(s, voice, name, f) {
  const wish = ++wishes;
  const here = s.parts[name];
  if (here) {
    f(here);
    return;
  }
  s.load(name).then(
    (part) => {
      if (wish === wishes) f(part);
    },
    () => {
      if (wish === wishes) voice.alarm(strings.link.part);
    },
  );
}

/**
 * Where the parts are, as the server has written it: names of files, which begin with the name of the part.
 * @param {HTMLElement} main
 */
function filesIn({ dataset: { assets = '', parts = '' } }) {
  /** @type {Map<string, {script?: string, style?: string}>} */
  const files = new Map();
  for (const file of parts.split(' ')) {
    const name = file.slice(file.lastIndexOf('/') + 1).replace(/[-.].*$/, '');
    files.set(name, { ...files.get(name), [file.endsWith('.css') ? 'style' : 'script']: assets + file });
  }
  return files;
}

/** Adds a style sheet to the page, unless it came with it. @param {string} href @returns {Promise<void>} when it is in force */
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

/** Milliseconds between attempts to load a newer page while something is under way in this one. */
const PAUSE = 1000;

/** Whether a newer page is about to be loaded. */
let leaving = false;

/**
 * Loads the page anew if the server has another one, whose parts are other files: what this page lacks is there no more. Not before all
 * that was done is answered, and nothing is in hand or open.
 * @param {State} s @param {Voice} voice
 */
async function reloadIfOld(s, voice) {
  if (leaving) return;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
    if (!answer.ok || (await answer.text()).includes(`"${s.page.main.dataset.parts}"`)) return;
  } catch {
    return; // the server is away: it can be tried again
  }
  if (leaving) return;
  leaving = true;
  voice.alarm(strings.link.old);
  const leave = () => {
    const busy = s.sent.size + s.making.size > 0 || s.carry || s.fetches.length > 0 || document.querySelector('dialog, .editor');
    if (busy) setTimeout(leave, PAUSE);
    else location.reload();
  };
  leave();
}
