// The boards of chess and draughts, and the tray for captured pieces beside them.

import { word } from "./glyphs.mjs";
import { d, el, file, g, gradient, move, path, rect } from "./svg.mjs";
import { board, frame, grain } from "./wood.mjs";

const outer = 4600;
const border = 300;
const square = 500;

const ink = { fill: "none", stroke: "#ecd2a4", stroke_linecap: "round", stroke_linejoin: "round" };

/** A word on the board: its capitals are `height` high and its middle is at x, y. */
const label = (text, x, y, height, attributes) => path(word(text), { transform: move(x, y - height / 2, d`scale(${height / 100})`), ...attributes });

/** The coordinates of chess on all four sides; those at the top face the player there. */
function coordinates() {
  const one = [];
  for (let i = 0; i < 8; i++) {
    const middle = border + square * (i + 0.5);
    one.push(label("abcdefgh"[i], middle, outer - 145, 110), label("87654321"[i], 140, middle, 110));
  }
  const other = [];
  for (let i = 0; i < 8; i++) {
    const middle = border + square * (i + 0.5);
    other.push(label("hgfedcba"[i], middle, outer - 145, 110), label("12345678"[i], 140, middle, 110));
  }
  const style = { ...ink, stroke_width: 12, stroke_opacity: ".85" };
  return [g(style, one), g({ ...style, transform: `rotate(180 ${outer / 2} ${outer / 2})` }, other)];
}

/** The numbers of the dark squares, from 1 on, as draughts players write them down. */
function numbers(n, border, square) {
  const all = [];
  for (let i = 0; i < (n * n) / 2; i++) {
    const row = Math.floor(i / (n / 2));
    const column = 2 * (i % (n / 2)) + ((row + 1) % 2);
    all.push(label(String(i + 1), border + square * column + 62, border + square * row + 54, 52));
  }
  return g({ ...ink, stroke_width: 11, stroke_opacity: ".8" }, all);
}

/** A shallow wooden tray. */
export function tray(width, height) {
  return file(
    width,
    height,
    el("defs", {}, gradient("linear", "deep", { x2: "0", y2: "1" }, [[0, "#000", 0.45], [0.06, "#000", 0.18], [1, "#000", 0.08]])),
    rect(0, 0, width, height, { rx: 70, fill: frame.plank }),
    path(grain(width, height, 26, 9, 22), { fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".45" }),
    rect(10, 10, width - 20, height - 20, { rx: 62, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
    rect(90, 90, width - 180, height - 180, { rx: 50, fill: "#1f3d33" }),
    rect(90, 90, width - 180, height - 180, { rx: 50, fill: "url(#deep)", stroke: "#2c180b", stroke_width: 16 }),
    rect(74, 74, width - 148, height - 148, { rx: 62, fill: "none", stroke: "#d9b26a", stroke_width: 8 }),
  );
}

export function* boards() {
  yield ["chess/board.svg", file(outer, outer, board(outer, border, coordinates()))];
  yield ["draughts/board.svg", file(outer, outer, board(outer, border, numbers(8, border, square)))];
  yield ["draughts/large-board.svg", file(4900, 4900, board(4900, 250, numbers(10, 250, 440), 10))];
  yield ["draughts/plain-board.svg", file(outer, outer, board(outer, border, coordinates(), 8, false))];
  yield ["common/tray.svg", tray(1200, outer)];
  yield ["common/short-tray.svg", tray(1200, 1450)];
}
