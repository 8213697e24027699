// Measures the least that a page can take: processor time of the main thread for each frame on a
// page with plain boxes, of which twenty further ones get a new transform in each frame.
//
//   node scripts/bench/floor.mjs [--boxes 3000] [--runs 3]

import { parseArgs } from 'node:util';
import { launch, Meter } from './chromium.mjs';

const { values: options } = parseArgs({
  options: {
    boxes: { type: 'string', default: '3000' },
    runs: { type: 'string', default: '3' },
  },
});

/** How long a run takes, in ms. */
const LENGTH = 4000;

const CASES = [
  { name: 'nothing moves', moving: 0, listens: true },
  { name: '20 move', moving: 20, listens: true },
  { name: '20 move, accessibility tree off', moving: 20, listens: false },
];

const PAGE = `<style>
  main { position: absolute; inset: 0; contain: strict; }
  div { position: absolute; width: 60px; height: 90px; background: #fff; outline: 1px solid #888; }
  section > div { left: 0; top: 0; will-change: transform; }
</style><main></main><section></section>`;

/** Fills the page. In the browser. @param {{boxes: number, moving: number}} how */
function fill({ boxes, moving }) {
  const box = (/** @type {string} */ parent) => {
    const e = document.createElement('div');
    document.querySelector(parent)?.append(e);
    return e;
  };
  for (let i = 0; i < boxes; i++) {
    const e = box('main');
    e.setAttribute('role', 'button');
    e.setAttribute('aria-label', `Piece ${i}`);
    e.style.left = `${(i % 60) * 20}px`;
    e.style.top = `${Math.floor(i / 60) * 14}px`;
  }
  const movers = Array.from({ length: moving }, () => box('section'));
  for (const e of movers)
    e.animate({ transform: ['none', 'none'] }, { delay: 1, duration: 1 }).pause();
  const step = (/** @type {number} */ now) => {
    for (const [i, { style }] of movers.entries()) {
      const turn = now / 300 + i;
      const [x, y] = [600 + 300 * Math.cos(turn), 300 + 200 * Math.sin(turn)];
      style.transform = `translate(${x}px, ${y}px)`;
    }
    if (moving > 0) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

const browser = await launch();
try {
  /** @type {Record<string, number>} */
  const least = {};
  for (let run = 0; run < Number(options.runs); run++) {
    for (const { name, moving, listens } of CASES) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.setContent(PAGE);
      await page.evaluate(fill, { boxes: Number(options.boxes), moving });
      const meter = await Meter.open(page);
      if (listens) await meter.listen();
      await page.evaluate(() => new Promise((done) => setTimeout(done, 1000)));
      const { msPerFrame } =
        await meter.measure(() => new Promise((done) => setTimeout(done, LENGTH)));
      least[name] = Math.min(least[name] ?? Infinity, Number(msPerFrame.toFixed(2)));
      await page.close();
    }
  }
  console.log('ms of CPU a frame, the lowest of the runs');
  console.table(least);
} finally {
  await browser.close();
}
