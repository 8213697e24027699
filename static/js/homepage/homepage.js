// What the front page does: it finds games on the shelf (G19), and with games that people bring
// (G11) it uploads files, and forgets games. All texts stand in the page (templates/home.templ).

import { bindLinked } from './linked.js';
import { part } from './part.js';
import { bindShelf } from './shelf.js';

const API = '/api/v1/games';

/** @param {HTMLElement} root what lets somebody bring a game */
function bindBringing(root) {
  const file = part(root, 'file');
  const coming = part(root, 'coming');
  const problem = part(root, 'problem');
  const said = part(root, 'said');
  const progress = root.querySelector('progress');
  const shelf = root.closest('form')?.querySelector('.shelves');
  /** @type {XMLHttpRequest|null} */
  let request = null;
  const { lost = '' } = said.dataset;
  const over = (/** @type {string} */ text) => {
    request = null;
    coming.hidden = true;
    problem.textContent = text;
    problem.hidden = text === '';
    if (file instanceof HTMLInputElement) file.value = '';
  };
  const bring = (/** @type {File} */ chosen) => {
    if (request) return;
    const x = new XMLHttpRequest();
    request = x;
    problem.hidden = true;
    coming.hidden = false;
    said.textContent = said.dataset.comingText ?? '';
    if (progress) progress.value = 0;
    x.upload.addEventListener('progress', ({ loaded, total }) => {
      if (progress && total > 0) progress.value = (100 * loaded) / total;
    });
    x.addEventListener('load', () => {
      const { game, detail } = answerOf(x);
      if (game) location.assign(`/?game=${game}`);
      else over(detail ? (said.dataset.refused ?? '').replace('{reason}', detail) : lost);
    });
    x.addEventListener('error', () => over(lost));
    x.addEventListener('abort', () => {
      over('');
      said.textContent = said.dataset.cancelled ?? '';
    });
    x.open('POST', API);
    x.setRequestHeader('Content-Type', 'application/zip');
    x.send(chosen);
  };
  file.addEventListener('change', () => {
    const chosen = file instanceof HTMLInputElement ? file.files?.[0] : null;
    if (chosen) bring(chosen);
  });
  part(root, 'cancel').addEventListener('click', () => request?.abort());
  const hasFile = (/** @type {DragEvent} */ e) => e.dataTransfer?.types.includes('Files');
  addEventListener('dragover', (e) => {
    if (!hasFile(e)) return;
    e.preventDefault(); // otherwise the browser leaves the page and opens the file
    shelf?.classList.add('dropping');
  });
  addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) shelf?.classList.remove('dropping');
  });
  addEventListener('drop', (e) => {
    if (!hasFile(e)) return;
    e.preventDefault();
    shelf?.classList.remove('dropping');
    const dropped = e.dataTransfer?.files[0];
    if (dropped) bring(dropped);
  });
  root.hidden = false;
}

/**
 * Returns what the server has answered.
 * @param {XMLHttpRequest} x
 * @returns {{game?: string, detail?: string}} the game, or what is wrong
 */
function answerOf(x) {
  try {
    return JSON.parse(x.responseText);
  } catch {
    return {};
  }
}

/** @param {HTMLElement} root what can be done with a game that this browser has brought */
function bindOwn(root) {
  const forget = part(root, 'forget');
  const sure = part(root, 'sure');
  const ask = (/** @type {boolean} */ isAsking) => {
    sure.hidden = !isAsking;
    forget.hidden = isAsking;
    (isAsking ? part(root, 'no') : forget).focus();
  };
  forget.addEventListener('click', () => ask(true));
  part(root, 'no').addEventListener('click', () => ask(false));
  part(root, 'yes').addEventListener('click', async () => {
    const address = `${API}/${root.dataset.game}`;
    const answer = await fetch(address, { method: 'DELETE' }).catch(() => null);
    if (answer?.ok || answer?.status === 404) location.assign('/');
    else ask(false);
  });
  root.hidden = false;
}

for (const root of document.querySelectorAll('[data-bring]'))
  if (root instanceof HTMLElement) bindBringing(root);
for (const root of document.querySelectorAll('[data-linked]'))
  if (root instanceof HTMLElement) bindLinked(root);
for (const root of document.querySelectorAll('[data-game]'))
  if (root instanceof HTMLElement) bindOwn(root);
const filters = document.querySelector('[data-filters]');
const games = document.querySelector('[data-shelf]');
if (filters instanceof HTMLElement && games instanceof HTMLElement) bindShelf(filters, games);
