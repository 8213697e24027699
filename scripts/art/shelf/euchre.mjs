// Euchre with 24 cards, and pinochle with two such packs.

import { back52, box, button, cardName, columns, four, frenchArt, hand, holds, pack, sit, template, trick, trumps, turn, won, zone } from "../french.mjs";
import { when } from "../steps.mjs";

const suits = ["spades", "hearts", "clubs", "diamonds"];
const ranks = ["9", "10", "J", "Q", "K", "A"];
const { seats, pieces } = sit(four(4300, 2950), [["Hand", 0, 0], ["Tricks won", 1900, 0]]);
const second = suits.flatMap((suit) => ranks.map((rank) => cardName(rank, suit)));

const pinochle = { of: "pieces", kind: "Turned up", is: "=", n: 0 }; // its set-up has no such place
const deal = (n) => ({ do: "deal", kind: "Deck", n });

export const art = frenchArt;

export const game = {
  name: "Euchre",
  summary: "Five tricks with your partner, and the jacks on top. Or bid, meld and play pinochle.",
  order: 362,
  about: { players: [4, 4], minutes: [20, 60], age: 10, rules: "rules/euchre.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats,
  setup: "Euchre",
  setups: [{
    name: "Pinochle", players: [4, 4], without: ["Turned up"],
    steps: [{ do: "move", kind: "Second pack", n: 24, to: "Deck" }, { do: "shuffle", kind: "Deck" }],
  }],
  sheet: { title: "Points", columns: columns(16), rows: ["South and North", "West and East"] },
  templates: [template],
  decks: [pack(ranks, suits)],
  kinds: [
    back52,
    box,
    { ...box, name: "Second pack", faces: [{ ...box.faces[0], name: "Second pack" }] },
    hand(),
    won(),
    zone("Turned up", 820, 1080, { lay: "pile", turns: "keep" }, { label: "Up", size: 190 }),
    trick(3400, 3400),
    trumps(),
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "recall", kind: "Second pack" },
      when(pinochle, [{ do: "move", kind: "Second pack", n: 24, to: "Deck" }]),
      { do: "shuffle", kind: "Deck" },
      when(pinochle, [deal(12)], [deal(5), { do: "move", kind: "Deck", n: 1, to: "Turned up", face: 0 }]),
      { do: "face", kind: "Trumps", face: 4 },
      { do: "pass", kind: "Dealer" },
    ], { width: 1700, height: 500 }),
    { ...turn, name: "Dealer", faces: [{ ...turn.faces[0], name: "Dealer" }] },
  ],
  pieces: [
    ...pieces,
    { kind: "Trick", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2700, y: -650, ...holds },
    { kind: "Turned up", x: -2700, y: 650, pinned: true },
    { kind: "Trumps", x: 2700, y: -500, face: 4 },
    { kind: "Dealer", x: 2700, y: 500 },
    { kind: "Deal", x: -3500, y: 3050, pinned: true },
    { kind: "Second pack", x: 4200, y: 2800, pinned: true, holds: second, shuffled: true },
  ],
};
