// The page of a table: starts its parts, and stops them.

import { keepArt, kindOf, loadCatalog, prefetch } from './view/catalog.js';
import { followCatalog } from './view/newestcatalog.js';
import { bindBanner } from './bars/banner.js';
import { all } from './view/dom.js';
import { relayRandomness } from './relay/randomness.js';
import { answerForKinds } from './sync/kinds.js';
import { browserDeps, createNet } from './net/net.js';
import { OPEN_HANDS, createReplayNet } from './net/replaynet.js';
import { onOutcome } from './outcome.js';
import { buildPage } from './page.js';
import { bindParts, loadUntilDone, partsFor, partsForPlay } from './parts.js';
import { watchPending } from './bars/pending.js';
import { showStage, turnToSide } from './view/camera.js';
import { bindTitle } from './bars/title.js';
import { bindPresence } from './net/presence.js';
import { artFor } from './view/piece.js';
import { startRendering } from './view/render.js';
import { createVoice } from './bars/say.js';
import { firstPiece, focusOn } from './input/select.js';
import { relayComponents } from './relay/components.js';
import { createState } from './state.js';
import './shared.js';
import { msg } from './msg.js';
import { drawGrains } from './view/surface.js';
import { createSync } from './sync/sync.js';
import { bindZoom } from './view/zoom.js';
import { invalidate, invalidateAll } from './view/state.js';
import { invalidateBars } from './bars/state.js';
import { noteStream } from './net/state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */

/**
 * Returns a new identifier of a client. A page that is reloaded is another client: it does not know
 * the pending updates of this one.
 */
function mintClient() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Starts the page in the element that the server has written.
 * @param {HTMLElement} main
 * @returns {() => void} stops everything
 */
function start(main) {
  const { table = '', api = '', art = '/art/', catalog = '' } = main.dataset;
  const page = buildPage(main);
  const voice = createVoice(page);
  const sync = createSync(mintClient());
  const s = createState({ table, api, art, page, sync });
  const catalogs = showKinds(s, voice);
  const banner = bindBanner(s, voice);
  const presence = bindPresence(s);
  const parts = bindParts(s, voice);
  const chance = relayRandomness(s);
  const shared = relayComponents(s);
  s.net = createNet({
    table,
    sync,
    onFrame: (outcome) => {
      noteStream(s, outcome);
      onOutcome(s, outcome, voice);
      if (outcome.saving) banner.onStatus(s.net.status);
      chance(outcome);
      shared(outcome);
      catalogs.check();
      if (sync.sets.size > 0 && !s.parts.guests) void loadUntilDone(s, 'guests');
      if (sync.space && !s.parts.space) void loadUntilDone(s, 'space');
      if (s.shown) loadLater(s);
    },
    onStatus: (status) => {
      banner.onStatus(status);
      presence.onStatus(status);
    },
    onRefused: (_problem, changed) => {
      for (const id of changed) invalidate(s, id);
      s.redraw();
      voice.alarm(msg('core.why.batch'));
    },
    deps: browserDeps(),
  });
  sync.now = s.net.serverNow;
  answerForKinds(s);
  drawGrains();
  bindTitle(s, voice);
  const stop = all(
    bindZoom(s),
    startRendering(s),
    watchPending(s),
    parts,
    catalogs.stop,
    banner.stop,
    presence.stop,
    voice.stop,
    () => s.net.close(),
  );
  // brings a visitor home, says what happened (O39), or puts down what somebody carries (O51)
  const { home, lost, carry } = main.dataset;
  if (home || lost || carry) void loadUntilDone(s, 'bag');
  catalogs.want(catalog);
  s.net.open();
  return stop;
}

/**
 * What a replay is shown from: the server, or the file in which it is.
 * @typedef {object} ReplaySource
 * @property {(after: number) => Promise<Uint8Array>} page returns a page of frames (T73)
 * @property {(after: number) => Promise<Uint8Array>} motions returns a page of recorded motion
 * @property {typeof loadCatalog} [catalog] missing: the server has it
 * @property {Partial<import('./parts.js').Parts>} [parts] parts that need not be loaded
 * @property {boolean} isFile
 * @property {boolean} [isCut] whether the file has not all frames
 */

/**
 * Starts the page of a replay, with the code that draws a table and without all that changes one.
 * @param {HTMLElement} main
 * @param {ReplaySource} source
 */
export function startReplay(main, source) {
  const { api = '', art = '/art/', catalog = '' } = main.dataset;
  main.classList.add('replaying');
  const page = buildPage(main);
  const voice = createVoice(page);
  const sync = createSync(mintClient());
  // What is kept in the browser for the table is not of this page.
  const s = createState({ table: 'replay', api, art, page, sync, isReplay: true });
  let time = 0;
  s.net = createReplayNet(() => time);
  sync.now = s.net.serverNow;
  answerForKinds(s);
  bindParts(s, voice, source.parts);
  const catalogs = showKinds(s, voice, source.catalog);
  const shared = relayComponents(s);
  bindZoom(s);
  startRendering(s);
  drawGrains();
  catalogs.want(catalog);
  void s.load('replay').then((part) => part.begin(s, voice, {
    ...source,
    tell: (at) => {
      time = at;
    },
    shown: (outcome) => {
      shared(outcome);
      catalogs.check();
    },
  }));
}

/**
 * Shows the kinds of the catalogue that the table names, once it is loaded.
 * @param {State} s
 * @param {Voice} voice
 * @param {typeof loadCatalog} [loadFrom]
 */
function showKinds(s, voice, loadFrom = loadCatalog) {
  let stopPrefetch = () => {};
  const take = (/** @type {import('./view/catalog.js').Catalog} */ loaded) => {
    s.catalog = loaded;
    if (s.shown) void loadForPlay(s);
    invalidateAll(s);
    stopPrefetch();
    stopPrefetch = prefetch(loaded, () => {
      // the shapes are known now, and with them the shadows
      for (const id of s.view.shown.keys()) invalidate(s, id);
      s.redraw();
    });
    s.redraw();
    void ready();
  };
  let isStarting = false;
  const ready = async () => {
    if (isStarting || !s.sync.info || s.catalog.kinds.length === 0) return;
    isStarting = true;
    await Promise.race([fetchShown(s), new Promise((late) => setTimeout(late, UNPICTURED))]);
    s.ready = true;
    invalidateAll(s);
    turnToSide(s);
    showStage(s);
    focusOn(s, firstPiece(s));
    invalidateBars(s);
    s.redraw();
    await whenPainted();
    await getReady(s);
  };
  const { check, want, stop } = followCatalog({
    named: () => s.sync.info?.catalog,
    load: async (hash) => {
      const loaded = await loadFrom(s.catalog, hash);
      await Promise.all(partsFor(loaded.kinds, loaded.sides).map(s.load));
      s.parts.layers?.drawFaces(s, loaded);
      return loaded;
    },
    take,
    onFailed: () => voice.notice(msg('core.link.catalog')),
  });
  return {
    check: () => {
      check();
      void ready();
    },
    want,
    stop: () => {
      stop();
      stopPrefetch();
    },
  };
}

/** For how long a table waits for its pictures before it is shown without them, in ms. */
const UNPICTURED = 600;

/**
 * Fetches the pictures on the table. Each one that came later would make the browser draw the whole
 * table again.
 * @param {State} s
 */
function fetchShown(s) {
  const pieces = [...s.sync.pieces.values()];
  return Promise.all(pieces.map((p) => keepArt(s.catalog, artFor(s, p), kindOf(s, p))));
}

/** The number of pieces on a table from which on their pictures are shown as bitmaps. */
const CROWDED = 300;

/** For how long a page in the background, which paints nothing, waits to go on, in ms. */
const UNPAINTED = 500;

/** Waits until the browser has painted the next frame. @returns {Promise<void>} */
function whenPainted() {
  return new Promise((done) => {
    const late = setTimeout(done, UNPAINTED);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(done);
    });
  });
}

/** Loads the parts that are needed to play at a table, but not to see it. @param {State} s */
async function loadForPlay(s) {
  const boards = s.view.boards.size > 0 ? /** @type {const} */ (['boards']) : [];
  const needed = [...(s.isReplay ? [] : partsForPlay(s.catalog.kinds)), ...boards];
  await Promise.all(needed.map((name) => loadUntilDone(s, name)));
}

/**
 * Loads the part that a crowded table needs to stay quick, and that for who edits the game (T99).
 * @param {State} s
 */
function loadLater(s) {
  if (s.sync.pieces.size >= CROWDED && !s.parts.bitmaps) void loadUntilDone(s, 'bitmaps');
  if (s.sync.seats.get(s.sync.you)?.editsBy && !s.parts.edit) void loadUntilDone(s, 'edit');
}

/** Makes a table ready to play at, once it has been shown. @param {State} s */
async function getReady(s) {
  performance.mark('holt.shown'); // scripts/bench/join.mjs reads it
  s.shown = true;
  s.page.main.setAttribute('data-shown', ''); // headings may load their font now
  await loadForPlay(s);
  s.page.main.setAttribute('data-ready', '');
  if (s.isReplay) return;
  s.parts.controls?.showHint(s);
  loadLater(s);
}

const main = document.querySelector('main[data-table]');
if (main instanceof HTMLElement) {
  const { api, replay } = main.dataset;
  if (replay === undefined) start(main);
  else {
    const pageOf = (/** @type {string} */ path) => async (/** @type {number} */ after) => {
      const query = new URLSearchParams();
      if (location.search === OPEN_HANDS) query.set('hands', 'open');
      if (after) query.set('after', String(after));
      const answer = await fetch(`${api}/${path}?${query}`);
      if (!answer.ok) throw new Error(`the replay answers ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    };
    startReplay(main, {
      page: pageOf('replay'), motions: pageOf('replay/motion'), isFile: false,
    });
  }
}
