// Yacht: five dice in a tray of felt, a place for those that are kept, and a card with the
// categories.

import { players, press, tray, written } from "../parlour.mjs";
import { el, file, g, path, rect, use } from "../svg.mjs";
import { when } from "../steps.mjs";

const categories = [
  ["Ones", "SUM"], ["Twos", "SUM"], ["Threes", "SUM"], ["Fours", "SUM"], ["Fives", "SUM"], ["Sixes", "SUM"],
  ["Full house", "SUM"], ["Four of a kind", "SUM"], ["Little straight", "30"], ["Big straight", "30"], ["Choice", "SUM"], ["Yacht", "50"],
];

const pips = { 1: "m", 2: "ai", 3: "ami", 4: "acgi", 5: "acmgi", 6: "abcghi" };
const spots = { a: [-23, -23], b: [-23, 0], c: [-23, 23], m: [0, 0], g: [23, -23], h: [23, 0], i: [23, 23] };
const shown = { 6: "22255", 7: "44441", 8: "12345", 9: "23456", 10: "13466", 11: "66666" };

/** Small dice, 100 wide around 0, 0, as definitions. */
const dice = () =>
  [1, 2, 3, 4, 5, 6].map((value) =>
    g({ id: `d${value}` },
      rect(-46, -46, 92, 92, { rx: 18, fill: "#fffdf5", stroke: "#5a4420", stroke_width: 5 }),
      path([...pips[value]].map((spot) => `M${spots[spot][0]} ${spots[spot][1]}h0`).join(""), { stroke: "#1b2130", stroke_width: 20, stroke_linecap: "round" })));

/** The categories on paper, with an example of each and its points. */
function card() {
  const [width, height] = [2000, 3000];
  const line = (i) => 330 + 212 * i;
  return file(
    width,
    height,
    el("defs", {}, dice()),
    rect(6, 6, width - 12, height - 12, { rx: 70, fill: "#5f3a22", stroke: "#2c180b", stroke_width: 12 }),
    rect(40, 40, width - 80, height - 80, { rx: 44, fill: "none", stroke: "#d9b26a", stroke_width: 9 }),
    rect(70, 70, width - 140, height - 140, { rx: 30, fill: "#fbf5e4" }),
    rect(70, line(6) - 72, width - 140, height - 70 - line(6) + 72, { rx: 30, fill: "#1f5161", fill_opacity: ".07" }),
    written("YACHT", width / 2, 165, 100, { stroke: "#1f5161", weight: 16 }),
    path(categories.map((_, i) => `M120 ${line(i) - 72}H1880`).join(""), { stroke: "#b9a97f", stroke_width: 5 }),
    categories.map(([name, points], i) => [
      written(name.toUpperCase(), 500, line(i) + 34, 70, { stroke: "#3a2a1c", weight: 13, wide: 740 }),
      written(points, 1710, line(i) + 34, /\d/.test(points) ? 84 : 56, { stroke: "#8a2b22", weight: 14 }),
      i < 6 ? use(`d${i + 1}`, { x: 1220, y: line(i) + 34 }) : [...shown[i]].map((value, n) => use(`d${value}`, { x: 1220 + 116 * (n - 2), y: line(i) + 34 })),
    ]),
  );
}

/** A tray of felt in which dice roll. */
const board = () => file(3400, 2100, tray(3400, 2100, "#245a45", 130));

/** Where dice lie that are kept. */
const kept = () =>
  file(3000, 900, tray(3000, 900, "#3b2a4f", 70),
    path([0, 1, 2, 3, 4].map((i) => `M${140 + 560 * i} 210h480v480h-480Z`).join(""), { fill: "#000", fill_opacity: ".18", stroke: "#fff", stroke_opacity: ".22", stroke_width: 10, stroke_linejoin: "round" }),
    written("KEPT", 1500, 762, 64, { stroke: "#fff", stroke_opacity: ".6" }));

export function* art() {
  yield ["yacht/card.svg", card()];
  yield ["yacht/tray.svg", board()];
  yield ["yacht/kept.svg", kept()];
  yield ["yacht/roll.svg", press("ROLL", 1200, 560)];
  yield ["yacht/next.svg", press("NEXT PLAYER", 1200, 380)];
}

const names = ["First", "Second", "Third", "Fourth", "Fifth"].map((name) => `${name} die`);
const seats = [1, 2, 3, 4, 5, 6].map((n) => `Player ${n}`);
const faces = [1, 2, 3, 4, 5, 6].map((n) => ({ name: String(n), art: `dice/six-${n}.svg` }));

export const game = {
  name: "Yacht",
  summary: "Roll five dice up to three times, and fill twelve categories.",
  order: 400,
  about: { players: [1, 6], minutes: [15, 40], age: 7, rules: "rules/yacht.md" },
  table: { width: 7800, height: 4300, surface: "wood" },
  // All look from one side: they share the dice and the card.
  seats: Object.values(players).map((colour, i) => ({ name: seats[i], side: "south", colour })),
  sheet: { title: "Yacht", columns: seats, rows: categories.map(([name]) => name) },
  kinds: [
    { name: "Tray", width: 3400, height: 2100, shape: "rect", weight: "heavy", faces: [{ name: "Tray", art: "yacht/tray.svg" }] },
    { name: "Kept dice", width: 3000, height: 900, shape: "rect", weight: "heavy", zone: { lay: "row", gap: 560, takes: names, most: 5, turns: "keep" }, faces: [{ name: "Kept dice", art: "yacht/kept.svg" }] },
    { name: "Categories", width: 2000, height: 3000, shape: "rect", weight: "heavy", faces: [{ name: "Categories and their points", art: "yacht/card.svg" }] },
    { name: "Rolls", width: 700, height: 420, shape: "rect", weight: "heavy", counter: { min: 0, max: 3, initial: 0 }, display: { x: 110, y: 70, width: 480, height: 280 }, faces: [{ name: "Rolls of this turn", art: "common/counter.svg" }] },
    {
      name: "Roll", width: 1200, height: 560, shape: "rect", weight: "heavy",
      button: { cooldown: 1200, steps: [
        when({ of: "value", kind: "Rolls", is: "<", n: 3 }, [
          { do: "count", kind: "Rolls", add: 1 },
          ...names.map((kind) =>
            when({ of: "pieces", kind, in: "Kept dice", is: "=", n: 0 }, [{ do: "roll", kind }])),
        ]),
      ] },
      faces: [{ name: "Roll", art: "yacht/roll.svg" }],
    },
    {
      name: "Next player", width: 1200, height: 380, shape: "rect", weight: "heavy",
      button: { cooldown: 500, steps: [{ do: "count", kind: "Rolls", set: 0 }, { do: "pass", kind: "Turn marker" }] },
      faces: [{ name: "Next player", art: "yacht/next.svg" }],
    },
    { name: "Turn marker", width: 800, height: 800, shape: "round", weight: "light", seat: "turn", display: { x: 110, y: 330, width: 580, height: 140 }, faces: [{ name: "Turn marker", art: "common/turn.svg" }] },
    ...names.map((name) => ({ name, width: 450, height: 450, shape: "rect", weight: "light", die: { cooldown: 1000 }, faces })),
  ],
  // What is pressed lies below the tray, where phones show it, too.
  pieces: [
    { kind: "Tray", x: 0, y: -900, pinned: true, locked: true },
    { kind: "Kept dice", x: 0, y: 660, pinned: true },
    { kind: "Categories", x: 2800, y: 0, pinned: true, locked: true },
    { kind: "Rolls", x: 0, y: 1640, pinned: true },
    { kind: "Roll", x: -1050, y: 1640, pinned: true },
    { kind: "Next player", x: 1050, y: 1640, pinned: true },
    { kind: "Turn marker", x: -2700, y: 0 },
    ...[[-1050, -1100], [-450, -600], [130, -1300], [670, -680], [1110, -1200]].map(([x, y], i) => ({ kind: names[i], x, y, face: [2, 4, 0, 5, 3][i] })),
  ],
};
