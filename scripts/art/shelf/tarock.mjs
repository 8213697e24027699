// Tarock for three players, with 54 cards.

import { back52, box, button, cardName, rounds, frenchArt, hand, holds, place, sit, template, trick, turn, won, zone } from "../french.mjs";
import { tarockArt } from "../tarocks.mjs";

const { seats, pieces } = sit([
  { name: "South", side: 0, x: 0, y: 2950 },
  { name: "West", side: 9000, x: -4300, y: 0 },
  { name: "East", side: 27000, x: 4300, y: 0 },
], [["Hand", 0, 0], ["Cards won", 2330, 0]]);

const file = { A: "ace", J: "jack", Q: "queen", K: "king" };
const suit = (name, ranks) => ranks.map((rank) => (rank === "N" ? { name: `Knight of ${name}`, art: `tarock/${name}-knight.svg` } : { name: cardName(rank, name), art: `cards/${name}-${file[rank] ?? rank}.svg` }));
const black = ["7", "8", "9", "10", "J", "N", "Q", "K"];
const red = ["4", "3", "2", "A", "J", "N", "Q", "K"];
const called = { 1: "Tarock 1, the pagat", 21: "Tarock 21, the mond" };

export function* art() {
  yield* frenchArt();
  yield* tarockArt();
  yield ["tarock/talon.svg", place(2100, 1080)];
}

export const game = {
  name: "Tarock",
  summary: "Twenty-one trumps and a fool: bid for the talon and play alone against two.",
  order: 365,
  about: { players: [3, 3], minutes: [40, 90], age: 12, rules: "rules/tarock.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats,
  sheet: { title: "Points", columns: seats.map(({ name }) => name), rows: rounds(12) },
  templates: [template],
  decks: [{
    name: "Pack", template: template.name,
    rows: [
      ...suit("spades", black), ...suit("hearts", red), ...suit("clubs", black), ...suit("diamonds", red),
      ...Array.from({ length: 21 }, (_, i) => ({ name: called[i + 1] ?? `Tarock ${i + 1}`, art: `tarock/${i + 1}.svg` })),
      { name: "The fool", art: "tarock/fool.svg" },
    ],
  }],
  kinds: [
    back52,
    box,
    hand(3200, 1000),
    won("Cards won"),
    zone("Upper talon", 2100, 1080, { lay: "row", gap: 665, most: 3, turns: "keep" }, { art: "tarock/talon.svg", label: "Upper", size: 170 }),
    zone("Lower talon", 2100, 1080, { lay: "row", gap: 665, most: 3, turns: "keep" }, { art: "tarock/talon.svg", label: "Lower", size: 170 }),
    trick(3200, 3200),
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "deal", kind: "Deck", n: 16 },
      { do: "move", kind: "Deck", n: 3, to: "Upper talon", face: 1 },
      { do: "move", kind: "Deck", n: 3, to: "Lower talon", face: 1 },
      { do: "pass", kind: "Dealer", reverse: true },
    ], { width: 1700, height: 500 }),
    { ...turn, name: "Dealer", faces: [{ ...turn.faces[0], name: "Dealer" }] },
  ],
  pieces: [
    ...pieces,
    { kind: "Trick", x: 0, y: 100, pinned: true },
    { kind: "Deck", x: 0, y: -2900, ...holds },
    { kind: "Upper talon", x: -1580, y: -2900, pinned: true },
    { kind: "Lower talon", x: 1580, y: -2900, pinned: true },
    { kind: "Dealer", x: 2750, y: 100 },
    { kind: "Deal", x: -3600, y: 3100, pinned: true },
  ],
};
