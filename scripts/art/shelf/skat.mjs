// Skat with the French pack of 32 cards, and doppelkopf with two packs of 24.

import { word } from "../glyphs.mjs";
import { cardName, four, frenchArt, ivoryDisc, rounds, zone } from "../french.mjs";
import { move, path } from "../svg.mjs";
import { twoPacks } from "../twopacks.mjs";

const suits = ["clubs", "spades", "hearts", "diamonds"];
const ranks = ["7", "8", "9", "Q", "K", "10", "A", "J"]; // as they rank, with the jacks on top
const both = (rank) => suits.map((suit) => cardName(rank, suit));

/** A disc with a word: a contract in which no suit is named. */
const contract = (name, scale) =>
  ivoryDisc(
    path(word(name), { transform: move(50, 50 - 50 * scale, `scale(${scale})`), fill: "none", stroke: "#1b2130", stroke_width: 15, stroke_linecap: "round", stroke_linejoin: "round" }),
  );

export function* art() {
  yield* frenchArt();
  yield ["skat/grand.svg", contract("Grand", 0.2)];
  yield ["skat/null.svg", contract("Null", 0.24)];
}

export const game = {
  name: "Skat",
  summary: "Bid, take the skat, and play alone against two. Or play doppelkopf in secret pairs.",
  order: 360,
  about: { players: [3, 4], minutes: [30, 90], age: 12, rules: "rules/skat.md" },
  setup: "Skat",
  players: [3, 3],
  sheet: { title: "Points", columns: four(0, 0).map(({ name }) => name), rows: rounds(12) },
  ...twoPacks({
    fewest: 3,
    suits,
    ranks,
    more: ranks.slice(2).flatMap(both),
    both: "Doppelkopf",
    without: ["Contract", ...both("7"), ...both("8")],
    beside: zone("Skat", 820, 1080, { lay: "pile", turns: "down", most: 2, count: true }, { size: 190 }),
    disc: {
      name: "Contract", width: 640, height: 640, shape: "round", weight: "light", upright: true,
      faces: [...suits.map((suit) => ({ name: `Trumps: ${suit}`, art: `cards/trumps-${suit}.svg` })), { name: "Grand", art: "skat/grand.svg" }, { name: "Null", art: "skat/null.svg" }],
    },
    dealt: (deal) => [deal(10), { do: "move", kind: "Deck", n: 2, to: "Skat", face: 1 }],
  }),
};
