// Skat with the French pack of 32 cards, and doppelkopf with two packs of 24.

import { word } from "../glyphs.mjs";
import { back52, box, button, cardName, columns, four, frenchArt, hand, holds, ivoryDisc, pack, sit, template, trick, turn, won, zone } from "../french.mjs";
import { when } from "../steps.mjs";
import { move, path } from "../svg.mjs";

const suits = ["clubs", "spades", "hearts", "diamonds"];
const ranks = ["7", "8", "9", "Q", "K", "10", "A", "J"]; // as they rank, with the jacks on top
const { seats, pieces } = sit(four(4300, 2950), [["Hand", 0, 0], ["Tricks won", 1900, 0]]);
const both = (rank) => suits.map((suit) => cardName(rank, suit));
const second = ranks.slice(2).flatMap(both);

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

const doppelkopf = { of: "pieces", kind: "Skat", is: "=", n: 0 }; // its set-up has no such place
const deal = (n) => ({ do: "deal", kind: "Deck", n });

export const game = {
  name: "Skat",
  summary: "Bid, take the skat, and play alone against two. Or play doppelkopf in secret pairs.",
  order: 360,
  about: { players: [3, 4], minutes: [30, 90], age: 12, rules: "rules/skat.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats,
  setup: "Skat",
  setups: [{
    name: "Doppelkopf", players: [4, 4], without: ["Skat", "Contract", ...both("7"), ...both("8")],
    steps: [{ do: "move", kind: "Second pack", n: 24, to: "Deck" }, { do: "shuffle", kind: "Deck" }],
  }],
  sheet: { title: "Points", columns: columns(12) },
  templates: [template],
  decks: [pack(ranks, suits)],
  kinds: [
    back52,
    box,
    { ...box, name: "Second pack", faces: [{ ...box.faces[0], name: "Second pack" }] },
    hand(),
    won(),
    zone("Skat", 820, 1080, { lay: "pile", turns: "down", most: 2, count: true }, { size: 190 }),
    trick(3400, 3400),
    {
      name: "Contract", width: 640, height: 640, shape: "round", weight: "light",
      faces: [...suits.map((suit) => ({ name: `Trumps: ${suit}`, art: `cards/trumps-${suit}.svg` })), { name: "Grand", art: "skat/grand.svg" }, { name: "Null", art: "skat/null.svg" }],
    },
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "recall", kind: "Second pack" },
      when(doppelkopf, [{ do: "move", kind: "Second pack", n: 24, to: "Deck" }]),
      { do: "shuffle", kind: "Deck" },
      when(doppelkopf, [deal(12)], [deal(10), { do: "move", kind: "Deck", n: 2, to: "Skat", face: 1 }]),
      { do: "pass", kind: "Dealer" },
    ], { width: 1700, height: 500 }),
    { ...turn, name: "Dealer", faces: [{ ...turn.faces[0], name: "Dealer" }] },
  ],
  pieces: [
    ...pieces,
    { kind: "Trick", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2700, y: -650, ...holds },
    { kind: "Skat", x: -2700, y: 650, pinned: true },
    { kind: "Contract", x: 2700, y: -500 },
    { kind: "Dealer", x: 2700, y: 500 },
    { kind: "Deal", x: -3500, y: 3050, pinned: true },
    { kind: "Second pack", x: 4200, y: 2800, pinned: true, holds: second, shuffled: true },
  ],
};
