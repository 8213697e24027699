// Hanafuda: 48 flower cards, for koi-koi.

import { flowerBack, flowerCards } from "../flowers.mjs";
import { button, rounds, counter, frenchArt, hand, place, sit, turn } from "../french.mjs";
import { path } from "../svg.mjs";

const size = { width: 450, height: 720, shape: "card", weight: "light" };
const back = { name: "Face down", art: "hanafuda/back.svg" };

/** Where a player lays what was won: a zone for each sort, in a row that overlaps. */
const won = (name, most, gap, width) => ({
  name, width, height: 880, shape: "rect", weight: "heavy",
  zone: { lay: "row", gap, most, takes: ["Card"], turns: "up", count: true },
  faces: [{ name, layers: [
    { art: "hanafuda/row.svg", fit: "fill" },
    { text: name, x: 60, y: 300, width: width - 120, height: 280, size: 170, italic: true, font: "serif", colour: "#a9c4ae" },
  ] }],
});

const { seats, pieces } = sit(
  [{ name: "South", side: 0, x: 0, y: 3000 }, { name: "North", side: 18000, x: 0, y: -3000 }],
  [["Hand", 0, 0], ["Brights", -3190, -1170], ["Animals", -1420, -1170], ["Ribbons", 520, -1170], ["Plains", 2770, -1170]],
);

export function* art() {
  yield* frenchArt();
  for (const { art, svg } of flowerCards) yield [art, svg];
  yield ["hanafuda/back.svg", flowerBack()];
  yield ["hanafuda/row.svg", place(1800, 880)];
  const spots = [];
  for (let column = 0; column < 6; column++) for (const y of [480, 1280]) spots.push(`M${425 + column * 520} ${y - 340}h420v680h-420z`);
  yield ["hanafuda/field.svg", place(3450, 1760, path(spots.join(""), { transform: "translate(-210)", fill: "#000", fill_opacity: ".1", stroke: "#fff", stroke_opacity: ".18", stroke_width: 7, stroke_dasharray: "36 26", stroke_linecap: "round" }))];
}

export const game = {
  name: "Hanafuda",
  summary: "Match the flowers of the months, collect sets, and say koi-koi to play on.",
  order: 385,
  about: { players: [2, 2], minutes: [20, 45], age: 8, rules: "rules/hanafuda.md" },
  table: { width: 8600, height: 7200, surface: "felt" },
  seats,
  sheet: { title: "Points", columns: seats.map(({ name }) => name), rows: rounds(12, "Month") },
  templates: [{ name: "Flower card", ...size, secret: true, mask: "Card", faces: [{ name: "{name}", art: "{art}" }, back] }],
  decks: [{ name: "Pack", template: "Flower card", rows: flowerCards.map(({ name, art }) => ({ name, art })) }],
  kinds: [
    { name: "Card", ...size, faces: [back] },
    { name: "Deck", width: 690, height: 909, shape: "card", weight: "heavy", container: { draws: "top", takes: "Card" }, faces: [{ name: "Deck", art: "cards/deck.svg" }] },
    hand(3400, 1000),
    won("Brights", 5, 220, 1500),
    won("Animals", 9, 160, 1860),
    won("Ribbons", 10, 140, 1840),
    won("Plains", 24, 80, 2460),
    {
      name: "Field", width: 3450, height: 1760, shape: "rect", weight: "heavy",
      zone: { lay: "grid", gap: 520, down: 800, takes: ["Card"], turns: "up", most: 12 },
      faces: [{ name: "Field", art: "hanafuda/field.svg" }],
    },
    counter("Month", 0, 12),
    { name: "Sign of the month", width: 700, height: 220, shape: "rect", weight: "heavy", readable: true, faces: [{ name: "Sign of the month", layers: [{ text: "Month", size: 170, italic: true, font: "serif", colour: "#f0dca8" }] }] },
    button("Deal", [
      { do: "recall", kind: "Deck" },
      { do: "shuffle", kind: "Deck" },
      { do: "deal", kind: "Deck", n: 8 },
      { do: "move", kind: "Deck", n: 8, to: "Field", face: 0 },
      { do: "count", kind: "Month", add: 1 },
    ], { width: 1300, height: 440 }),
    turn,
  ],
  pieces: [
    ...pieces,
    { kind: "Field", x: 0, y: 0, pinned: true },
    { kind: "Deck", x: -2300, y: 0, pinned: true, holds: [{ deck: "Pack" }], shuffled: true },
    { kind: "Turn marker", x: 2300, y: 0 },
    { kind: "Month", x: -3300, y: 0, pinned: true },
    { kind: "Sign of the month", x: -3300, y: -350, pinned: true },
    { kind: "Deal", x: -3200, y: 3000, pinned: true },
  ],
};
