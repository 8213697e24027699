// Mancala: a long board with six pits for each player and a store at each end, and 48 seeds of
// coloured glass.

import { cream, gold, ink, label, light } from "../inlay.mjs";
import { circle, dots, ellipse, el, file, g, gradient, path, rect } from "../svg.mjs";
import { frame, grain, walnut } from "../wood.mjs";

const pitch = 860; // from one pit to the next one
const pit = 760;
const rows = 1040; // from one row to the other one
const store = { width: 800, height: 1760 };
const width = 6 * pitch + 2 * (store.width + 270);
const height = 2320;
const seed = 210;

function board() {
  const numbers = [];
  for (let i = 0; i < 6; i++) {
    const x = width / 2 + (i - 2.5) * pitch;
    numbers.push(label(String(i + 1), x, height - 92, 84), label(String(6 - i), x, 92, 84, 180));
  }
  return file(
    width,
    height,
    el("defs", {}, light, gradient("linear", "w", { x2: "0", y2: "1" }, [[0, "#b57a4f"], [0.5, walnut.plank], [1, "#6f4328"]])),
    rect(0, 0, width, height, { rx: 80, fill: frame.plank }),
    rect(40, 40, width - 80, height - 80, { rx: 56, fill: "url(#w)" }),
    el("clipPath", { id: "c" }, rect(40, 40, width - 80, height - 80, { rx: 56 })),
    path(grain(width, height, 26, 5, 46), { fill: "none", stroke: walnut.grain, stroke_width: 12, stroke_opacity: ".5", clip_path: "url(#c)" }),
    path(grain(width, height, 7, 15, 40), { fill: "none", stroke: walnut.glow, stroke_width: 26, stroke_opacity: ".4", clip_path: "url(#c)" }),
    rect(150, 150, width - 300, height - 300, { rx: 490, fill: "none", stroke: gold, stroke_width: 12 }),
    g({ ...ink, stroke: cream, stroke_width: 12 }, numbers),
    rect(0, 0, width, height, { rx: 80, fill: "url(#light)" }),
  );
}

const hollow = [
  gradient("radial", "h", { cx: "0.5", cy: "0.62", r: "0.62" }, [[0, "#8a5634"], [0.6, "#5d371f"], [1, "#2a160b"]]),
  gradient("linear", "r", { x2: "0.2", y2: "1" }, [[0, "#1d0e06"], [0.55, "#8d5c3a"], [1, "#d3a06c"]]),
];

const round = () =>
  file(100, 100, el("defs", {}, hollow), circle(50, 50, 47, { fill: "url(#h)", stroke: "url(#r)", stroke_width: 4 }), ellipse(50, 78, 26, 9, { fill: "#fff", fill_opacity: ".06" }));

const long = () =>
  file(
    store.width,
    store.height,
    el("defs", {}, hollow),
    rect(14, 14, store.width - 28, store.height - 28, { rx: 386, fill: "url(#h)", stroke: "url(#r)", stroke_width: 28 }),
  );

const glass = {
  amber: { lit: "#ffe08a", body: "#d9881f", deep: "#6f3905" },
  blue: { lit: "#9fd2f5", body: "#2f74b8", deep: "#123459" },
  green: { lit: "#a8e6b8", body: "#2f8f5b", deep: "#104228" },
  clear: { lit: "#ffffff", body: "#dfe6e4", deep: "#7d8f92" },
};

const pebble = ({ lit, body, deep }) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "a", { cx: "0.62", cy: "0.7", r: "0.7" }, [[0, lit], [0.5, body], [1, deep]])),
    ellipse(52, 55, 46, 43, { fill: "#000", fill_opacity: ".3" }),
    ellipse(50, 50, 46, 43, { fill: "url(#a)", stroke: deep, stroke_width: 3 }),
    path("M20 42C24 26 38 18 52 18C44 24 32 30 26 44Z", { fill: "#fff", fill_opacity: ".85" }),
    dots([[72, 68]], 4, { fill: "#fff", fill_opacity: ".5" }),
  );

/** A brass plate with the name of the game. */
const nameplate = (text) =>
  file(
    1300,
    220,
    el("defs", {}, gradient("linear", "b", { x2: "0.3", y2: "1" }, [[0, "#fff0b8"], [0.3, "#e0b65a"], [0.65, "#a87a28"], [1, "#6d4a14"]])),
    rect(6, 6, 1288, 208, { rx: 60, fill: "url(#b)", stroke: "#3a220e", stroke_width: 10 }),
    rect(28, 28, 1244, 164, { rx: 42, fill: "none", stroke: "#fff3c9", stroke_opacity: ".6", stroke_width: 5 }),
    dots([[80, 110], [1220, 110]], 20, { fill: "#5b3c10" }),
    label(text, 650, 110, 92, 0, { ...ink, stroke: "#3a220e", stroke_width: 14 }),
  );

export function* art() {
  yield ["mancala/board.svg", board()];
  yield ["mancala/pit.svg", round()];
  yield ["mancala/store.svg", long()];
  yield ["mancala/kalah.svg", nameplate("KALAH")];
  yield ["mancala/oware.svg", nameplate("OWARE")];
  for (const [name, look] of Object.entries(glass)) {
    yield [`mancala/${name}.svg`, pebble(look)];
  }
}

const seeds = ["Amber seed", "Blue seed", "Green seed", "Clear seed"];
const zone = { lay: "free", takes: seeds, count: true };
const places = [];
for (const [side, sign] of [["South", 1], ["North", -1]]) {
  for (let i = 0; i < 6; i++) {
    places.push({ name: `${side}’s pit ${i + 1}`, x: sign * Math.round((i - 2.5) * pitch), y: (sign * rows) / 2, width: pit, height: pit, shape: "round", art: "mancala/pit.svg" });
  }
  places.push({ name: `${side}’s store`, x: sign * (3 * pitch + store.width / 2 + 20), y: 0, ...store, shape: "rect", art: "mancala/store.svg" });
}

/** The seeds of a pit, so that no two pits look the same. */
const filled = ({ x, y }, n) =>
  seeds.map((kind, i) => {
    const turn = (((i * 90 + n * 37) % 360) * Math.PI) / 180;
    return { kind, x: Math.round(x + 165 * Math.cos(turn)), y: Math.round(y + 165 * Math.sin(turn)), angle: (n * 4700 + i * 9000) % 36000 };
  });

export const game = {
  name: "Mancala",
  summary: "Sow seeds from pit to pit and gather the most: kalah, or oware.",
  order: 180,
  about: { players: [2, 2], minutes: [10, 20], age: 6, rules: "rules/mancala.md" },
  table: { width: 8400, height: 4200, surface: "felt" },
  seats: [
    { name: "South", side: "south", colour: "#d9881f", pieces: [7, 1, 2, 3, 4, 5, 6] },
    { name: "North", side: "north", colour: "#2f74b8", pieces: [14, 8, 9, 10, 11, 12, 13] },
  ],
  sheet: { title: "Seeds", columns: ["South", "North"], rows: ["Round 1", "Round 2", "Round 3", "Round 4"] },
  setup: "Kalah",
  without: ["Oware"],
  setups: [
    { name: "Oware", without: ["Kalah"] },
    { name: "Kalah with three seeds", without: ["Clear seed"] },
  ],
  kinds: [
    { name: "Board", width, height, shape: "rect", weight: "heavy", faces: [{ name: "Mancala board", art: "mancala/board.svg" }] },
    ...places.map(({ name, width: w, height: h, shape, art }) => ({ name, width: w, height: h, shape, weight: "heavy", zone, faces: [{ name, art }] })),
    { name: "Oware", width: 1300, height: 220, shape: "rect", weight: "heavy", readable: true, faces: [{ name: "Plate: Oware", art: "mancala/oware.svg" }] },
    { name: "Kalah", width: 1300, height: 220, shape: "rect", weight: "heavy", readable: true, faces: [{ name: "Plate: Kalah", art: "mancala/kalah.svg" }] },
    ...seeds.map((name) => ({ name, width: seed, height: seed, shape: "round", weight: "light", faces: [{ name, art: `mancala/${name.split(" ")[0].toLowerCase()}.svg` }] })),
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true, locked: true },
    ...places.map(({ name, x, y }) => ({ kind: name, x, y, pinned: true })),
    { kind: "Oware", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Kalah", x: 0, y: 0, pinned: true, locked: true },
    ...places.filter(({ name }) => !name.endsWith("store")).flatMap(filled),
  ],
};
