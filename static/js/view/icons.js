// The pictures on buttons: one path each on a grid of 24, drawn with a round pen. This file has the
// pictures that every table needs. Parts of the page that are loaded later add their own.

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, string>} */
const PATHS = {
  hand:
    'M8 13V6a1.5 1.5 0 0 1 3 0v5m0-6.5a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12' +
    'm0-2.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.7-2.3L4.5 14.6' +
    'a1.5 1.5 0 0 1 2.3-1.9L8 14',
  down: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  flip:
    'M4 12a8 8 0 0 1 13.5-5.8L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.5 5.8L4 15.5' +
    'M4 20v-4.5h4.5',
  rotate: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5',
  unrotate: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5',
  raise: 'M7 10l5-5 5 5M12 5v9M4 19h16',
  lower: 'M7 14l5 5 5-5M12 19v-9M4 5h16',
  below: 'M4 4h12v4M4 4v12h4M8 8h12v12H8zM14 11v6m-2.5-2.5L14 17l2.5-2.5',
  shuffle:
    'M4 7h3c5 0 5 10 10 10h3m-3-3 3 3-3 3M4 17h3c1.8 0 3-1.3 4-2.8M13 9.8C14 8.3 15.2 7 17 7h3' +
    'm-3-3 3 3-3 3',
  stack: 'M12 3l9 4.5-9 4.5-9-4.5zM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5',
  spread: 'M3 7.5h6V17H3zM9 9h3M9 15.5h3M12 7.5h9V17h-9z',
  pile: 'M8 4h12v12H8zM8 8H4v12h12v-4',
  pin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V21',
  unpin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V21M4 4l16 16',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2',
  label: 'M3.5 12V4.5a1 1 0 0 1 1-1H12l8.5 8.5-8.5 8.5zM7.8 7.8v.1',
  tint: 'M12 3.5c3.6 4 6 7.3 6 10.3a6 6 0 0 1-12 0c0-3 2.4-6.3 6-10.3zM9 14a3 3 0 0 0 3 3',
  remark: 'M4 5h16v11h-9l-4.5 4V16H4zM8 9h8M8 12h5',
  door: 'M6 21V4.5L15 3v18M15 5h3v16M3.5 21h17M12 12v.1',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  wrest: 'M4 12h10m-4-4 4 4-4 4M14 4h6v16h-6',
  add: 'M12 5v14M5 12h14',
  many: 'M4 4h4M4 4v4M20 4h-4M20 4v4M4 20h4M4 20v-4M20 20h-4M20 20v-4M9 12l2.2 2.2L15.5 10',
  more:
    'M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zM11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0z' +
    'M18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0z',
  close: 'M6 6l12 12M18 6 6 18',
  zoomIn:
    'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5M10.5 7.5v6M7.5 10.5h6',
  zoomOut: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5M7.5 10.5h6',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5M9 9h6v6H9z',
  turn:
    'M3 15.5c0-2 4-3.5 9-3.5s9 1.5 9 3.5-4 3.5-9 3.5H9m2.5-3L8.5 19l3 3M12 3v5' +
    'M9.5 5.5 12 3l2.5 2.5',
  swap: 'M8 20V5m-3.5 3.5L8 5l3.5 3.5M16 4v15m-3.5-3.5L16 19l3.5-3.5',
  help:
    'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.8M12 18v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  people:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6' +
    'M16 5.5a3.2 3.2 0 0 1 0 6.2M17.5 14.3c2.3.6 3.7 2.5 4 5.7',
  log: 'M4 5h16v11h-9l-4.5 4V16H4zM8 9h8M8 12h5',
  invite:
    'M10 6a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM3 20c.5-3.5 3-5.5 7-5.5 1.5 0 2.8.3 3.8.9' +
    'M19 13.5v7M15.5 17h7',
  online: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  away: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM12 9.5V12l1.8 1.2',
  gone: 'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM9.5 12h5',
  unplugged:
    'M3 3l18 18M8.5 15.5a5 5 0 0 1 4.5-1.4M5.3 12.2A9 9 0 0 1 9 10M2 8.7A14 14 0 0 1 6 6.2' +
    'M10 5.2A14 14 0 0 1 22 8.7M15 10.5a9 9 0 0 1 3.7 1.7M12 19v.1',
  arrow: 'M5 3.5 19 11l-6.2 1.8L9.5 19z',
  noArrow: 'M5 3.5 19 11l-6.2 1.8L9.5 19zM3 21 21 3',
  eye:
    'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z' +
    'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  minus: 'M5 12h14',
  other: 'M6 12v.1M12 12v.1M18 12v.1',
};

/** Adds pictures by their names. @param {Record<string, string>} paths */
export function addIcons(paths) {
  Object.assign(PATHS, paths);
}

/**
 * Returns a picture that is hidden from screen readers: the button around it has words.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name] ?? PATHS.other);
  svg.append(path);
  return svg;
}
