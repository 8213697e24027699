// Shows the pictures of a crowded table as bitmaps. Without a graphics card a browser draws a
// vector picture again wherever it occurs, each time something under or over it changes; thousands
// of them hold each frame back. The elements of pieces keep the addresses of their pictures: rules
// of a style sheet put the bitmaps in their place, so nothing else on the page has to know.

import { whenIdle } from '../../view/dom.js';
import { eachFrame } from '../../view/state.js';
import { planBitmaps, resolutionFor } from './plan.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./plan.js').Bitmap} Bitmap */

/** A drawn bitmap. @typedef {{art: string, image: HTMLImageElement}} Drawn */

/** For how long a bitmap waits for a browser that is never idle, in ms. */
const PATIENCE = 200;

/** Of how many zooms and catalogues the bitmaps are kept. */
const KEPT = 3;

/** How far the ratio of a picture may be from that of its kind: a bitmap is not letterboxed. */
const TOLERANCE = 0.02;

/**
 * Shows bitmaps for as long as the page is there, and draws others when a zoom settles or the
 * catalogue grows.
 * @param {State} s
 * @returns {() => void} shows the pictures themselves again
 */
export function bind(s) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  /** The drawn sets of bitmaps, the one used last at the end. @type {Map<string, Drawn[]>} */
  const sets = new Map();
  let wanted = '';
  /** Number of sets that were wanted. Only the last one is drawn. */
  let turns = 0;
  const check = () => {
    const { live, scale } = s.view.camera;
    if (live) return; // a gesture is drawn soft anyway
    const resolution = resolutionFor(scale * devicePixelRatio);
    const key = `${s.catalog.hash} ${resolution}`;
    if (key === wanted) return;
    wanted = key;
    void show(key, planBitmaps(s.catalog, resolution));
  };
  const show = async (/** @type {string} */ key, /** @type {Bitmap[]} */ plan) => {
    const turn = ++turns;
    const set = sets.get(key) ?? (await drawSet(plan, () => turn === turns));
    if (turn !== turns) {
      free(set);
      return;
    }
    sheet.replaceSync(set.map(ruleOf).join('\n'));
    sets.delete(key);
    sets.set(key, set);
    for (const [old, drawn] of sets) {
      if (sets.size <= KEPT) break;
      sets.delete(old);
      free(drawn);
    }
    s.page.main.setAttribute('data-bitmaps', String(set.length));
  };
  eachFrame(s, () => {
    check();
    return false;
  });
  check();
  return () => {
    turns++;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    for (const set of sets.values()) free(set);
  };
}

/**
 * Draws bitmaps, one at a time when the browser is idle. Leaves out what it cannot draw: the
 * picture itself stays in sight there.
 * @param {Bitmap[]} plan
 * @param {() => boolean} goesOn returns whether they are still wanted
 */
async function drawSet(plan, goesOn) {
  /** @type {Drawn[]} */
  const set = [];
  for (const bitmap of plan) {
    await whenIdle({ timeout: PATIENCE });
    if (!goesOn()) break;
    const image = await draw(bitmap).catch(() => null);
    if (image) set.push({ art: bitmap.art, image });
  }
  return set;
}

/**
 * Draws one bitmap, and decodes it, so that it is there at once when a rule names it. Returns null
 * if the picture has another ratio than its kind. Throws if the browser cannot draw it.
 * @param {Bitmap} bitmap
 */
async function draw({ art, width, height }) {
  const picture = new Image();
  picture.src = art;
  await picture.decode();
  const ratio = (picture.naturalWidth * height) / (picture.naturalHeight * width);
  if (!(Math.abs(ratio - 1) <= TOLERANCE)) return null;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  const blob = await new Promise((/** @type {(b: Blob|null) => void} */ done) =>
    canvas.toBlob(done),
  );
  if (!blob) return null;
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(image.src);
    throw error;
  }
  return image;
}

/** @param {Drawn} drawn */
function ruleOf({ art, image }) {
  return `.inner :is(.art, .under)[src="${CSS.escape(art)}"] { content: url("${image.src}"); }`;
}

/** @param {Drawn[]} set */
function free(set) {
  for (const { image } of set) URL.revokeObjectURL(image.src);
}
