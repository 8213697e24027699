// The page of a table: puts its parts together and lets them go.

import { bindArrows } from './bars/arrows.js';
import { prefetch, loadCatalog } from './view/catalog.js';
import { bindBanner } from './bars/banner.js';
import { all } from './view/dom.js';
import { followChance } from './relay/randomness.js';
import { showHint } from './bars/hint.js';
import { bindKeys } from './input/keys.js';
import { answerForKinds } from './sync/kinds.js';
import { bindMenu } from './input/menu.js';
import { browserDeps, createNet } from './net/net.js';
import { onOutcome } from './outcome.js';
import { buildPage } from './page.js';
import { bindParts, insist, partsFor, use } from './parts.js';
import { watchPending } from './bars/pending.js';
import { bindPinch } from './input/pinch.js';
import { fit, turnToSide } from './view/camera.js';
import { bindPeople } from './bars/people.js';
import { bindPointer } from './input/pointer.js';
import { bindPresence } from './net/presence.js';
import { startRendering } from './view/render.js';
import { createVoice } from './bars/say.js';
import { bindSending } from './net/sendmotion.js';
import { firstPiece, focusOn } from './input/select.js';
import { followShared } from './relay/components.js';
import { createState } from './state.js';
import { strings } from './strings.js';
import { weave } from './view/surface.js';
import { createSync } from './sync/sync.js';
import { bindTablebar, tableDoors } from './bars/tablebar.js';
import { bindToolbar } from './bars/toolbar.js';
import { bindZoom } from './view/zoom.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./bars/say.js').Voice} Voice */

/** Milliseconds after which a catalogue that did not come is asked for again. */
const AGAIN = 3000;

/**
 * A name for this life of the page. A reload is another client: what this one has not been answered is known to nobody else.
 */
function mintClient() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
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
  const catalogs = followCatalog(s, voice);
  const banner = bindBanner(s, voice);
  const presence = bindPresence(s);
  const parts = bindParts(s, voice);
  const chance = followChance(s);
  const shared = followShared(s);
  const doors = {
    help: () => use(s, voice, 'dialogs', (dialogs) => dialogs.openHelp(s)),
    box: () => use(s, voice, 'dialogs', (dialogs) => dialogs.openBox(s)),
    table: () => use(s, voice, 'settings', (tabletop) => tabletop.openTable(s, voice)),
    invite: () => use(s, voice, 'dialogs', (dialogs) => void dialogs.openInvite(s)),
    ...tableDoors(s, voice),
  };
  s.net = createNet({
    table,
    sync,
    onFrame: (outcome) => {
      onOutcome(s, outcome, voice);
      s.going = outcome.going ?? s.going;
      if (outcome.saving) banner.onStatus(s.link);
      chance(outcome);
      shared(outcome);
      catalogs.check();
      if (sync.sets.size > 0 && !s.parts.guests) insist(s, 'guests');
      if (sync.space && !s.parts.space) insist(s, 'space');
    },
    onStatus: (status) => {
      banner.onStatus(status);
      presence.onStatus(status);
    },
    onRefused: (_problem, changed) => {
      for (const id of changed) s.dirty.add(id);
      s.redraw();
      voice.alarm(strings.why.batch);
    },
    deps: browserDeps(),
  });
  s.serverNow = s.net.serverNow;
  sync.now = s.serverNow;
  s.serverDoubt = s.net.serverDoubt;
  answerForKinds(s);
  const stop = all(
    bindZoom(s),
    bindPinch(s),
    startRendering(s),
    bindPointer(s, voice),
    bindKeys(s, voice, doors),
    bindToolbar(s, voice, doors),
    bindTablebar(s, doors),
    bindMenu(s, voice),
    bindSending(s),
    bindPeople(s, voice, doors),
    watchPending(s),
    weave(main),
    parts,
    catalogs.stop,
    banner.stop,
    presence.stop,
    voice.stop,
    () => s.net.close(),
  );
  bindArrows(s);
  if (main.dataset.home) insist(s, 'bag'); // it brings a visitor home (O39)
  catalogs.want(catalog);
  s.net.open();
  return stop;
}

/**
 * Loads the catalogue that the table names, and again when it names another.
 * @param {State} s @param {Voice} voice
 */
function followCatalog(s, voice) {
  let wanted = '';
  let stopPrefetch = () => {};
  /** @type {number|undefined} */
  let timer;
  const check = () => {
    const hash = s.sync.info?.catalog;
    if (hash && hash !== wanted) want(hash);
    ready();
  };
  const want = async (/** @type {string} */ hash) => {
    if (!hash) return; // the first full state names it
    wanted = hash;
    try {
      const loaded = await loadCatalog(s.catalog, hash);
      await Promise.all(partsFor(loaded.kinds).map(s.load));
      if (wanted === hash) take(loaded);
    } catch {
      if (wanted !== hash) return;
      voice.notice(strings.link.catalog);
      timer = setTimeout(() => want(hash), AGAIN);
    }
  };
  const take = (/** @type {import('./view/catalog.js').Catalog} */ loaded) => {
    s.catalog = loaded;
    s.dirtyAll = true;
    stopPrefetch();
    stopPrefetch = prefetch(loaded, () => {
      for (const id of s.shown.keys()) s.dirty.add(id); // some throw another shadow, now that their shape is known
      s.redraw();
    });
    ready();
    s.redraw();
  };
  const ready = () => {
    if (s.ready || !s.sync.info || s.catalog.kinds.length === 0) return;
    s.ready = true;
    s.dirtyAll = true;
    turnToSide(s);
    fit(s);
    focusOn(s, firstPiece(s));
    s.dirtyBars = true;
    s.page.main.setAttribute('data-ready', '');
    showHint(s);
  };
  return {
    check,
    want,
    stop: () => {
      clearTimeout(timer);
      stopPrefetch();
    },
  };
}

const main = document.querySelector('main[data-table]');
if (main instanceof HTMLElement) start(main);
