// The page of the scoreboard. All texts of other people enter it as text.

/** @typedef {import('./board.js').Board} Board */
/** @typedef {{state: import('./link.js').State, now: number, board: Board}} News */

const STATES = {
  open: '', lost: 'The connection is lost. This is how it was.', ended: 'The link has ended.',
};

/** What the board says of players who are not here, by their presence. */
const PRESENCES = ['not here', '', 'away', 'connection lost'];
/** Sizes of the sheet's letters, in em. The board takes the largest with which all of it fits. */
const SIZES = [2, 1.7, 1.4, 1.2, 1, 0.85];

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {string} tag
 * @param {{class?: string, scope?: string}} attributes
 * @param {...(Node | string)} children
 */
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

/** @type {Board['clocks']} */
let clocks = [];
/** The time of the server minus that of this page, in ms. */
let ahead = 0;

/** The time on a side of a clock. @param {Board['clocks'][number]} clock @param {number} side */
function timeOn({ running, since, left, up }, side) {
  const passed = running === side + 1 ? Math.max(Date.now() + ahead - since, 0) : 0;
  const seconds = Math.floor(Math.max(left[side] + (up ? passed : -passed), 0) / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function drawTimes() {
  for (const [i, clock] of clocks.entries())
    for (const [side, e] of byId('clocks').children[i].querySelectorAll('.side').entries())
      e.textContent = timeOn(clock, side);
}

function drawClocks() {
  byId('clocks').hidden = clocks.length === 0;
  byId('clocks').replaceChildren(...clocks.map((clock) => el(
    'div',
    { class: 'clock' },
    el('span', { class: 'small' }, clock.name),
    ...clock.left.map((_, i) =>
      el('span', { class: clock.running === i + 1 ? 'side runs' : 'side' })),
    el(
      'span', { class: 'small' },
      clock.running === 0 ? 'stopped'
        : clock.left.length === 1 ? 'running' : `side ${clock.running} is running`,
    ),
  )));
  drawTimes();
}

/** @param {Board['players'][number]} player */
function playerOf({ name, colour, presence, holding, hand }) {
  const item = el('li', { class: presence === 1 ? 'player' : 'player away' });
  item.style.setProperty('--colour', colour);
  item.append(el('span', { class: 'name' }, name));
  const lines = [
    PRESENCES[presence] ?? '', hand > 0 ? `${hand} in hand` : '',
    holding.length > 0 ? `holds ${holding.join(', ')}` : '',
  ];
  for (const line of lines) if (line) item.append(el('span', { class: 'small' }, line));
  return item;
}

/** @param {NonNullable<Board['sheet']>} sheet */
function tableOf({ title, columns, rows }) {
  const line = (/** @type {string} */ name, /** @type {string[]} */ cells) => el(
    'tr', {}, el('th', { scope: 'row' }, name), ...cells.map((text) => el('td', {}, text)),
  );
  const table = el(
    'table', {}, el('caption', {}, title || 'Scores'),
    el('thead', {}, el(
      'tr', {}, el('td', {}),
      ...columns.map(({ heading }) => el('th', { scope: 'col' }, heading)),
    )),
    el('tbody', {}, ...rows.map(({ name, cells }) => line(name, cells))),
  );
  if (columns.some(({ sum }) => sum !== ''))
    table.append(el('tfoot', {}, line('Sum', columns.map(({ sum }) => sum))));
  return table;
}

/** The sheet that is drawn, as JSON. */
let drawn = '';

/**
 * Draws the sheet if it has changed. A sheet that does not fit shows its last rows, and the sums:
 * nobody scrolls on a second screen.
 *
 * @param {Board['sheet']} sheet
 */
function drawSheet(sheet) {
  const now = JSON.stringify(sheet);
  if (now === drawn) return;
  drawn = now;
  byId('sheet').hidden = sheet === null;
  byId('sheet').replaceChildren(...(sheet ? [tableOf(sheet)] : []));
  fit();
}

function fit() {
  const box = byId('sheet');
  for (const size of SIZES) {
    box.style.fontSize = `${size}em`;
    if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) break;
  }
  box.scrollTop = box.scrollHeight;
}

/** @param {News} news */
function draw({ state, now, board }) {
  ahead = now - Date.now();
  document.title = board.title || 'Scoreboard';
  byId('title').textContent = document.title;
  byId('state').textContent = STATES[state];
  byId('state').className = state === 'open' ? '' : 'lost';
  clocks = board.clocks;
  drawClocks();
  byId('players').replaceChildren(...board.players.map(playerOf));
  byId('watching').textContent = board.watching > 0 ? `${board.watching} watching` : '';
  drawSheet(board.sheet);
}

const events = new EventSource('events');
events.addEventListener('message', ({ data }) => draw(JSON.parse(data)));
events.addEventListener('error', () => {
  byId('state').textContent = STATES.lost;
  byId('state').className = 'lost';
});
setInterval(drawTimes, 250);
addEventListener('resize', fit);
