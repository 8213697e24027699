// Chinese checkers: a star with 121 holes, and ten marbles for each of up to six players. Points
// and marbles have the signs of the tokens, so that nobody needs the colours.

import { cream, gold, label, light, polygon, words } from "../inlay.mjs";
import { colours } from "../pawns.mjs";
import { circle, d, dots, el, file, g, gradient, move, path } from "../svg.mjs";
import { frame, grain, maple } from "../wood.mjs";

const step = 330; // from one hole to the next one in a row
const row = (step * Math.sqrt(3)) / 2;
const size = 5900;
const mid = size / 2;
const marble = 270;

/** The holes of the star: how many there are in each row, from the north. */
const counts = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
const letters = "abcdefghijklmnopq";
const holes = counts.flatMap((count, r) =>
  Array.from({ length: count }, (_, i) => ({ x: (i - (count - 1) / 2) * step, y: (r - 8) * row, name: letters[r] + (i + 1) })));

/** The six points of the star, clockwise as seen from above. `turn` is from the south. */
const points = [["Red", 0], ["Blue", 180], ["Green", 60], ["Yellow", 240], ["Black", 120], ["White", 300]]
  .map(([name, turn]) => ({ name, turn, ...colours[name] }));

/** A point of the plane, turned clockwise from the south. */
function turned(x, y, degrees) {
  const a = (degrees * Math.PI) / 180;
  return [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
}

/** The ten holes of a point of the star. */
function home({ turn }) {
  return holes.filter(({ x, y }) => {
    const [, south] = turned(x, y, -turn);
    return south > 4.5 * row;
  });
}

function board() {
  const at = (x, y) => [mid + x, mid + y];
  const edge = 8 * row + 250;
  const tip = (turn, grow) => {
    const [top, base] = [8 * row + 2 * grow, 4.5 * row];
    const side = (top - base) / Math.sqrt(3);
    return [[0, top], [-side, base], [side, base]].map(([x, y]) => at(...turned(x, y, turn)));
  };
  const star = (grow) => polygon(Array.from({ length: 12 }, (_, i) => at(...turned(0, i % 2 ? (8 * row + grow * 2) / Math.sqrt(3) : 8 * row + grow * 2, 30 * i))));
  // Lines between neighbours, in all three directions.
  let lines = "";
  for (const { x, y } of holes) {
    for (const turn of [0, 60, 120]) {
      const [dx, dy] = turned(step, 0, turn);
      if (holes.some((h) => Math.abs(h.x - x - dx) < 2 && Math.abs(h.y - y - dy) < 2)) lines += d`M${mid + x} ${mid + y}l${dx} ${dy}`;
    }
  }
  const centres = holes.map(({ x, y }) => at(x, y));
  const names = counts.map((count, r) => label(letters[r].toUpperCase(), mid - ((count - 1) / 2) * step - 280, mid + (r - 8) * row, 74));
  return file(
    size,
    size,
    el("defs", {}, light,
      gradient("radial", "face", { cx: "0.4", cy: "0.3", r: "0.8" }, [[0, "#8d5f3d"], [1, "#4c2c18"]]),
      gradient("linear", "hole", { x2: "0.3", y2: "1" }, [[0, "#1a0d05"], [1, "#8a623a"]]),
      el("clipPath", { id: "c" }, circle(mid, mid, mid - 20))),
    circle(mid, mid, mid - 10, { fill: frame.plank, stroke: "#2c180b", stroke_width: 20 }),
    circle(mid, mid, mid - 150, { fill: "url(#face)", stroke: "#22130a", stroke_width: 22 }),
    path(grain(size, size, 40, 6, 26), { fill: "none", stroke: frame.grain, stroke_width: 11, stroke_opacity: ".4", clip_path: "url(#c)" }),
    circle(mid, mid, mid - 34, { fill: "none", stroke: "#fff", stroke_opacity: ".16", stroke_width: 14 }),
    circle(mid, mid, mid - 112, { fill: "none", stroke: gold, stroke_width: 14 }),
    path(star(150), { fill: maple.plank, stroke: "#2c180b", stroke_width: 44, stroke_linejoin: "round" }),
    path(star(150), { fill: "none", stroke: gold, stroke_width: 18, stroke_linejoin: "round" }),
    points.map((p) => path(polygon(tip(p.turn, 118)), { fill: p.tint, fill_opacity: ".85", stroke: p.deep, stroke_opacity: ".5", stroke_width: 8, stroke_linejoin: "round" })),
    path(lines, { stroke: "#6b4a22", stroke_opacity: ".6", stroke_width: 12 }),
    dots(centres, 106, { fill: "url(#hole)" }),
    dots(centres, 86, { fill: "#3a2110" }),
    points.map((p) => {
      const [x, y] = at(...turned(0, edge + 118, p.turn));
      return g({ transform: move(x, y, "scale(2.9) translate(-50 -50)") }, circle(50, 50, 44, { fill: p.colour, stroke: gold, stroke_width: 5 }), path(p.token, { fill: p.ink }));
    }),
    words(names, { stroke: cream, stroke_width: 12, stroke_opacity: ".75" }),
    circle(mid, mid, mid - 10, { fill: "url(#light)" }),
  );
}

/** A marble of glass with its sign inside. */
const glass = ({ colour, lit, deep, token, ink }) =>
  file(
    100,
    100,
    el("defs", {}, gradient("radial", "a", { cx: "0.36", cy: "0.3", r: "0.75" }, [[0, lit], [0.45, colour], [1, deep]])),
    circle(50, 50, 48, { fill: "url(#a)", stroke: deep, stroke_width: 2.5 }),
    path(token, { fill: ink, fill_opacity: ".92", transform: "translate(9 9) scale(.82)" }),
    path("M18 40C22 24 34 14 48 12C38 20 28 28 24 42Z", { fill: "#fff", fill_opacity: ".7" }),
  );

export function* art() {
  yield ["chinese-checkers/board.svg", board()];
  for (const p of points) {
    yield [`chinese-checkers/${p.name.toLowerCase()}.svg`, glass(p)];
  }
}

const without = (...names) => names.map((name) => `${name} marble`);
const integer = ({ x, y, name }) => ({ x: Math.round(mid + x), y: Math.round(mid + y), name });

export const game = {
  name: "Chinese checkers",
  summary: "Hop across the star into the point on the other side.",
  order: 190,
  about: { players: [2, 6], minutes: [20, 45], age: 7, rules: "rules/chinese-checkers.md" },
  table: { width: 7000, height: 6400, surface: "felt" },
  seats: points.map(({ name, turn, colour }) => ({ name, side: turn * 100, colour })),
  setup: "6 players",
  players: [6, 6],
  setups: [
    { name: "2 players", players: [2, 2], without: without("Green", "Yellow", "Black", "White") },
    { name: "3 players", players: [3, 3], without: without("Blue", "Green", "White") },
    { name: "4 players", players: [4, 4], without: without("Black", "White") },
    { name: "5 players", players: [5, 5], without: without("White") },
  ],
  kinds: [
    {
      name: "Board", width: size, height: size, shape: "round", weight: "heavy",
      snaps: { reach: 190, points: holes.map(integer) },
      faces: [{ name: "Board with a star", art: "chinese-checkers/board.svg" }],
    },
    ...points.map(({ name, sign }) => ({
      name: `${name} marble`, width: marble, height: marble, shape: "round", weight: "light",
      faces: [{ name: `${name} marble, ${sign}`, art: `chinese-checkers/${name.toLowerCase()}.svg` }],
    })),
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true, locked: true },
    ...points.flatMap((p) => home(p).map(({ x, y }) => ({ kind: `${p.name} marble`, x: Math.round(x), y: Math.round(y) }))),
  ],
};
