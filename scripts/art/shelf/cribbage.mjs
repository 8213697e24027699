// Cribbage: a board of four streets with three tracks, and pegs.

import { aceLow, atPlaces, back52, box, button, rounds, counter, dealer, four, hand, holds, pack, place, sit, template, zone } from "../french.mjs";
import { when } from "../steps.mjs";
import { word } from "../glyphs.mjs";
import { circle, d, dots, el, file, g, gradient, move, path, rect, use } from "../svg.mjs";
import { frame, grain, walnut } from "../wood.mjs";

const [wide, high] = [5640, 2140];
const [first, step, gap, between, apart] = [640, 140, 70, 470, 105];
const colours = { red: "#d2463c", blue: "#5d8fd6", green: "#4fa36c" };
const tracks = Object.keys(colours);

/** Where the hole n of a street is, from 0 to 29. */
const along = (n) => first + n * step + Math.floor(n / 5) * gap;
const streetY = (street) => 365 + street * between;

/** The place of a hole: 1 to 121; 0 and −1 are the two from which pegs start. */
function hole(track, n) {
  const [street, k] = n < 1 ? [0, n - 1] : n > 120 ? [3, 30] : [Math.floor((n - 1) / 30), (n - 1) % 30];
  const back = street % 2 === 1;
  const x = k < 0 ? first + 130 * k - 50 : k > 29 ? first - 190 : along(back ? 29 - k : k);
  return [x, streetY(street) + (track - 1) * apart * (back ? -1 : 1)];
}

const every = tracks.flatMap((_, track) => Array.from({ length: 123 }, (_, i) => [track, i - 1]));

function board() {
  const lines = tracks.map((name, track) => {
    const off = (track - 1) * apart;
    const r = [between / 2 - off, between / 2 + off];
    const right = along(29);
    const y = [0, 1, 2, 3].map((street) => streetY(street) + (street % 2 ? -off : off));
    return path(
      d`M${hole(track, -1)[0]} ${y[0]}H${right}A${r[0]} ${r[0]} 0 0 1 ${right} ${y[1]}H${first}A${r[1]} ${r[1]} 0 0 0 ${first} ${y[2]}H${right}A${r[0]} ${r[0]} 0 0 1 ${right} ${y[3]}H${hole(track, 121)[0]}`,
      { stroke: colours[name], stroke_dasharray: [undefined, "70 30", "12 34"][track] },
    );
  });
  const figures = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120].map((n) => {
    const [x, y] = hole(1, n);
    return path(word(String(n)), { transform: move(x, y - 226, "scale(.62)") });
  });
  const [x, y] = hole(1, 121);
  return file(
    wide,
    high,
    el("defs", {},
      gradient("radial", "light", { cx: "0.35", cy: "0.2", r: "0.95" }, [[0, "#fff", 0.2], [0.55, "#fff", 0], [1, "#2a1200", 0.3]]),
      gradient("radial", "h", { cy: "0.62" }, [[0, "#3a2212"], [0.7, "#150a04"], [1, "#000"]]),
      circle(0, 0, 34, { id: "o", fill: "url(#h)", stroke: "#d3a878", stroke_opacity: ".55", stroke_width: 7 }),
      g({ id: "v" }, [-1, 0, 1].map((t) => use("o", { y: t * apart }))),
      g({ id: "f" }, [0, 1, 2, 3, 4].map((n) => use("v", { x: n * step })))),
    rect(0, 0, wide, high, { rx: 90, fill: frame.plank }),
    rect(10, 10, wide - 20, high - 20, { rx: 82, fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
    rect(66, 66, wide - 132, high - 132, { rx: 56, fill: walnut.plank, stroke: "#2c180b", stroke_width: 14 }),
    path(grain(wide - 220, high - 220, 26, 12, 26), { transform: "translate(110 110)", fill: "none", stroke: walnut.grain, stroke_width: 10, stroke_opacity: ".5" }),
    rect(52, 52, wide - 104, high - 104, { rx: 66, fill: "none", stroke: "#d9b26a", stroke_width: 10 }),
    rect(66, 66, wide - 132, high - 132, { rx: 56, fill: "url(#light)" }),
    g({ fill: "none", stroke_width: 16, stroke_opacity: ".75", stroke_linecap: "round" }, lines),
    [0, 1, 2, 3].map((street) => [0, 1, 2, 3, 4, 5].map((n) => use("f", { x: along(5 * n), y: streetY(street) }))),
    [-1, 0, 121].map((n) => use("v", { x: hole(1, n)[0], y: hole(1, n)[1] })),
    g({ fill: "none", stroke: "#f2d9ad", stroke_width: 17, stroke_linecap: "round", stroke_linejoin: "round", stroke_opacity: ".85" }, figures),
    rect(x - 75, y - 185, 150, 370, { rx: 70, fill: "none", stroke: "#e3c27a", stroke_width: 12 }),
    dots([[x, y - 240]], 16, { fill: "#e3c27a" }),
  );
}

/** A peg from above: its head, with a ring, a cross or a bar, so that nobody needs the colours. */
const peg = (name) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "s", { cx: "0.35", cy: "0.3", r: "0.8" }, [[0, "#fff", 0.65], [0.45, "#fff", 0.05], [1, "#000", 0.5]])),
    circle(50, 50, 46, { fill: colours[name], stroke: "#14100c", stroke_width: 6 }),
    circle(50, 50, 43, { fill: "url(#s)" }),
    path({ red: "M50 30A20 20 0 1 0 50 70A20 20 0 1 0 50 30Z", blue: "M32 32L68 68M68 32L32 68", green: "M30 50H70" }[name], { fill: "none", stroke: "#fffdf5", stroke_width: 10, stroke_linecap: "round" }),
  );

export function* art() {
  yield ["cribbage/board.svg", board()];
  yield ["cribbage/played.svg", place(2000, 1080)];
  for (const name of tracks) yield [`cribbage/peg-${name}.svg`, peg(name)];
}

const [south, west, north, east] = four(4700, 2950);
const sitting = sit([south, north, west, east], [["Hand", 0, 0], ["Cards played", 0, -1240]], 1); // two players sit opposite
const own = atPlaces(sitting, [
  hand(1900, 900),
  zone("Cards played", 2000, 1080, { lay: "row", gap: 330, most: 5, turns: "up" }, { art: "cribbage/played.svg" }),
], 2);

const deal = (players, ...steps) => button(`Deal for ${players}`, [
  { do: "recall", kind: "Deck" },
  { do: "shuffle", kind: "Deck" },
  { do: "count", kind: "Count", set: 0 },
  ...steps,
], { width: 1300, height: 380 });
const cards = (n) => ({ do: "deal", kind: "Deck", n });
const capital = (name) => name[0].toUpperCase() + name.slice(1);

export const game = {
  name: "Cribbage",
  summary: "Fifteens, pairs and runs, pegged on a board to 121.",
  order: 340,
  about: { players: [2, 4], minutes: [20, 45], age: 10, rules: "rules/cribbage.md" },
  table: { width: 10400, height: 6900, surface: "felt" },
  seats: sitting.seats,
  setup: "2 players",
  players: [2, 2],
  without: ["Green peg", "Deal for 3", "Deal for 4", ...own.without(2)],
  setups: [
    { name: "3 players", players: [3, 3], without: ["Deal for 2", "Deal for 4", ...own.without(3)] },
    { name: "4 players", players: [4, 4], without: ["Green peg", "Deal for 2", "Deal for 3"] },
  ],
  sheet: { title: "Games won", columns: sitting.seats.map(({ name }) => name), rows: rounds(5, "Game") },
  templates: [template],
  decks: [pack(aceLow)],
  kinds: [
    {
      name: "Board", width: wide, height: high, shape: "rect", weight: "heavy",
      snaps: { reach: 70, points: every.map(([track, n]) => {
        const [x, y] = hole(track, n);
        return { x, y, name: n < 1 ? `${tracks[track]} ${n < 0 ? "a" : "b"}` : `${tracks[track][0]}${n}` };
      }) },
      faces: [{ name: "Cribbage board", art: "cribbage/board.svg" }],
    },
    back52,
    box,
    ...own.kinds,
    zone("Crib", 820, 1080, { lay: "pile", turns: "down", most: 4, count: true }),
    zone("Starter", 820, 1080, { lay: "pile", most: 1, turns: "up" }),
    counter("Count", 0, 31),
    { name: "Sign of the count", width: 700, height: 170, shape: "rect", weight: "heavy", faces: [{ name: "Sign of the count", layers: [{ text: "Count", size: 130, italic: true, font: "serif", colour: "#f0dca8" }] }] },
    ...tracks.map((name) => ({ name: `${capital(name)} peg`, width: 96, height: 96, shape: "round", weight: "light", faces: [{ name: `${capital(name)} peg`, art: `cribbage/peg-${name}.svg` }] })),
    dealer,
    deal(2, cards(6)),
    deal(3, cards(5), { do: "move", kind: "Deck", n: 1, to: "Crib", face: 1 }),
    deal(4, cards(5)),
    button("Starter card", [
      when({ of: "pieces", in: "Starter", is: "=", n: 0 }, [{ do: "move", kind: "Deck", n: 1, to: "Starter", face: 0 }]),
    ], { width: 1300, height: 380, text: "Starter" }),
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true }, // below the names at the places
    ...sitting.pieces,
    { kind: "Starter", x: -1550, y: 1710, pinned: true },
    { kind: "Deck", x: -2450, y: 1710, ...holds },
    { kind: "Crib", x: 1550, y: 1710, pinned: true },
    { kind: "Count", x: 2450, y: 1760, pinned: true },
    { kind: "Sign of the count", x: 2450, y: 1440, pinned: true },
    { kind: "Dealer button", x: 1550, y: 2650 },
    { kind: "Starter card", x: -2000, y: 2700, pinned: true },
    { kind: "Deal for 2", x: -4250, y: 2050, pinned: true },
    { kind: "Deal for 3", x: -4250, y: 2500, pinned: true },
    { kind: "Deal for 4", x: -4250, y: 2950, pinned: true },
    ...tracks.flatMap((name, track) => [-1, 0].map((n) => {
      const [x, y] = hole(track, n);
      return { kind: `${capital(name)} peg`, x: Math.round(x - wide / 2), y: Math.round(y - high / 2) };
    })),
  ],
};
