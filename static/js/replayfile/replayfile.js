// The script of a replay that was saved as one file (T73): the page of a replay with all parts that
// it needs. It reads everything from the file, and asks nobody for anything.

import { startReplay } from '../main.js';
import { readCatalog } from '../view/catalog.js';
import * as abilities from '../parts/abilities/abilities.js';
import * as boards from '../parts/boards/boards.js';
import * as cards from '../parts/cards/cards.js';
import * as clocks from '../parts/clocks/clocks.js';
import * as components from '../parts/components/components.js';
import * as drawing from '../parts/drawing/drawing.js';
import * as layers from '../parts/layers/layers.js';
import * as log from '../parts/log/log.js';
import * as marks from '../parts/marks/marks.js';
import * as motion from '../parts/motion/motion.js';
import * as replay from '../parts/replay/replay.js';
import * as zones from '../parts/zones/zones.js';

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** @param {string} address of data @returns {string} another one, which is short */
function shortened(address) {
  const [head, body] = address.slice('data:'.length).split(';base64,');
  return URL.createObjectURL(new Blob([bytesOf(body)], { type: head }));
}

const main = document.getElementById('table');
const file = document.getElementById('replay');
if (main && file) {
  const { kinds, pictures, pages, motions, isCut } = JSON.parse(file.textContent ?? '');
  const addresses = new Map(
    Object.entries(pictures).map(([hash, address]) => [hash, shortened(address)]),
  );
  let read = 0;
  let readMotions = 0;
  startReplay(main, {
    isFile: true,
    isCut,
    page: async () => bytesOf(pages[read++] ?? ''),
    motions: async () => bytesOf(motions[readMotions++] ?? ''),
    catalog: async (before, hash) => {
      for (const [picture, address] of Object.entries(pictures))
        before.sources.set(picture, address);
      return readCatalog(before, hash, kinds, addresses);
    },
    parts: {
      abilities, boards, cards, clocks, components, drawing, layers, log, marks, motion, replay,
      zones,
    },
  });
}
