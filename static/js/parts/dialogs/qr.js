// Draws QR codes that the server has computed.

const SVG = 'http://www.w3.org/2000/svg';

/** How many light cells are around a code: fewer confuse cameras. */
const MARGIN = 4;

/**
 * Returns the path of the dark cells of a code: a rectangle for each run of them in a row.
 * @param {string[]} rows '1' is a dark cell
 */
export function pathOf(rows) {
  /** @type {Array<string|number>} */
  const d = [];
  rows.forEach((row, y) => {
    for (const { index, 0: run } of row.matchAll(/1+/g))
      d.push('M', index, ' ', y, 'h', run.length, 'v1h-', run.length, 'z');
  });
  return d.join('');
}

/**
 * Draws a code, dark on light in every colour scheme.
 * @param {string[]} rows
 * @param {string} label for screen readers
 * @returns {SVGSVGElement}
 */
export function drawCode(rows, label) {
  const svg = document.createElementNS(SVG, 'svg');
  const size = rows.length + 2 * MARGIN;
  svg.setAttribute('class', 'code');
  svg.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${size} ${size}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', pathOf(rows));
  path.setAttribute('shape-rendering', 'crispEdges');
  svg.append(path);
  return svg;
}
