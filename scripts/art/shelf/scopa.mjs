// Scopa and briscola, with the Latin pack of 40 cards.

import { atPlaces, button, columns, counter, four, frenchArt, hand, place, sit, turn } from "../french.mjs";
import { latinBack, latinCards } from "../latin.mjs";

const size = { width: 530, height: 890, shape: "card", weight: "light" };
const back = { name: "Face down", art: "scopa/back.svg" };
const [south, west, north, east] = four(4300, 2950);
const sitting = sit([south, north, west, east], [["Hand", 0, 0], ["Cards won", 1780, 0], ["Sweeps", -1760, 100], ["Sign of sweeps", -1760, -230]]);

const zone = (name, width, height, how, art, label = name) => ({
  name, width, height, shape: name === "Table" ? "rect" : "card", weight: "heavy",
  zone: { takes: ["Card"], ...how },
  faces: [{ name, layers: [
    { art, fit: "fill" },
    ...(label ? [{ text: label, x: 100, y: 100, width: width - 200, height: height - 200, size: 190, italic: true, font: "serif", colour: "#a9c4ae" }] : []),
  ] }],
});
const deal = { do: "deal", kind: "Deck", n: 3 };
const fresh = [{ do: "recall", kind: "Deck" }, { do: "shuffle", kind: "Deck" }];

for (const seat of sitting.seats) seat.pieces = seat.pieces.slice(0, 2);
const own = atPlaces(sitting, [
  hand(2200, 1000),
  zone("Cards won", 820, 1080, { lay: "pile", turns: "down", count: true }, "cards/won.svg", ""),
], 3);

export function* art() {
  yield* frenchArt();
  for (const { art, svg } of latinCards) yield [art, svg];
  yield ["scopa/back.svg", latinBack()];
  yield ["scopa/table.svg", place(3300, 2100)];
}

export const game = {
  name: "Scopa",
  summary: "Capture cards by their sums and sweep the table. Or take tricks in briscola.",
  order: 375,
  about: { players: [2, 4], minutes: [15, 40], age: 7, rules: "rules/scopa.md" },
  table: { width: 9900, height: 7200, surface: "felt" },
  seats: sitting.seats,
  setup: "Scopa",
  setups: [
    { name: "Briscola for 2 or 4", without: ["Sweeps", "Sign of sweeps", "New hand of scopa", "Deal 3 more"] },
    { name: "Briscola for 3", players: [3, 3], without: ["Sweeps", "Sign of sweeps", "New hand of scopa", "Deal 3 more", "2 of cups", ...own.without(3)] },
  ],
  sheet: { title: "Points", columns: columns(12) },
  templates: [{ name: "Latin card", ...size, secret: true, mask: "Card", faces: [{ name: "{name}", art: "{art}" }, back] }],
  decks: [{ name: "Pack", template: "Latin card", rows: latinCards.map(({ name, art }) => ({ name, art })) }],
  kinds: [
    { name: "Card", ...size, faces: [back] },
    { name: "Deck", width: 820, height: 1080, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Deck", art: "cards/deck.svg" }] },
    ...own.kinds,
    counter("Sweeps", 0, 20),
    { name: "Sign of sweeps", width: 700, height: 200, shape: "rect", weight: "heavy", faces: [{ name: "Sign of sweeps", layers: [{ text: "Sweeps", size: 150, italic: true, font: "serif", colour: "#f0dca8" }] }] },
    zone("Table", 3300, 2100, { lay: "grid", gap: 600, down: 960, turns: "up", most: 10 }, "scopa/table.svg"),
    zone("Trump", 820, 1080, { lay: "pile", turns: "up" }, "cards/slot.svg"),
    button("New hand of scopa", [
      ...fresh,
      { do: "count", kind: "Sweeps", set: 0 },
      deal,
      { do: "move", kind: "Deck", n: 4, to: "Table", face: 0 },
    ], { width: 1700, height: 420, text: "New scopa" }),
    button("New hand of briscola", [
      ...fresh,
      deal,
      { do: "move", kind: "Deck", n: 1, to: "Trump", face: 0 },
    ], { width: 1700, height: 420, text: "New briscola" }),
    button("Deal 3 more", [deal], { width: 1300, height: 420, text: "3 more" }),
    turn,
  ],
  pieces: [
    ...sitting.pieces,
    { kind: "Table", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2450, y: -600, pinned: true, holds: [{ deck: "Pack" }], shuffled: true },
    { kind: "Trump", x: -2450, y: 600, pinned: true },
    { kind: "Turn marker", x: 2500, y: 0 },
    { kind: "New hand of scopa", x: -3700, y: 2650, pinned: true },
    { kind: "New hand of briscola", x: -3700, y: 3200, pinned: true },
    { kind: "Deal 3 more", x: 3500, y: 3100, pinned: true },
  ],
};
