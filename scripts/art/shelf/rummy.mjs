// Rummy, and gin rummy.

import { aceLow, atPlaces, back52, box, button, columns, four, hand, holds, pack, place, sit, template, zone } from "../french.mjs";

const [south, west, north, east] = four(4350, 2950);
const sitting = sit([south, north, west, east], [["Hand", 0, 0]]); // two players sit opposite
const own = atPlaces(sitting, [hand()], 2);

const deal = (n) => button(`Deal ${n}`, [
  { do: "recall", kind: "Deck" },
  { do: "shuffle", kind: "Deck" },
  { do: "deal", kind: "Deck", n },
  { do: "move", kind: "Deck", n: 1, to: "Discards", face: 0 },
], { width: 1100, height: 420 });

export function* art() {
  yield ["rummy/melds.svg", place(4600, 3400)];
}

export const game = {
  name: "Rummy",
  summary: "Draw, collect sets and runs, and get rid of all cards. Or play gin.",
  order: 330,
  about: { players: [2, 4], minutes: [20, 45], age: 8, rules: "rules/rummy.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats: sitting.seats,
  setup: "Rummy",
  setups: [{ name: "Gin rummy", players: [2, 2], without: ["Deal 7", ...own.without(2)] }],
  sheet: { title: "Points", columns: columns(12) },
  templates: [template],
  decks: [pack(aceLow)],
  kinds: [
    back52,
    box,
    ...own.kinds,
    zone("Melds", 4600, 3400, { lay: "grid", gap: 210, down: 930, turns: "up" }, { art: "rummy/melds.svg", size: 260 }),
    {
      name: "Discards", width: 820, height: 1080, shape: "card", weight: "heavy",
      zone: { lay: "pile", takes: ["Card"], turns: "up" },
      faces: [{ name: "Discards", art: "cards/discards.svg" }],
    },
    deal(7),
    deal(10),
  ],
  pieces: [
    ...sitting.pieces,
    { kind: "Melds", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -3080, y: 0, ...holds },
    { kind: "Discards", x: 3080, y: 0, pinned: true },
    { kind: "Deal 7", x: -4050, y: 3050, pinned: true },
    { kind: "Deal 10", x: -2800, y: 3050, pinned: true },
  ],
};
