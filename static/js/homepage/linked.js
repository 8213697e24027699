// Games of linked servers on the front page (O54): who looks sees them, and gets one by a click.
// All texts stand in the page (templates/home.templ).

import { part } from './part.js';

const API = '/api/v1/linked-games';

/** @typedef {{server: string, name: string, away?: boolean, games: Game[]}} Shelf */
/** @typedef {{game: string, name: string, summary: string}} Game */

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {string} className @param {...(string|Node)} children
 */
function make(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** @param {HTMLElement} root what shows the games of linked servers */
export function bindLinked(root) {
  const look = part(root, 'look');
  const shelves = part(root, 'shelves');
  const problem = part(root, 'problem');
  const said = part(root, 'said');
  const text = (/** @type {string} */ name) => said.dataset[name] ?? '';
  const fail = (/** @type {string} */ why) => {
    problem.textContent = why;
    problem.hidden = why === '';
  };
  let isBusy = false;

  const get = async (/** @type {string} */ server, /** @type {string} */ game) => {
    if (isBusy) return;
    isBusy = true;
    fail('');
    said.textContent = text('coming');
    shelves.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(API, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ server, game }),
      });
      const { detail } = await answer.json();
      if (answer.ok) location.assign(`/?game=${game}`);
      else fail(text('refused').replace('{reason}', detail));
    } catch {
      fail(text('lost'));
    } finally {
      shelves.removeAttribute('aria-busy');
      isBusy = false;
    }
  };

  const row = (/** @type {Shelf} */ of, /** @type {Game} */ { game, name, summary }) => {
    const button = make('button', 'linked-get', text('get'));
    button.classList.add('button', 'quiet');
    button.type = 'button';
    button.setAttribute('aria-label', text('getGame').replace('{name}', name));
    button.addEventListener('click', () => void get(of.server, game));
    return make(
      'li', 'linked-game', make('span', '', make('strong', '', name), summary), button,
    );
  };

  const draw = (/** @type {Shelf[]} */ all) =>
    shelves.replaceChildren(...all.flatMap((of) => [
      make('h2', '', of.name),
      of.games.length > 0
        ? make('ul', '', ...of.games.map((game) => row(of, game)))
        : make('p', '', text(of.away ? 'away' : 'none')),
    ]));

  look.addEventListener('click', async () => {
    const isOpen = look.getAttribute('aria-expanded') === 'true';
    look.setAttribute('aria-expanded', String(!isOpen));
    shelves.hidden = true;
    fail('');
    if (isOpen) return;
    said.textContent = text('asking');
    try {
      const answer = await fetch(API);
      const { servers, detail } = await answer.json();
      if (!answer.ok) throw new Error(detail);
      draw(servers);
      shelves.hidden = look.getAttribute('aria-expanded') !== 'true';
      said.textContent = '';
    } catch (err) {
      look.setAttribute('aria-expanded', 'false');
      fail(err instanceof TypeError || !(err instanceof Error) ? text('lost') : err.message);
    }
  });
  root.hidden = false;
}
