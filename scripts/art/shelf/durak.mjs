// Durak, and big two: games in which everybody wants to get rid of their cards.

import { atPlaces, back52, box, button, cardName, columns, hand, outlines, pack, place, sit, template, zone } from "../french.mjs";

const [wide, high] = [10400, 7300];
const low = ["3", "4", "5"];
const above = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const suits = ["diamonds", "clubs", "hearts", "spades"]; // from low to high in big two
const names = (ranks) => suits.flatMap((suit) => ranks.map((rank) => cardName(rank, suit)));

export function* art() {
  yield ["durak/bout.svg", place(4700, 1640, outlines([0, 1, 2, 3, 4, 5].flatMap((n) => [[500 + 740 * n, 580], [500 + 740 * n, 1060]])))];
}

// Two players sit opposite, in the middle of their sides.
const places = [
  { name: "South", side: 0, x: 0, y: 3000 },
  { name: "North", side: 18000, x: 0, y: -3000 },
  { name: "North-west", side: 18000, x: -2950, y: -3000 },
  { name: "South-east", side: 0, x: 2950, y: 3000 },
  { name: "South-west", side: 0, x: -2950, y: 3000 },
  { name: "North-east", side: 18000, x: 2950, y: -3000 },
];
const sitting = sit(places, [["Hand", 0, 0]]);
const own = atPlaces(sitting, [hand()], 4);
const gather = [{ do: "recall", kind: "Deck" }, { do: "recall", kind: "Low cards" }];

export const game = {
  name: "Durak",
  summary: "Attack, beat, and get rid of your cards: the last one is the fool. Or play big two.",
  order: 350,
  about: { players: [2, 6], minutes: [10, 30], age: 8, rules: "rules/durak.md" },
  table: { width: wide, height: high, surface: "felt" },
  seats: sitting.seats,
  setup: "Durak",
  without: ["Big two"],
  setups: [
    { name: "Big two", players: [2, 4], without: ["Durak", "Trump", ...own.without(4)] },
  ],
  sheet: { title: "Games", columns: columns(12, "Game") },
  templates: [template],
  decks: [pack([...low, ...above, "2"], suits)],
  kinds: [
    back52,
    box,
    { ...box, name: "Low cards", faces: [{ name: "Low cards", art: "cards/deck.svg" }] },
    ...own.kinds,
    zone("Bout", 4700, 1640, { lay: "grid", gap: 740, down: 480, turns: "up" }, { art: "durak/bout.svg", label: "" }),
    zone("Trump", 820, 1080, { lay: "pile", most: 1, turns: "up" }),
    zone("Discards", 820, 1080, { lay: "pile", turns: "down", count: true }),
    button("Durak", [
      ...gather,
      { do: "shuffle", kind: "Deck" },
      { do: "deal", kind: "Deck", n: 6 },
      { do: "move", kind: "Deck", n: 1, to: "Trump", face: 0 },
    ], { text: "Deal durak", width: 1600, height: 420 }),
    button("Big two", [
      ...gather,
      { do: "move", kind: "Low cards", n: 16, to: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "deal", kind: "Deck", n: 13 },
    ], { text: "Deal big two", width: 1600, height: 420 }),
  ],
  pieces: [
    ...sitting.pieces,
    { kind: "Bout", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -3280, y: -570, pinned: true, holds: names(above), shuffled: true },
    { kind: "Trump", x: -3280, y: 570, pinned: true },
    { kind: "Discards", x: 3280, y: 0, pinned: true },
    { kind: "Durak", x: -4280, y: 1520, pinned: true },
    { kind: "Big two", x: -4280, y: 2020, pinned: true },
    { kind: "Low cards", x: 4650, y: 1750, pinned: true, holds: names([...low, "2"]), shuffled: true },
  ],
};
