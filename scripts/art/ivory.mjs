// What games with tiles have in common: their fronts of ivory, their backs, and the racks on which
// they stand.

import { emblem } from "./otter.mjs";
import { tray } from "./parlour.mjs";
import { el, file, g, gradient, path, rect } from "./svg.mjs";

const ivory = gradient("linear", "i", { x1: "0.1", x2: "0.7", y2: "1" }, [[0, "#fffdf5"], [0.6, "#f8f0dd"], [1, "#dccba4"]]);

/** The front of a tile that is 100 wide. The darker edge below is its side. */
export const front = (high, ...inside) =>
  file(
    100,
    high,
    el("defs", {}, ivory),
    rect(1.5, 1.5, 97, high - 3, { rx: 11, fill: "#b99f68", stroke: "#4d3a1c", stroke_width: 2.4 }),
    rect(2.7, 2.7, 94.6, high - 9, { rx: 10, fill: "url(#i)" }),
    rect(6, 6, 88, high - 15.5, { rx: 7.5, fill: "none", stroke: "#fff", stroke_opacity: ".8", stroke_width: 1.6 }),
    inside,
  );

/** The back of a tile that is 100 wide: an otter in a frame of gold. */
export const reverse = (high, { lit, body, deep }) =>
  file(
    100,
    high,
    el("defs", {}, gradient("linear", "a", { x1: "0.1", x2: "0.7", y2: "1" }, [[0, lit], [0.5, body], [1, deep]])),
    rect(1.5, 1.5, 97, high - 3, { rx: 11, fill: "#e9dcb9", stroke: "#4d3a1c", stroke_width: 2.4 }),
    rect(2.7, 2.7, 94.6, high - 9, { rx: 10, fill: "url(#a)" }),
    rect(10, 10, 80, high - 23.5, { rx: 6, fill: "none", stroke: "#d9b26a", stroke_width: 1.8 }),
    path(`M50 17l5 5-5 5-5-5ZM50 ${high - 31}l5 5-5 5-5-5Z`, { fill: "#d9b26a" }),
    g({ transform: `translate(50 ${high / 2 - 2}) scale(.4)` }, emblem("#efe2c6", body)),
  );

/** A rack with one row: wood around cloth, and a ledge. */
export const rack = (width, height, cloth) =>
  file(
    width,
    height,
    tray(width, height, cloth, 66),
    path(`M110 ${height - 106}H${width - 110}`, { fill: "none", stroke: "#fff", stroke_opacity: ".14", stroke_width: 18, stroke_linecap: "round" }),
  );
