// Spades, and whist: four players in two partnerships.

import { aceHigh, back52, box, button, rounds, counter, four, hand, holds, pack, sit, template, trick, trumps, turn, won } from "../french.mjs";

const { seats, pieces } = sit(four(4300, 2950), [["Hand", 0, 0], ["Tricks won", 2130, 0], ["Bid", -2100, -140], ["Sign of a bid", -2100, -470]]);
for (const seat of seats) seat.pieces = seat.pieces.slice(0, 2);

export const game = {
  name: "Spades",
  summary: "Say how many tricks you take with your partner. Spades are trumps. Or play whist.",
  order: 320,
  about: { players: [4, 4], minutes: [30, 60], age: 8, rules: "rules/spades.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats,
  setup: "Spades",
  setups: [{ name: "Whist", without: ["Bid", "Sign of a bid"] }],
  sheet: { title: "Points", columns: ["South and North", "Bags of South and North", "West and East", "Bags of West and East"], rows: rounds(12) },
  templates: [template],
  decks: [pack(aceHigh)],
  kinds: [
    back52,
    box,
    hand(),
    won(),
    counter("Bid", 0, 13),
    { name: "Sign of a bid", width: 700, height: 200, shape: "rect", weight: "heavy", faces: [{ name: "Sign of a bid", layers: [{ text: "Bid", size: 150, italic: true, font: "serif", colour: "#f0dca8" }] }] },
    trick(3400, 3400),
    trumps(),
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "count", kind: "Bid", set: 0 },
      { do: "deal", kind: "Deck", n: 13 },
    ], { width: 1700, height: 500 }),
    turn,
  ],
  pieces: [
    ...pieces,
    { kind: "Trick", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2700, y: 0, ...holds },
    { kind: "Turn marker", x: 2700, y: 500 },
    { kind: "Trumps", x: 2700, y: -500 },
    { kind: "Deal", x: -3500, y: 3050, pinned: true },
  ],
};
