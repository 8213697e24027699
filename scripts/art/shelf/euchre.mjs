// Euchre with 24 cards, and pinochle with two such packs.

import { cardName, rounds, frenchArt, trumps, zone } from "../french.mjs";
import { twoPacks } from "../twopacks.mjs";

const suits = ["spades", "hearts", "clubs", "diamonds"];
const ranks = ["9", "10", "J", "Q", "K", "A"];

export const art = frenchArt;

export const game = {
  name: "Euchre",
  summary: "Five tricks with your partner, and the jacks on top. Or bid, meld and play pinochle.",
  order: 362,
  about: { players: [4, 4], minutes: [20, 60], age: 10, rules: "rules/euchre.md" },
  setup: "Euchre",
  sheet: { title: "Points", columns: ["South and North", "West and East"], rows: rounds(16) },
  ...twoPacks({
    suits,
    ranks,
    more: suits.flatMap((suit) => ranks.map((rank) => cardName(rank, suit))),
    both: "Pinochle",
    beside: zone("Turned up", 820, 1080, { lay: "pile", turns: "keep" }, { label: "Up", size: 190 }),
    disc: trumps(),
    face: 4,
    dealt: (deal) => [deal(5), { do: "move", kind: "Deck", n: 1, to: "Turned up", face: 0 }],
    after: [{ do: "face", kind: "Trumps", face: 4 }],
  }),
};
