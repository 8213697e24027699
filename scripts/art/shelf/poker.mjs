// Poker: an oval table for eight, the board of shared cards, chips and a pot.

import { aceHigh, back52, box, button, frenchArt, hand, holds, pack, place, sit, template, zone } from "../french.mjs";
import { when } from "../steps.mjs";
import { d, el, file, g, gradient, path, rect, use } from "../svg.mjs";
import { suits } from "../suits.mjs";
import { frame, grain } from "../wood.mjs";

const [wide, high] = [10400, 7000];

/** An oval of straight sides and half circles, `by` within the edge of the table. */
const oval = (by, attributes) => rect(by, by, wide - 2 * by, high - 2 * by, { rx: high / 2 - by, ...attributes });

/** The table: a rail of wood and leather, cloth, and a gold line that bets cross. */
const table = () =>
  file(
    wide,
    high,
    el("defs", {},
      gradient("radial", "cloth", { r: "0.62" }, [[0, "#35775c"], [0.7, "#245a43"], [1, "#163d2d"]]),
      gradient("linear", "rail", { x2: "0", y2: "1" }, [[0, "#6d4a33"], [0.5, "#3a2416"], [1, "#22130a"]]),
      el("clipPath", { id: "edge" }, oval(30)),
      Object.entries(suits).map(([name, suit]) => path(suit.pip, { id: name[0] }))),
    oval(30, { fill: frame.plank, stroke: "#1d0f06", stroke_width: 40 }),
    path(grain(wide, high, 46, 21, 40), { fill: "none", stroke: frame.grain, stroke_width: 14, stroke_opacity: ".5", clip_path: "url(#edge)" }),
    oval(130, { fill: "none", stroke: "#d9b26a", stroke_width: 20 }),
    oval(170, { fill: "url(#rail)", stroke: "#1d0f06", stroke_width: 24 }),
    oval(220, { fill: "none", stroke: "#fff", stroke_opacity: ".14", stroke_width: 26 }),
    oval(330, { fill: "url(#cloth)", stroke: "#0c2117", stroke_width: 36 }),
    oval(2050, { fill: "#000", fill_opacity: ".08", stroke: "#e3c27a", stroke_opacity: ".75", stroke_width: 18 }),
    oval(2095, { fill: "none", stroke: "#e3c27a", stroke_opacity: ".35", stroke_width: 8 }),
    g({ fill: "#f0dca8", fill_opacity: ".14" }, [..."shcd"].map((suit, i) => use(suit, { transform: d`translate(${[1800, 1800, 8600, 8600][i]} ${[1500, 5500, 5500, 1500][i]}) scale(4.6)` }))),
  );

export function* art() {
  yield* frenchArt();
  yield ["poker/table.svg", table()];
  yield ["poker/flop.svg", place(2240, 1080)];
  yield ["poker/pot.svg", place(2400, 720)];
}

const places = [
  { name: "Seat 1", side: 0, x: 0, y: 2530 },
  { name: "Seat 2", side: 0, x: -1950, y: 2530 },
  { name: "Seat 3", side: 9000, x: -4280, y: 0 },
  { name: "Seat 4", side: 18000, x: -1950, y: -2530 },
  { name: "Seat 5", side: 18000, x: 0, y: -2530 },
  { name: "Seat 6", side: 18000, x: 1950, y: -2530 },
  { name: "Seat 7", side: 27000, x: 4280, y: 0 },
  { name: "Seat 8", side: 0, x: 1950, y: 2530 },
];
const { seats, pieces } = sit(places, [
  ["Hand", 0, 0],
  ["Chips", 985, -520, { pinned: undefined, angle: undefined }],
], 1);
for (const seat of seats) seat.pieces = undefined;

const street = (name, n) => [
  when({ of: "pieces", in: name, is: "=", n: 0 }, [
    { do: "move", kind: "Deck", n: 1, to: "Muck", face: 1 },
    { do: "move", kind: "Deck", n, to: name, face: 0 },
  ]),
];
const deal = (n) => [{ do: "deal", kind: "Deck", n }];
const has = (kind) => ({ of: "pieces", kind, is: ">=", n: 1 }); // which set-up it is
const shared = (name, width, n) => zone(name, width, 1080, { lay: "row", gap: 700, most: n, turns: "up" }, { art: n > 1 ? "poker/flop.svg" : "cards/slot.svg" });

export const game = {
  name: "Poker",
  summary: "Bet on the best five cards: hold’em, Omaha or five-card draw.",
  order: 300,
  about: { players: [2, 8], minutes: [30, 180], age: 12, rules: "rules/poker.md" },
  table: { width: wide, height: high, surface: "wood" },
  seats,
  setup: "Texas hold’em",
  setups: [
    { name: "Omaha", without: ["Hold’em"] },
    { name: "Five-card draw", without: ["Hold’em", "Flop", "Turn", "River", "Deal flop", "Deal turn", "Deal river"] },
  ],
  templates: [template],
  decks: [pack(aceHigh)],
  kinds: [
    { name: "Poker table", width: wide, height: high, shape: "rect", weight: "heavy", faces: [{ name: "Poker table", art: "poker/table.svg" }] },
    back52,
    box,
    hand(1500, 900),
    { name: "Chips", width: 540, height: 540, shape: "round", weight: "light", currency: { initial: 1000 }, display: { x: 145, y: 185, width: 250, height: 170 }, faces: [{ name: "Chips", art: "cards/chips-red.svg" }] },
    { name: "Bank", width: 700, height: 700, shape: "round", weight: "heavy", supply: { of: "Chips" }, faces: [{ name: "Bank", art: "cards/chips.svg" }] },
    shared("Flop", 2240, 3),
    shared("Turn", 820, 1),
    shared("River", 820, 1),
    zone("Pot", 2400, 720, { lay: "free" }, { art: "poker/pot.svg", takes: ["Chips"] }),
    zone("Muck", 820, 1080, { lay: "pile", turns: "down", count: true }),
    { name: "Dealer", width: 560, height: 560, shape: "round", weight: "light", seat: "turn", display: { x: 77, y: 231, width: 406, height: 98 }, faces: [{ name: "Dealer", art: "common/turn.svg" }] },
    button("New hand", [
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "pass", kind: "Dealer" },
    ], { width: 1000 }),
    button("Deal", [
      when(has("Hold’em"), deal(2), [when(has("Deal flop"), deal(4), deal(5))]),
    ], { width: 1000 }),
    button("Deal flop", street("Flop", 3), { width: 1000, text: "Flop" }),
    button("Deal turn", street("Turn", 1), { width: 820, text: "Turn" }),
    button("Deal river", street("River", 1), { width: 820, text: "River" }),
    { name: "Hold’em", width: 1000, height: 200, shape: "rect", weight: "heavy", faces: [{ name: "Hold’em", layers: [{ text: "Texas hold’em", size: 150, italic: true, font: "serif", colour: "#f0dca8" }] }] },
  ],
  pieces: [
    { kind: "Poker table", x: 0, y: 0, pinned: true, locked: true },
    ...pieces,
    { kind: "Flop", x: -900, y: -500, pinned: true },
    { kind: "Turn", x: 710, y: -500, pinned: true },
    { kind: "River", x: 1610, y: -500, pinned: true },
    { kind: "Deck", x: -2520, y: 0, ...holds },
    { kind: "Muck", x: 2520, y: 0, pinned: true },
    { kind: "Pot", x: 0, y: 960, pinned: true },
    { kind: "Bank", x: 4800, y: 3080, pinned: true },
    { kind: "Dealer", x: -1620, y: 990 },
    { kind: "New hand", x: -4620, y: 2650, pinned: true },
    { kind: "Deal", x: -4620, y: 3130, pinned: true },
    { kind: "Deal flop", x: -900, y: 300, pinned: true },
    { kind: "Deal turn", x: 710, y: 300, pinned: true },
    { kind: "Deal river", x: 1610, y: 300, pinned: true },
    { kind: "Hold’em", x: 0, y: -1260, pinned: true },
  ],
};
