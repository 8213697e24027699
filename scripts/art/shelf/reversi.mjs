// Reversi: a green board of 8 by 8 squares, and discs that are dark on one side and light on the
// other.

import { word } from "../glyphs.mjs";
import { circle, d, el, file, g, gradient, move, path, rect } from "../svg.mjs";
import { frame, grain } from "../wood.mjs";

const outer = 4600;
const border = 300;
const square = 500;
const inner = outer - 2 * border;

const label = (text, x, y) =>
  path(word(text), { transform: move(x, y - 55, "scale(1.1)") });

function board() {
  let lines = "";
  for (let i = 1; i < 8; i++) {
    const at = border + square * i;
    lines += d`M${at} ${border}v${inner}M${border} ${at}h${inner}`;
  }
  const dots = [2, 6].flatMap((x) => [2, 6].map((y) => circle(border + square * x, border + square * y, 34)));
  const names = [];
  for (let i = 0; i < 8; i++) {
    const at = border + square * (i + 0.5);
    names.push(label("ABCDEFGH"[i], at, 150), label("12345678"[i], 150, at));
  }
  return file(
    outer,
    outer,
    el("defs", {}, gradient("radial", "cloth", { cx: "0.4", cy: "0.3", r: "0.9" }, [[0, "#3f8f63"], [1, "#23613f"]])),
    rect(0, 0, outer, outer, { rx: 70, fill: frame.plank }),
    path(grain(outer, outer, 34, 8, 20), { fill: "none", stroke: frame.grain, stroke_width: 9, stroke_opacity: ".45" }),
    rect(10, 10, outer - 20, outer - 20, { rx: 62, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
    rect(border - 34, border - 34, inner + 68, inner + 68, { fill: "none", stroke: "#d9b26a", stroke_width: 14 }),
    rect(border, border, inner, inner, { fill: "url(#cloth)" }),
    path(lines, { fill: "none", stroke: "#0f3421", stroke_width: 16 }),
    rect(border, border, inner, inner, { fill: "none", stroke: "#0f3421", stroke_width: 24 }),
    g({ fill: "#0f3421" }, dots),
    g({ fill: "none", stroke: "#ecd2a4", stroke_width: 12, stroke_linecap: "round", stroke_linejoin: "round", stroke_opacity: ".85" }, names),
  );
}

const sides = {
  dark: { lit: "#6b6f76", body: "#2b2e33", shade: "#0d0f12", edge: "#000" },
  light: { lit: "#ffffff", body: "#f1ece0", shade: "#b9b09a", edge: "#6d6552" },
};

/** A disc. The dark side has one ring and the light side two, so that nobody needs the colours. */
function disc(side) {
  const { lit, body, shade, edge } = sides[side];
  const rings = side === "dark" ? [24] : [30, 18];
  return file(
    100,
    100,
    el("defs", {}, gradient("linear", "up", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, lit], [0.5, body], [1, shade]])),
    circle(50, 50, 47.5, { fill: body, stroke: edge, stroke_width: 3 }),
    circle(50, 50, 42, { fill: "url(#up)" }),
    rings.map((r) => circle(50, 50, r, { fill: "none", stroke: shade, stroke_width: 2, stroke_opacity: ".55" })),
  );
}

/** A bowl of discs. */
function bowl(side) {
  const { body, edge, shade } = sides[side];
  const heap = [[34, 62], [60, 66], [47, 44], [70, 46], [28, 40], [52, 56]];
  return file(
    100,
    100,
    el("defs", {}, gradient("radial", "deep", {}, [[0, "#000", 0.1], [0.8, "#000", 0.35], [1, "#000", 0.6]])),
    circle(50, 50, 48, { fill: frame.plank, stroke: "#2c180b", stroke_width: 3 }),
    circle(50, 50, 40, { fill: "url(#deep)" }),
    heap.map(([x, y]) => circle(x, y, 14, { fill: body, stroke: edge, stroke_width: 2 }) + circle(x, y, 8, { fill: "none", stroke: shade, stroke_width: 1 })),
  );
}

export function* art() {
  yield ["reversi/board.svg", board()];
  for (const side of ["dark", "light"]) {
    yield [`reversi/${side}.svg`, disc(side)];
    yield [`reversi/bowl-${side}.svg`, bowl(side)];
  }
}

const disk = { width: 430, height: 430, shape: "round", weight: "light" };
const dark = { name: "Dark", art: "reversi/dark.svg" };
const light = { name: "Light", art: "reversi/light.svg" };
const bowls = { width: 900, height: 900, shape: "round", weight: "heavy" };

export const game = {
  name: "Reversi",
  summary: "Enclose the discs of the other player and turn them over.",
  order: 130,
  about: { players: [2, 2], minutes: [20, 30], age: 6, rules: "rules/reversi.md" },
  table: { width: 7400, height: 5400, surface: "felt" },
  seats: [
    { name: "Dark", side: "south", colour: "#2b2e33", pieces: [1] },
    { name: "Light", side: "north", colour: "#f1ece0", pieces: [2] },
  ],
  kinds: [
    {
      name: "Board", width: outer, height: outer, shape: "rect", weight: "heavy",
      grid: {
        x: border + square / 2, y: border + square / 2, stepX: square, stepY: square, columns: 8, rows: 8,
        columnNames: [..."abcdefgh"], rowNames: [..."12345678"],
      },
      faces: [{ name: "Reversi board", art: "reversi/board.svg" }],
    },
    { name: "Dark disc", ...disk, faces: [dark, light] },
    { name: "Light disc", ...disk, faces: [light, dark] },
    { name: "Dark discs", ...bowls, supply: { of: "Dark disc" }, faces: [{ name: "Dark discs", art: "reversi/bowl-dark.svg" }] },
    { name: "Light discs", ...bowls, supply: { of: "Light disc" }, faces: [{ name: "Light discs", art: "reversi/bowl-light.svg" }] },
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true },
    { kind: "Dark discs", x: 2950, y: 1500, pinned: true },
    { kind: "Light discs", x: -2950, y: -1500, pinned: true },
    { kind: "Light disc", x: -250, y: -250 },
    { kind: "Dark disc", x: 250, y: -250 },
    { kind: "Dark disc", x: -250, y: 250 },
    { kind: "Light disc", x: 250, y: 250 },
  ],
};
