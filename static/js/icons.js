// The pictures on buttons: one path each on a grid of 24, drawn with a round pen.

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, string>} */
const PATHS = {
  hand: 'M8 13V6a1.5 1.5 0 0 1 3 0v5m0-6.5a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12m0-2.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.7-2.3L4.5 14.6a1.5 1.5 0 0 1 2.3-1.9L8 14',
  down: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  flip: 'M4 12a8 8 0 0 1 13.5-5.8L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.5 5.8L4 15.5M4 20v-4.5h4.5',
  rotate: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5',
  unrotate: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5',
  raise: 'M7 10l5-5 5 5M12 5v9M4 19h16',
  lower: 'M7 14l5 5 5-5M12 19v-9M4 5h16',
  below: 'M4 4h12v4M4 4v12h4M8 8h12v12H8zM14 11v6m-2.5-2.5L14 17l2.5-2.5',
  shuffle: 'M4 7h3c5 0 5 10 10 10h3m-3-3 3 3-3 3M4 17h3c1.8 0 3-1.3 4-2.8M13 9.8C14 8.3 15.2 7 17 7h3m-3-3 3 3-3 3',
  stack: 'M12 3l9 4.5-9 4.5-9-4.5zM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5',
  spread: 'M3 7.5h6V17H3zM9 9h3M9 15.5h3M12 7.5h9V17h-9z',
  pile: 'M8 4h12v12H8zM8 8H4v12h12v-4',
  pin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V21',
  unpin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V21M4 4l16 16',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  wrest: 'M4 12h10m-4-4 4 4-4 4M14 4h6v16h-6',
  add: 'M12 5v14M5 12h14',
  many: 'M4 4h4M4 4v4M20 4h-4M20 4v4M4 20h4M4 20v-4M20 20h-4M20 20v-4M9 12l2.2 2.2L15.5 10',
  close: 'M6 6l12 12M18 6 6 18',
  zoomIn: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5M10.5 7.5v6M7.5 10.5h6',
  zoomOut: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5M7.5 10.5h6',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5M9 9h6v6H9z',
  turn: 'M3 15.5c0-2 4-3.5 9-3.5s9 1.5 9 3.5-4 3.5-9 3.5H9m2.5-3L8.5 19l3 3M12 3v5M9.5 5.5 12 3l2.5 2.5',
  help: 'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.8M12 18v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  people: 'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 5.5a3.2 3.2 0 0 1 0 6.2M17.5 14.3c2.3.6 3.7 2.5 4 5.7',
  invite: 'M10 6a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM3 20c.5-3.5 3-5.5 7-5.5 1.5 0 2.8.3 3.8.9M19 13.5v7M15.5 17h7',
  online: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  away: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12 9.5V12l1.8 1.2',
  gone: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9.5 12h5',
  unplugged: 'M3 3l18 18M8.5 15.5a5 5 0 0 1 4.5-1.4M5.3 12.2A9 9 0 0 1 9 10M2 8.7A14 14 0 0 1 6 6.2M10 5.2A14 14 0 0 1 22 8.7M15 10.5a9 9 0 0 1 3.7 1.7M12 19v.1',
  crown: 'M4 8l4 4 4-7 4 7 4-4-1.5 10h-13z',
  arrow: 'M5 3.5 19 11l-6.2 1.8L9.5 19z',
  noArrow: 'M5 3.5 19 11l-6.2 1.8L9.5 19zM3 21 21 3',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  flag: 'M6 21V4M6 4.5c4-2.5 7 2 12 0v9c-5 2-8-2.5-12 0',
  clock: 'M12 4a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5l3 2M9.5 1.8h5',
  play: 'M7 5v14l11.5-7z',
  startPause: 'M4.5 5.5v13l8-6.5zM16 5.5v13M20 5.5v13',
  press: 'M12 3v8m-3.5-3.5L12 11l3.5-3.5M4 15h16v5H4z',
  reset: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8.5V12l2.5 1.8',
  minus: 'M5 12h14',
  draw: 'M5 9h9v12H5zM9 5h9v12M12.5 12v-1M16 8l3.5-3.5M16 4.5h3.5V8',
  deal: 'M9.5 10h5v7h-5zM12 7V3m-2 2 2-2 2 2M7 13H3m2-2-2 2 2 2M17 13h4m-2-2 2 2-2 2M12 20v1',
  recall: 'M8 8h8v11H8zM3 5c2 3 3.5 4 5 4.5M21 5c-2 3-3.5 4-5 4.5M3 9V5h4M21 9V5h-4',
  cut: 'M5 12h14v7H5zM5 8V4h10v4M18 5h3m0 0-2-2m2 2-2 2',
  claim: 'M6 21V4M6 4.5h11l-2.5 3.5L17 11.5H6',
  leave: 'M10 4H4v16h6M14 8l4 4-4 4M18 12H9',
  give: 'M3 17.5c3-2.5 5-2.5 7.5-1H15a1.5 1.5 0 0 1 0 3h-3M15.5 17l4-2.5a1.6 1.6 0 0 1 1.8 2.5L16 21H8M12 3v8m-3-3 3 3 3-3',
  team: 'M8 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 20c.4-3.6 2.4-5.5 5.5-5.5s5.1 1.9 5.5 5.5M18 8v8M14 12h8',
  unteam: 'M8 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM2.5 20c.4-3.6 2.4-5.5 5.5-5.5s5.1 1.9 5.5 5.5M14 12h8',
  die: 'M5 5h14v14H5zM9 9v.1M15 9v.1M12 12v.1M9 15v.1M15 15v.1',
  count: 'M4 8h8M8 4v8M13 17h7M5 20 19 6',
  split: 'M12 4v6M12 10l-6 9M12 10l6 9M4 15l2 4 4-1.5M20 15l-2 4-4-1.5',
  write: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  seat: 'M12 4a3.8 3.8 0 1 1 0 7.6A3.8 3.8 0 0 1 12 4zM4.5 20.5c.6-4 3.4-6.2 7.5-6.2s6.9 2.2 7.5 6.2',
  free: 'M12 4a3.8 3.8 0 1 1 0 7.6A3.8 3.8 0 0 1 12 4zM4.5 20.5c.6-4 3.4-6.2 7.5-6.2M15.5 17.5h5',
  turnOf: 'M7 5l11 7-11 7z',
  pass: 'M4 6l8 6-8 6zM13 6l8 6-8 6',
  show: 'M4 5h9v14H4zM16 9c2.5.5 4.2 1.6 5 3-.8 1.4-2.5 2.5-5 3M16 12v.1',
  stow: 'M4 13v7h16v-7M12 3v12m-4-4 4 4 4-4',
  sort: 'M4 6h4M4 12h8M4 18h12M18 4v12m-2.5-2.5L18 16l2.5-2.5',
  playUp: 'M5 11h8v10H5zM9 11V9M16 14V4m-3 3 3-3 3 3',
  playDown: 'M5 11h8v10H5zM7 13l4 6M11 13l-4 6M17 14V4m-3 3 3-3 3 3',
  other: 'M6 12v.1M12 12v.1M18 12v.1',
  alarm: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.1',
  scales: 'M12 4v16M8 20h8M5 7h14M5 7l-2.8 6.5a2.9 2.9 0 0 0 5.6 0zM19 7l-2.8 6.5a2.9 2.9 0 0 0 5.6 0zM12 4v3',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6 11v9h12v-9',
};

/**
 * A picture that says nothing by itself: the button that holds it has words.
 * @param {string} name @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
