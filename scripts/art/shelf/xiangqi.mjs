// Xiangqi, the chess of China: discs with a character and a small picture of what they are, on a
// board with a river and two palaces.

import { character } from "../brush.mjs";
import { clockForTwo } from "../clocks.mjs";
import { coordinates, framed, kaya } from "../crossings.mjs";
import { circle, d, el, file, g, gradient, path, rect, use } from "../svg.mjs";

const step = 440;
const [columns, rows] = [9, 10];
const border = 260;
const at = border + 290;
const width = 8 * step + 2 * at;
const height = 9 * step + 2 * at;
const letters = "abcdefghi";

function board() {
  const point = (x, y) => d`${at + x * step} ${at + y * step}`;
  const [w, h] = [8 * step, 9 * step];
  let lines = "";
  for (let i = 0; i < rows; i++) lines += `M${point(0, i)}h${w}`;
  for (let i = 1; i < columns - 1; i++) lines += `M${point(i, 0)}V${at + 4 * step}M${point(i, 5)}V${at + h}`;
  const palaces = [0, 7].map((y) => `M${point(3, y)}L${point(5, y + 2)}M${point(5, y)}L${point(3, y + 2)}`).join("");
  const starts = [[1, 2], [7, 2], [1, 7], [7, 7], ...[3, 6].flatMap((y) => [0, 2, 4, 6, 8].map((x) => [x, y]))];
  const ticks = starts.map(([x, y]) => {
    const [cx, cy] = [at + x * step, at + y * step];
    const sides = [-1, 1].filter((way) => x + way >= 0 && x + way <= 8);
    return sides.flatMap((i) => [-1, 1].map((k) => d`M${cx + i * 110} ${cy + k * 36}h${-i * 74}v${k * 74}`)).join("");
  }).join("");
  const [left, top] = [at, at + 4 * step];
  const wave = "M0 0q55 -60 110 0t110 0";
  const ripples = [90, 220, 350].flatMap((y, row) => Array.from({ length: 17 }, (_, i) => use("r", { x: left + i * 220 + (row % 2 ? -110 : 0), y: top + y })));
  return framed(width, height, border, kaya, {
    define: [
      path(wave, { id: "r" }),
      gradient("linear", "water", { x2: "0", y2: "1" }, [[0, "#8fb7b4", 0.55], [0.5, "#5f9aa3", 0.75], [1, "#8fb7b4", 0.55]]),
      el("clipPath", { id: "bed" }, rect(left, top, w, step)),
    ],
    drawn: [
      rect(left, top, w, step, { fill: "url(#water)" }),
      g({ clip_path: "url(#bed)", fill: "none", stroke: "#2e6670", stroke_width: 12, stroke_opacity: ".55" }, ripples),
      [0, 7].map((y) => rect(at + 3 * step, at + y * step, 2 * step, 2 * step, { fill: "#a8502c", fill_opacity: ".16" })),
      path(lines + palaces, { fill: "none", stroke: kaya.line, stroke_width: 11 }),
      path(ticks, { fill: "none", stroke: kaya.line, stroke_width: 11 }),
      rect(at, at, w, h, { fill: "none", stroke: kaya.line, stroke_width: 16 }),
      rect(at - 62, at - 62, w + 124, h + 124, { fill: "none", stroke: kaya.line, stroke_width: 30 }),
    ],
    written: coordinates({ letters, rows, at, stepX: step, stepY: step, width, height, border }),
  });
}

/** The small pictures, 24 by 24. */
const pictures = {
  general: path("M2 21L0 6L7 12L12 3L17 12L24 6L22 21Z"),
  advisor: path("M12 1L22 4V12C22 18 17 22 12 24C7 22 2 18 2 12V4Z"),
  elephant: path("M2 22V12C2 6 6 4 10 4H13C14 2 20 2 21 6C22 8 22 13 22 17C22 19 23.600 19 23.600 16.500H24.500C25 22 19 23 18.500 18V14H16.500V22H12V16.500H8V22Z"),
  horse: path("M6 23C6 16 13 14 12 9.500L7 13.500L3 12L8.500 4.500L9.500 1L13 4C20 5 22 13 20.500 23Z"),
  chariot: [circle(12, 12, 10, { fill: "none", stroke_width: 3 }), path("M12 2V22M2 12H22M5 5L19 19M19 5L5 19", { fill: "none", stroke_width: 1.6 }), circle(12, 12, 3)],
  cannon: [path("M1 12L18 2L23 10L7 19Z"), circle(8, 18, 5.5)],
  soldier: path("M12 0L14.500 4V15H20V18H14V24H10V18H4V15H9.500V4Z"),
};

const inks = {
  red: { lit: "#f9e7c0", body: "#e6c48a", shade: "#a97a3c", edge: "#4a2c12", ink: "#a3160f" },
  black: { lit: "#6a5648", body: "#3b2c24", shade: "#150d09", edge: "#080402", ink: "#f6e6c4" },
};

/** A disc, 100 by 100. Red discs are light with two rings, black ones dark with one. */
function disc(colour, name, sign) {
  const { lit, body, shade, edge, ink } = inks[colour];
  return file(
    100,
    100,
    el("defs", {}, gradient("linear", "up", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, lit], [0.5, body], [1, shade]]), gradient("linear", "down", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, shade], [0.6, body], [1, lit]])),
    circle(50, 50, 48, { fill: "url(#up)", stroke: edge, stroke_width: 2.4 }),
    circle(50, 50, 44, { fill: body, stroke: "url(#down)", stroke_width: 1.6 }),
    circle(50, 50, 41, { fill: "none", stroke: ink, stroke_width: 2 }),
    colour === "red" ? circle(50, 50, 38, { fill: "none", stroke: ink, stroke_width: 1 }) : "",
    path(character(sign), { transform: "translate(27.500 13) scale(.45)", fill: ink, stroke: ink, stroke_width: 1.4, stroke_linejoin: "round" }),
    g({ transform: "translate(38 61) scale(1)", fill: ink, stroke: ink, stroke_width: 0.8, stroke_linejoin: "round" }, pictures[name]),
  );
}

const men = {
  general: { signs: ["帥", "將"], files: [4], rank: 0 },
  advisor: { signs: ["仕", "士"], files: [3, 5], rank: 0 },
  elephant: { signs: ["相", "象"], files: [2, 6], rank: 0 },
  horse: { signs: ["傌", "馬"], files: [1, 7], rank: 0 },
  chariot: { signs: ["俥", "車"], files: [0, 8], rank: 0 },
  cannon: { signs: ["炮", "砲"], files: [1, 7], rank: 2 },
  soldier: { signs: ["兵", "卒"], files: [0, 2, 4, 6, 8], rank: 3 },
};
const colours = ["red", "black"];

export function* art() {
  yield ["xiangqi/board.svg", board()];
  for (const [name, { signs }] of Object.entries(men)) {
    for (const [i, colour] of colours.entries()) yield [`xiangqi/${colour}-${name}.svg`, disc(colour, name, signs[i])];
  }
}

const title = (colour, name) => `${colour === "red" ? "Red" : "Black"} ${name}`;

export const game = {
  name: "Xiangqi",
  summary: "The chess of China: cannons, elephants and a river between the armies.",
  order: 115,
  about: { players: [2, 2], minutes: [20, 60], age: 8, rules: "rules/xiangqi.md" },
  table: { width: 8200, height: 5600, surface: "slate" },
  seats: [
    { name: "Red", side: "south", colour: "#a3160f", pieces: [2] },
    { name: "Black", side: "north", colour: "#3b2c24", pieces: [1] },
  ],
  setups: [
    { name: "Without chariots", without: colours.map((colour) => title(colour, "chariot")) },
    { name: "Red without horses", without: [title("red", "horse")] },
  ],
  kinds: [
    {
      name: "Xiangqi board", width, height, shape: "rect", weight: "heavy",
      grid: {
        x: at, y: at, stepX: step, stepY: step, columns, rows,
        columnNames: [...letters], rowNames: Array.from({ length: rows }, (_, i) => String(rows - i)),
        captures: true,
      },
      faces: [{ name: "Xiangqi board", art: "xiangqi/board.svg" }],
    },
    {
      name: "Tray", width: 1200, height: 1450, shape: "rect", weight: "heavy",
      grid: { x: 310, y: 310, stepX: 290, stepY: 277, columns: 3, rows: 4, tray: true },
      faces: [{ name: "Tray for captured pieces", art: "common/short-tray.svg" }],
    },
    clockForTwo("Clock", "Clock for both players", 900000, 5000),
    ...colours.flatMap((colour) => Object.keys(men).map((name) => ({
      name: title(colour, name), width: 400, height: 400, shape: "round", weight: "light", upright: true,
      faces: [{ name: title(colour, name), art: `xiangqi/${colour}-${name}.svg` }],
    }))),
  ],
  pieces: [
    { kind: "Xiangqi board", x: 0, y: 0, pinned: true, locked: true },
    ...[[-3250, -1800], [3250, 1800], [-3250, 1800], [3250, -1800]].map(([x, y]) => ({ kind: "Tray", x, y, pinned: true, locked: true })),
    { kind: "Clock", x: 3250, y: 0, pinned: true },
    ...colours.flatMap((colour, i) => Object.entries(men).flatMap(([name, { files, rank }]) =>
      files.map((x) => ({ kind: title(colour, name), x: (x - 4) * step, y: (i === 0 ? 1 : -1) * (4.5 - rank) * step })),
    )),
  ],
};
