// What parlour games have in common: buttons of wood, places for cards, trays of felt, and bowls.

import { width as widthOf, word } from "./glyphs.mjs";
import { circle, el, file, g, gradient, move, path, rect } from "./svg.mjs";
import { frame, grain } from "./wood.mjs";

const line = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

/** Words about x, y: their capitals are `high` high, and they are no wider than `wide`. */
export function written(text, x, y, high, { wide = Infinity, gap = 24, weight = 11, ...look } = {}) {
  const scale = Math.round(Math.min(high / 100, wide / widthOf(text, gap)) * 1000) / 1000;
  return path(word(text, gap), { transform: move(x, y - 50 * scale, `scale(${scale})`), ...line, stroke_width: weight, ...look });
}

/** A button: a plate of dark wood with a line of gold. */
export function press(text, width = 1200, height = 380) {
  const inset = (by, rx, look) => rect(by, by, width - 2 * by, height - 2 * by, { rx, ...look });
  return file(
    width,
    height,
    el("defs", {}, gradient("linear", "a", { x2: "0", y2: "1" }, [[0, "#fff", 0.28], [0.4, "#fff", 0.04], [1, "#000", 0.34]])),
    inset(4, 90, { fill: frame.plank, stroke: "#24130a", stroke_width: 8 }),
    path(grain(width - 60, height, 6, 8, 14), { ...line, transform: "translate(30 0)", stroke: frame.grain, stroke_width: 8, stroke_opacity: ".45" }),
    inset(4, 90, { fill: "url(#a)" }),
    inset(34, 64, { fill: "none", stroke: "#d9b26a", stroke_width: 9 }),
    written(text, width / 2, height / 2, 0.32 * height, { wide: width - 190, stroke: "#f6e4bd", weight: 13 }),
  );
}

/** A place on the table with a dashed edge, and a word in its lower part. */
export function place(width, height, text, { shade = ".14", inside = "" } = {}) {
  return file(
    width,
    height,
    rect(14, 14, width - 28, height - 28, { rx: 70, fill: "#000", fill_opacity: shade, stroke: "#fff", stroke_opacity: ".45", stroke_width: 12, stroke_dasharray: "52 34", stroke_linecap: "round" }),
    inside,
    text ? written(text, width / 2, height - 95, 74, { wide: width - 180, stroke: "#fff", stroke_opacity: ".6", weight: 10 }) : "",
  );
}

/** A frame of dark wood around a field of cloth: what lies in it, and how wide the wood is. */
export function tray(width, height, cloth = "#1f3d33", border = 90, ...inside) {
  const inset = (by, rx, look) => rect(by, by, width - 2 * by, height - 2 * by, { rx, ...look });
  return [
    el("defs", {}, gradient("linear", "deep", { x2: "0", y2: "1" }, [[0, "#000", 0.42], [0.08, "#000", 0.16], [1, "#000", 0.06]])),
    inset(0, 70, { fill: frame.plank }),
    path(grain(width - 40, height - 40, Math.round(height / 110), 9, 10), { ...line, transform: "translate(20 20)", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".45" }),
    inset(10, 62, { fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
    inset(border, 40, { fill: cloth }),
    inset(border, 40, { fill: "url(#deep)", stroke: "#2c180b", stroke_width: 14 }),
    inset(border - 18, 50, { fill: "none", stroke: "#d9b26a", stroke_width: 9 }),
    inside,
  ];
}

/** A bowl of wood, 100 across, with what lies in it. */
export const bowl = (...inside) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "deep", {}, [[0, "#000", 0.1], [0.8, "#000", 0.35], [1, "#000", 0.6]])),
    circle(50, 50, 48, { fill: frame.plank, stroke: "#2c180b", stroke_width: 2.4 }),
    circle(50, 50, 44, { fill: "none", stroke: frame.glow, stroke_width: 2 }),
    circle(50, 50, 41, { fill: "none", stroke: "#d9b26a", stroke_width: 0.8 }),
    circle(50, 50, 40, { fill: "url(#deep)" }),
    g({}, inside),
  );

/** Colours of players, each with the name of their side. */
export const players = {
  South: "#c8553d", North: "#3d6b99", West: "#4a8f5c", East: "#d8a23a", Southeast: "#8a5aa3", Northwest: "#3f9c9c",
};
