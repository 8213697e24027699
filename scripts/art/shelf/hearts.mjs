// Hearts, for three to five players.

import { aceHigh, atPlaces, back52, box, button, rounds, hand, holds, pack, sit, template, trick, turn, won, zone } from "../french.mjs";
import { when } from "../steps.mjs";

const places = [
  { name: "South", side: 0, x: 0, y: 3150 },
  { name: "West", side: 9000, x: -4750, y: 0 },
  { name: "North-west", side: 18000, x: -2600, y: -3150 },
  { name: "North-east", side: 18000, x: 2600, y: -3150 },
  { name: "East", side: 27000, x: 4750, y: 0 },
];
const sitting = sit(places, [["Hand", 0, 0], ["Tricks won", 2130, 0], ["Cards to pass", -2130, 0]]);
const own = atPlaces(sitting, [
  hand(),
  won(),
  zone("Cards to pass", 820, 1080, { lay: "pile", turns: "down", most: 4, count: true }, { label: "Pass" }),
], 3);

const deal = (n) => ({ do: "deal", kind: "Deck", n });
const holding = (n, steps, otherwise) => when({ of: "holds", kind: "Deck", is: "=", n }, steps, otherwise);

export const game = {
  name: "Hearts",
  summary: "Take no hearts, and not the queen of spades. Or take them all.",
  order: 310,
  about: { players: [3, 5], minutes: [30, 60], age: 8, rules: "rules/hearts.md" },
  table: { width: 10800, height: 7600, surface: "felt" },
  seats: sitting.seats,
  setup: "4 players",
  players: [4, 4],
  without: own.without(4),
  setups: [
    { name: "3 players", players: [3, 3], without: ["2 of diamonds", ...own.without(3)] },
    { name: "5 players", players: [5, 5], without: ["2 of diamonds", "2 of clubs"] },
  ],
  sheet: { title: "Points", columns: sitting.seats.map(({ name }) => name), rows: rounds(12) },
  templates: [template],
  decks: [pack(aceHigh)],
  kinds: [
    back52,
    box,
    ...own.kinds,
    trick(3400, 3400),
    {
      name: "Passing", width: 1700, height: 900, shape: "rect", weight: "heavy", counter: { min: 1, max: 4, initial: 4 },
      display: { x: 260, y: 270, width: 240, height: 360 },
      faces: [{ name: "Passing", layers: [
        { art: "cards/plate.svg", fit: "fill" },
        { colour: "#fff8e6", x: 230, y: 240, width: 300, height: 420 },
        { text: "1  left\n2  right\n3  across\n4  keep", x: 640, y: 150, width: 900, height: 600, size: 130, align: "left", colour: "#f6e3b4" },
      ] }],
    },
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      when({ of: "value", kind: "Passing", is: ">=", n: 4 }, [{ do: "count", kind: "Passing", set: 1 }], [{ do: "count", kind: "Passing", add: 1 }]),
      holding(51, [deal(17)], [holding(50, [deal(10)], [deal(13)])]),
    ], { width: 1700, height: 500 }),
    turn,
  ],
  pieces: [
    ...sitting.pieces,
    { kind: "Trick", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2950, y: 0, ...holds },
    { kind: "Turn marker", x: 2950, y: 0 },
    { kind: "Deal", x: -3500, y: 3250, pinned: true },
    { kind: "Passing", x: 3500, y: 3200, pinned: true },
  ],
};
