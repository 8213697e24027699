// Backgammon: a board of 24 points in two halves with a bar between them, trays for what is borne
// off, a doubling cube and two dice.

import { cream, field, gold, ink, label, light, plank, plate, polygon, sixFaces, words } from "../inlay.mjs";
import { circle, d, el, file, g, gradient, path, rect, use } from "../svg.mjs";

const point = 410; // how wide a point is
const half = 6 * point;
const border = 260;
const bar = 460;
const height = 5000;
const inner = height - 2 * border;
const tray = 520;
const rightHalf = border + half + bar;
const trayAt = rightHalf + half + 130;
const width = trayAt + tray + 150;
const long = 1990; // how long a point is
const size = 385; // of a checker

/** The middle of a point across the board, for the points 1 to 24 as Light counts them. */
function middle(n) {
  const column = n <= 12 ? 12 - n : n - 13;
  return (column < 6 ? border : rightHalf) + point * ((column % 6) + 0.5);
}
/** The middle of the checker number `i` on a point, counted from the frame. */
const depth = (n, i) => (n <= 12 ? height - border - size / 2 - 8 - i * (size + 4) : border + size / 2 + 8 + i * (size + 4));

function board() {
  const points = [];
  const numbers = [];
  for (let n = 1; n <= 24; n++) {
    const turn = n <= 12 ? `rotate(180 ${middle(n)} ${height / 2}) ` : "";
    points.push(use(n % 2 ? "a" : "b", { transform: d`${turn}translate(${middle(n)} ${border})` }));
    numbers.push(label(String(n), middle(n), n <= 12 ? height - 112 : 112, 96));
  }
  const tip = polygon([[-point / 2 + 8, 0], [point / 2 - 8, 0], [0, long]]);
  const inset = polygon([[-point / 2 + 62, 34], [point / 2 - 62, 34], [0, long - 480]]);
  return file(
    width,
    height,
    el("defs", {},
      light,
      gradient("radial", "cloth", { cx: "0.45", cy: "0.3", r: "0.9" }, [[0, "#2f6a70"], [1, "#173d43"]]),
      gradient("linear", "deep", { x2: "0", y2: "1" }, [[0, "#000", 0.5], [0.08, "#000", 0.15], [1, "#000", 0.05]]),
      g({ id: "a", stroke_linejoin: "round" }, path(tip, { fill: "#e3c48d", stroke: "#8d6a34", stroke_width: 12 }), path(inset, { fill: "none", stroke: "#8d6a34", stroke_opacity: ".65", stroke_width: 12 })),
      g({ id: "b", stroke_linejoin: "round" }, path(tip, { fill: "#a2402f", stroke: "#4d1710", stroke_width: 12 }), circle(0, long - 470, 34, { fill: "#e3c48d", fill_opacity: ".75" }))),
    plank(width, height, 34, 8),
    field(border, border, half, inner, "url(#cloth)"),
    field(rightHalf, border, half, inner, "url(#cloth)"),
    g({}, points),
    rect(border, border, half, inner, { fill: "url(#deep)" }),
    rect(rightHalf, border, half, inner, { fill: "url(#deep)" }),
    // The bar, with a hinge in its middle.
    path(d`M${border + half + bar / 2} 40V${height - 40}`, { stroke: "#2c180b", stroke_width: 12, stroke_opacity: ".7" }),
    [border, height - border - 2000].map((y) => [
      rect(trayAt - 20, y - 20, tray + 40, 2040, { rx: 50, fill: "none", stroke: gold, stroke_width: 10 }),
      rect(trayAt, y, tray, 2000, { rx: 40, fill: "#173d43" }),
      rect(trayAt, y, tray, 2000, { rx: 40, fill: "url(#deep)", stroke: "#22130a", stroke_width: 14 }),
    ]),
    words(numbers, { stroke: cream, stroke_width: 12, stroke_opacity: ".9" }),
    rect(0, 0, width, height, { rx: 70, fill: "url(#light)" }),
  );
}

/** The doubling cube shows how often the stake counts. */
const cube = (n) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.85", y2: "1" }, [[0, "#46536b"], [0.6, "#2b3550"], [1, "#151b2c"]])),
    rect(3, 3, 94, 94, { rx: 16, fill: "url(#a)", stroke: "#0b0f1a", stroke_width: 3 }),
    rect(11, 11, 78, 78, { rx: 10, fill: "none", stroke: gold, stroke_width: 2 }),
    label(String(n), 50, 50, 44, 0, { ...ink, stroke: "#fbe9c6", stroke_width: 13 }),
  );

const cubes = [64, 2, 4, 8, 16, 32];

export function* art() {
  yield ["backgammon/board.svg", board()];
  yield ["backgammon/roll.svg", plate("ROLL", 900, 420)];
  yield ["backgammon/off.svg", file(tray, 2000, rect(30, 30, tray - 60, 1940, { rx: 30, fill: "none", stroke: "#fff", stroke_opacity: ".22", stroke_width: 8, stroke_dasharray: "40 30" }))];
  for (const n of cubes) {
    yield [`backgammon/cube-${n}.svg`, cube(n)];
  }
}

// The upper left corner of the board on the table.
const left = -width / 2;
const top = -height / 2;
const ordinals = ["", ", 2nd", ", 3rd", ", 4th", ", 5th"];
const snaps = [];
for (let n = 1; n <= 24; n++) {
  for (let i = 0; i < 5; i++) {
    snaps.push({ x: Math.round(middle(n)), y: Math.round(depth(n, i)), name: n + ordinals[i] });
  }
}
const barMiddle = border + half + bar / 2;
[1, 2, 3, 4].forEach((i) => {
  snaps.push({ x: barMiddle, y: height / 2 + 400 + (i - 1) * (size + 10), name: `bar L${i}` });
  snaps.push({ x: barMiddle, y: height / 2 - 400 - (i - 1) * (size + 10), name: `bar D${i}` });
});

const checker = { width: size, height: size, shape: "round", weight: "light" };
const men = (kind, ...groups) =>
  groups.flatMap(([n, count]) =>
    Array.from({ length: count }, (_, i) => ({ kind, x: Math.round(left + middle(n)), y: Math.round(top + depth(n, i)) })));
const off = (of) => ({
  width: tray, height: 2000, shape: "rect", weight: "heavy",
  zone: { lay: "column", gap: 112, takes: [of], most: 15, count: true },
});

export const game = {
  name: "Backgammon",
  summary: "Race fifteen checkers home with two dice, and hit what stands alone.",
  order: 105,
  about: { players: [2, 2], minutes: [15, 40], age: 8, rules: "rules/backgammon.md" },
  table: { width: 7200, height: 5800, surface: "felt" },
  seats: [
    { name: "Light", side: "south", colour: "#f2ead8", pieces: [1] },
    { name: "Dark", side: "north", colour: "#3a3330", pieces: [2] },
  ],
  sheet: { title: "Points", columns: ["Light", "Dark"], rows: ["Game 1", "Game 2", "Game 3", "Game 4", "Game 5"] },
  setup: "With the doubling cube",
  setups: [{ name: "Without the doubling cube", without: ["Doubling cube"] }],
  kinds: [
    {
      name: "Board", width, height, shape: "rect", weight: "heavy",
      snaps: { reach: 200, points: snaps },
      faces: [{ name: "Backgammon board", art: "backgammon/board.svg" }],
    },
    { name: "Light’s tray", ...off("Light checker"), faces: [{ name: "Light checkers borne off", art: "backgammon/off.svg" }] },
    { name: "Dark’s tray", ...off("Dark checker"), faces: [{ name: "Dark checkers borne off", art: "backgammon/off.svg" }] },
    { name: "Light checker", ...checker, faces: [{ name: "Light checker", art: "draughts/light-man.svg" }] },
    { name: "Dark checker", ...checker, faces: [{ name: "Dark checker", art: "draughts/dark-man.svg" }] },
    { name: "Die", width: 330, height: 330, shape: "rect", weight: "light", die: { cooldown: 600 }, faces: sixFaces },
    {
      name: "Doubling cube", width: 400, height: 400, shape: "rect", weight: "light",
      faces: cubes.map((n) => ({ name: n === 64 ? "Doubling cube at 64, not used yet" : `Doubling cube at ${n}`, art: `backgammon/cube-${n}.svg` })),
    },
    {
      name: "Roll", width: 900, height: 420, shape: "rect", weight: "heavy",
      button: { cooldown: 600, steps: [{ do: "roll", kind: "Die" }] },
      faces: [{ name: "Roll the dice", art: "backgammon/roll.svg" }],
    },
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Light’s tray", x: left + trayAt + tray / 2, y: -top - border - 1000, pinned: true },
    { kind: "Dark’s tray", x: left + trayAt + tray / 2, y: top + border + 1000, angle: 18000, pinned: true },
    { kind: "Roll", x: left + border + half / 2, y: 0, pinned: true },
    { kind: "Doubling cube", x: left + barMiddle, y: 0 },
    { kind: "Die", x: left + rightHalf + half / 2 - 230, y: 0, face: 2 },
    { kind: "Die", x: left + rightHalf + half / 2 + 230, y: 0, face: 0 },
    ...men("Light checker", [24, 2], [13, 5], [8, 3], [6, 5]),
    ...men("Dark checker", [1, 2], [12, 5], [17, 3], [19, 5]),
  ],
};
