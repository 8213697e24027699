// What boards of race games have in common: a frame of wood with a gold line, inlaid words, and
// plates to press.

import { width as widthOf, word } from "./glyphs.mjs";
import { d, el, file, g, gradient, move, path, rect } from "./svg.mjs";
import { frame, grain } from "./wood.mjs";

export const gold = "#d9b26a";
export const cream = "#ecd2a4";
export const ink = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

/** A word of the given height, its middle at x, y, turned by `turn` degrees. */
export const label = (text, x, y, height, turn = 0, attributes) =>
  path(word(text), { transform: move(x, y, ...(turn ? [`rotate(${turn})`] : []), `scale(${Math.round(height) / 100})`, "translate(0 -50)"), ...attributes });

/** Soft light from the upper left over all of a board. */
export const light = gradient("radial", "light", { cx: "0.35", cy: "0.25", r: "0.95" }, [[0, "#fff", 0.16], [0.55, "#fff", 0], [1, "#2a1200", 0.24]]);

/** A plank of wood with an edge that catches the light. */
export const plank = (width, height, lines, seed) => [
  rect(0, 0, width, height, { rx: 70, fill: frame.plank }),
  path(grain(width, height, lines, seed, 20), { fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".45" }),
  rect(10, 10, width - 20, height - 20, { rx: 62, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
];

/** A sunken field in a plank, with a gold line around it. */
export const field = (x, y, width, height, fill) => [
  rect(x - 34, y - 34, width + 68, height + 68, { rx: 24, fill: "none", stroke: gold, stroke_width: 12 }),
  rect(x - 12, y - 12, width + 24, height + 24, { rx: 12, fill: "#22130a" }),
  rect(x, y, width, height, { fill }),
];

/** A plate to press: a word in gold on dark wood. */
export function plate(text, width, height) {
  const high = Math.min(height * 0.32, ((width - 220) * 100) / widthOf(text));
  return file(
    width,
    height,
    el("defs", {}, gradient("linear", "a", { x2: "0", y2: "1" }, [[0, "#8a5a38"], [0.5, frame.plank], [1, "#3d2312"]])),
    rect(6, 6, width - 12, height - 12, { rx: 70, fill: "url(#a)", stroke: "#2c180b", stroke_width: 12 }),
    rect(36, 36, width - 72, height - 72, { rx: 48, fill: "none", stroke: gold, stroke_width: 8 }),
    label(text, width / 2, height / 2, high, 0, { ...ink, stroke: "#fbe9c6", stroke_width: 12 }),
  );
}

/** The six sides of a die, for `faces`. */
export const sixFaces = [1, 2, 3, 4, 5, 6].map((n) => ({ name: String(n), art: `dice/six-${n}.svg` }));

/** The path of a polygon. */
export const polygon = (points) => `${points.map(([x, y], i) => (i ? "L" : "M") + d`${x} ${y}`).join("")}Z`;

export const words = (all, attributes) => g({ ...ink, ...attributes }, all);
