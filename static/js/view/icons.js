// The pictures on buttons: one path each on a grid of 24, drawn with a round pen. This file has the
// pictures that are shown before the part `controls` is loaded. Parts of the page add their own.

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, string>} */
const PATHS = {
  hand:
    'M8 13V6a1.5 1.5 0 0 1 3 0v5m0-6.5a1.5 1.5 0 0 1 3 0V11m0-4.5a1.5 1.5 0 0 1 3 0V12' +
    'm0-2.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.5a6 6 0 0 1-4.7-2.3L4.5 14.6' +
    'a1.5 1.5 0 0 1 2.3-1.9L8 14',
  pin: 'M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V21',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  remark: 'M4 5h16v11h-9l-4.5 4V16H4zM8 9h8M8 12h5',
  door: 'M6 21V4.5L15 3v18M15 5h3v16M3.5 21h17M12 12v.1',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  close: 'M6 6l12 12M18 6 6 18',
  unplugged:
    'M3 3l18 18M8.5 15.5a5 5 0 0 1 4.5-1.4M5.3 12.2A9 9 0 0 1 9 10M2 8.7A14 14 0 0 1 6 6.2' +
    'M10 5.2A14 14 0 0 1 22 8.7M15 10.5a9 9 0 0 1 3.7 1.7M12 19v.1',
  arrow: 'M5 3.5 19 11l-6.2 1.8L9.5 19z',
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
