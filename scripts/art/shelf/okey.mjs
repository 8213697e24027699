// Okey: 106 tiles from 1 to 13 in four colours, each with a mark of its own, and racks with two rows.

import { front, reverse } from "../ivory.mjs";
import { emblem } from "../otter.mjs";
import { place, press, tray, written } from "../parlour.mjs";
import { circle, el, file, g, move, path, rect, use } from "../svg.mjs";
import { when } from "../steps.mjs";

const high = 140;
const colours = {
  Red: { ink: "#bb2430", mark: "circle", shape: "M-17 0A17 17 0 1 0 17 0A17 17 0 1 0-17 0Z" },
  Black: { ink: "#22252b", mark: "square", shape: "M-15-15H15V15H-15Z" },
  Blue: { ink: "#2156a5", mark: "triangle", shape: "M0-18L19 15H-19Z" },
  Yellow: { ink: "#c27c06", mark: "diamond", shape: "M0-20L18 0L0 20L-18 0Z" },
};
const numbers = Array.from({ length: 13 }, (_, i) => i + 1);

const tile = (n, { ink, shape }) =>
  front(
    high,
    written(String(n), 50, 43, 52, { stroke: ink, weight: 18, gap: 26, wide: 66 }),
    circle(50, 103, 24, { fill: "#fffaf0", stroke: "#d5c193", stroke_width: 2 }),
    path(shape, { transform: move(50, 103), fill: ink, stroke: ink, stroke_width: 2, stroke_linejoin: "round" }),
  );

/** The false joker: an otter among all four marks. */
const joker = () =>
  front(
    high,
    circle(50, 60, 34, { fill: "#e9f0e6", stroke: "#3f7350", stroke_width: 3 }),
    g({ transform: "translate(50 60) scale(.5)" }, emblem("#3f5a44", "#e9f0e6")),
    Object.values(colours).map(({ ink, shape }, i) => path(shape, { transform: move(20 + 20 * i, 113, "scale(.4)"), fill: ink })),
  );

// A rack has two rows of 16 places.
const [wide, deep, row, columns, step, edge] = [5200, 1060, 470, 16, 310, 60];

/** A rack: each row is a ledge of wood before a wall of cloth. */
function rack() {
  const emblems = [0, 1].map((i) => g({ transform: move(wide / 2, edge + row * i + 215, "scale(2.2)"), opacity: ".3" }, emblem("#e6c88a", "#1f3d33")));
  return file(
    wide,
    deep,
    tray(wide, deep, "#4a2c1a", edge),
    [0, 1].map((i) => edge + row * i).map((y) => [
      rect(edge, y, wide - 2 * edge, row - 40, { fill: "#1f3d33" }),
      rect(edge, y, wide - 2 * edge, 40, { fill: "#000", fill_opacity: ".28" }),
      rect(edge, y + row - 40, wide - 2 * edge, 40, { fill: "#8a5a38" }),
      rect(edge, y + row - 40, wide - 2 * edge, 9, { fill: "#d9b26a" }),
    ]),
    emblems,
  );
}

/** The box of tiles. */
const box = () =>
  file(
    1250,
    1250,
    tray(1250, 1250, "#1f3d33", 90),
    el("defs", {}, g({ id: "t" },
      rect(-120, -168, 240, 336, { rx: 28, fill: "#e9dcb9", stroke: "#4d3a1c", stroke_width: 8 }),
      rect(-116, -164, 232, 316, { rx: 24, fill: "#2c4a7c" }),
      rect(-90, -136, 180, 262, { rx: 14, fill: "none", stroke: "#d9b26a", stroke_width: 6 }))),
    [330, 625, 920].flatMap((x) => [340, 740].flatMap((y) => [0, 1].map((i) => use("t", { x: x - 14 * i, y: y - 22 * i })))),
    written("TILES", 625, 1050, 110, { stroke: "#f6e4bd" }),
  );

const lower = (word) => word.toLowerCase();
const picture = (name) => `okey/${name}.svg`;

export function* art() {
  for (const [name, look] of Object.entries(colours)) {
    for (const n of numbers) yield [picture(`${lower(name)}-${n}`), tile(n, look)];
  }
  yield [picture("joker"), joker()];
  yield [picture("back"), reverse(high, { lit: "#4d6ea8", body: "#2c4a7c", deep: "#182c50" })];
  yield [picture("rack"), rack()];
  yield [picture("box"), box()];
  yield [picture("discards"), place(620, 800, "DISCARDS")];
  yield [picture("indicator"), place(700, 800, "INDICATOR", { inside: path("M350 130l58 118 130 18-94 92 22 129-116-61-116 61 22-129-94-92 130-18Z", { fill: "#fff", fill_opacity: ".1" }) })];
  yield [picture("deal"), press("DEAL", 1200)];
}

const size = { width: 300, height: 420 };
const heavy = { shape: "rect", weight: "heavy" };
const sides = [
  { name: "South", colour: "#c8553d", x: 0, y: 3590, angle: undefined, at: [2100, 2250] },
  { name: "East", colour: "#d8a23a", x: 3590, y: 0, angle: 27000, at: [2250, -2100] },
  { name: "North", colour: "#3d6b99", x: 0, y: -3590, angle: 18000, at: [-2100, -2250] },
  { name: "West", colour: "#4a8f5c", x: -3590, y: 0, angle: 9000, at: [-2250, 2100] },
];

export const game = {
  name: "Okey",
  summary: "Arrange 14 tiles in runs and groups before the others do.",
  order: 260,
  about: { players: [2, 4], minutes: [30, 60], age: 8, rules: "rules/okey.md" },
  table: { width: 8400, height: 8400, surface: "felt" },
  seats: sides.map(({ name, colour }, i) => ({ name, side: lower(name), colour, hand: 2 * i, pieces: [2 * i + 1] })),
  setup: "Okey",
  setups: [{ name: "Rummy with tiles", without: ["Indicator", "Discards"] }],
  sheet: { title: "Points", columns: sides.map(({ name }) => name), rows: ["To begin with", ...Array.from({ length: 14 }, (_, i) => `Round ${i + 1}`)] },
  templates: [{
    name: "Front", ...size, shape: "rect", weight: "light", turn: 90, secret: true, mask: "Tile",
    faces: [{ name: "{name}", art: "{picture}" }, { name: "Face down", art: picture("back") }],
  }],
  decks: [{
    name: "Tiles", template: "Front", rows: [
      ...Object.entries(colours).flatMap(([name, { mark }]) => numbers.map((n) => ({ name: `${name} ${n}, ${mark}`, count: 2, picture: picture(`${lower(name)}-${n}`) }))),
      { name: "False joker", count: 2, picture: picture("joker") },
    ],
  }],
  kinds: [
    {
      name: "Rack", width: wide, height: deep, ...heavy, hand: true, rack: true,
      grid: { x: (wide - (columns - 1) * step) / 2, y: edge + 218, stepX: step, stepY: row, columns, rows: 2, columnNames: Array.from({ length: columns }, (_, i) => String(i + 1)), rowNames: ["a", "b"] },
      faces: [{ name: "Rack", art: picture("rack") }],
    },
    { name: "Discards", width: 620, height: 800, ...heavy, zone: { lay: "pile", takes: ["Tile"], turns: "up", count: true }, faces: [{ name: "Discards", art: picture("discards") }] },
    { name: "Indicator", width: 700, height: 800, ...heavy, zone: { lay: "pile", takes: ["Tile"], turns: "up" }, faces: [{ name: "Indicator", art: picture("indicator") }] },
    { name: "Box of tiles", width: 1100, height: 1100, ...heavy, container: { draws: "top", takes: "Tile" }, faces: [{ name: "Box of tiles", art: picture("box") }] },
    { name: "Tile", ...size, shape: "rect", weight: "light", turn: 90, faces: [{ name: "Face down", art: picture("back") }] },
    {
      name: "Deal", width: 1200, height: 380, ...heavy,
      button: { who: "host", cooldown: 1500, steps: [
        { do: "recall", kind: "Box of tiles" },
        { do: "shuffle", kind: "Box of tiles" },
        { do: "deal", kind: "Box of tiles", n: 14 },
        when({ of: "pieces", kind: "Indicator", is: ">", n: 0 }, [
          { do: "move", kind: "Box of tiles", n: 1, to: "Indicator", face: 0 },
        ]),
      ] },
      faces: [{ name: "Deal", art: picture("deal") }],
    },
    { name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 }, faces: [{ name: "Turn marker", art: "common/turn.svg" }] },
    { name: "Die", width: 360, height: 360, shape: "rect", weight: "light", die: { cooldown: 1000 }, faces: numbers.slice(0, 6).map((n) => ({ name: String(n), art: `dice/six-${n}.svg` })) },
  ],
  pieces: [
    ...sides.flatMap(({ x, y, angle, at }) => [
      { kind: "Rack", x, y, angle, pinned: true },
      { kind: "Discards", x: at[0], y: at[1], angle, pinned: true },
    ]),
    { kind: "Indicator", x: 0, y: 0, pinned: true },
    { kind: "Box of tiles", x: 3500, y: -3560, pinned: true, holds: [{ deck: "Tiles" }], shuffled: true },
    { kind: "Deal", x: 3430, y: 3430, pinned: true },
    { kind: "Turn marker", x: -3430, y: 3430 },
    { kind: "Die", x: -3430, y: -3430, face: 4 },
  ],
};
