// Ludo: a cross of 52 squares, with four yards, four ways home, and four pawns and a die for each
// player. It also draws the pawns of other race games.

import { cream, field, gold, light, plank, polygon, sixFaces } from "../inlay.mjs";
import { colours, pawn, pawnOf } from "../pawns.mjs";
import { circle, d, el, file, g, gradient, move, path, rect } from "../svg.mjs";

const cell = 320;
const border = 240;
const field15 = 15 * cell;
const size = field15 + 2 * border;
const middle = ([column, row]) => [border + (column + 0.5) * cell, border + (row + 0.5) * cell];

/** The players clockwise, from the south on. `turn` is how often a quarter turn. */
const players = ["Red", "Blue", "Yellow", "Green"].map((name, turn) => ({ name, turn, ...colours[name] }));

/** A square of the south, turned clockwise by quarters. */
function turned([column, row], quarters) {
  let [x, y] = [column - 7, row - 7];
  for (let i = 0; i < quarters; i++) [x, y] = [-y, x];
  return [x + 7, y + 7];
}

// The 13 squares from the start of the south to that of the west.
const quarter = [[6, 13], [6, 12], [6, 11], [6, 10], [6, 9], [5, 8], [4, 8], [3, 8], [2, 8], [1, 8], [0, 8], [0, 7], [0, 6]];
const track = players.flatMap(({ turn }) => quarter.map((at) => turned(at, turn)));
const way = (turn) => [13, 12, 11, 10, 9].map((row) => turned([7, row], turn));
/** The four places at home, in the triangle in the middle. */
const home = (turn) => [[6.4, 8.2], [7, 8.2], [7.6, 8.2], [7, 7.56]].map((at) => turned(at, turn));
const yard = (turn) => [[1.55, 10.55], [3.45, 10.55], [1.55, 12.45], [3.45, 12.45]].map((at) => turned(at, turn));

function board() {
  const square = ([column, row]) => d`M${border + column * cell} ${border + row * cell}h${cell}v${cell}h${-cell}z`;
  const sign = (p, at, scale, attributes) => path(p.token, { transform: move(...middle(at), `scale(${scale}) translate(-50 -50)`), fill: p.ink, ...attributes });
  const yards = players.map((p) => {
    const [x, y] = middle(turned([2.5, 11.5], p.turn));
    const spots = yard(p.turn).map(middle);
    return [
      rect(x - 3 * cell, y - 3 * cell, 6 * cell, 6 * cell, { fill: p.colour, stroke: "#22130a", stroke_width: 12 }),
      rect(x - 2.8 * cell, y - 2.8 * cell, 5.6 * cell, 5.6 * cell, { rx: 60, fill: "none", stroke: p.ink, stroke_opacity: ".45", stroke_width: 10 }),
      rect(x - 1.9 * cell, y - 1.9 * cell, 3.8 * cell, 3.8 * cell, { rx: 260, fill: "#f3e4c2", stroke: p.deep, stroke_width: 16 }),
      spots.map(([sx, sy]) => circle(sx, sy, 178, { fill: p.tint, stroke: p.deep, stroke_width: 12 })),
      [[-2.36, -2.36], [2.36, -2.36], [-2.36, 2.36], [2.36, 2.36]].map(([dx, dy]) => path(p.token, { transform: move(x + dx * cell, y + dy * cell, "scale(2.4) translate(-50 -50)"), fill: p.ink, fill_opacity: ".9" })),
    ];
  });
  const arms = players.map((p) => {
    const [sx, sy] = turned([6, 13], p.turn);
    const arrow = path("M-34 60V-10H-70L0 -84L70 -10H34V60Z", { transform: move(...middle(turned([6, 14], p.turn)), `rotate(${90 * p.turn})`), fill: p.colour, stroke: p.deep, stroke_width: 8, stroke_linejoin: "round" });
    return [
      path(way(p.turn).map(square).join("") + square([sx, sy]), { fill: p.colour, stroke: "#3a2a16", stroke_width: 10 }),
      [...way(p.turn).map((at) => sign(p, at, 1.7, { fill_opacity: ".55" })), sign(p, [sx, sy], 2.7)],
      arrow,
    ];
  });
  const [west, east] = [border + 6 * cell, border + 9 * cell];
  const centre = players.map((p) => {
    const corners = [[-1.5, 1.5], [1.5, 1.5], [0, 0]].map(([x, y]) => {
      const [column, row] = turned([7 + x, 7 + y], p.turn);
      return middle([column, row]);
    });
    return [
      path(polygon(corners), { fill: p.colour, stroke: "#3a2a16", stroke_width: 10, stroke_linejoin: "round" }),
      home(p.turn).map((at) => [circle(...middle(at), 78, { fill: p.tint, stroke: p.deep, stroke_width: 8 }), sign(p, at, 1.3)]),
    ];
  });
  return file(
    size,
    size,
    el("defs", {}, light, gradient("radial", "paper", { cx: "0.4", cy: "0.3", r: "0.9" }, [[0, "#fbf3df"], [1, "#ead7ac"]])),
    plank(size, size, 36, 8),
    field(border, border, field15, field15, "url(#paper)"),
    path(track.map(square).join(""), { fill: "none", stroke: "#3a2a16", stroke_width: 10 }),
    yards,
    arms,
    rect(west, west, east - west, east - west, { fill: cream, stroke: "#22130a", stroke_width: 14 }),
    centre,
    rect(west, west, east - west, east - west, { fill: "none", stroke: gold, stroke_width: 12 }),
    g({}, rect(0, 0, size, size, { rx: 70, fill: "url(#light)" })),
  );
}

export function* art() {
  yield ["ludo/board.svg", board()];
  for (const [name, look] of Object.entries(colours)) {
    yield [`ludo/${name.toLowerCase()}.svg`, pawn(look)];
  }
}

const pawnSize = 340;
const point = (at, name) => {
  const [x, y] = middle(at).map(Math.round);
  return { x, y, name };
};

export const game = {
  name: "Ludo",
  summary: "Roll a six to start, run round the cross, and send others back to their yards.",
  order: 200,
  about: { players: [2, 4], minutes: [20, 45], age: 5, rules: "rules/ludo.md" },
  table: { width: 6000, height: 6000, surface: "wood" },
  seats: [["Red", "south"], ["Yellow", "north"], ["Blue", "west"], ["Green", "east"]].map(([name, side]) => ({ name, side, colour: colours[name].colour })),
  setup: "4 players",
  players: [4, 4],
  setups: [
    { name: "2 players", players: [2, 2], without: ["Blue pawn", "Blue die", "Green pawn", "Green die"] },
    { name: "3 players", players: [3, 3], without: ["Green pawn", "Green die"] },
  ],
  kinds: [
    {
      name: "Board", width: size, height: size, shape: "rect", weight: "heavy",
      snaps: {
        reach: 170,
        points: [
          ...track.map((at, i) => point(at, String(i + 1))),
          ...players.flatMap(({ name, turn }) => way(turn).map((at, i) => point(at, `${name} ${i + 1}`))),
          ...players.flatMap(({ name, turn }) => home(turn).map((at, i) => point(at, `${name[0]} home ${"abcd"[i]}`))),
          ...players.flatMap(({ name, turn }) => yard(turn).map((at, i) => point(at, `${name[0]} yard ${"abcd"[i]}`))),
        ],
      },
      faces: [{ name: "Ludo board", art: "ludo/board.svg" }],
    },
    ...players.map(({ name }) => pawnOf(name, pawnSize)),
    // Each player has a die in the middle of the yard, where nobody has to look for it on a phone.
    ...players.map(({ name }) => ({ name: `${name} die`, width: 300, height: 300, shape: "rect", weight: "light", die: { cooldown: 600 }, faces: sixFaces })),
  ],
  pieces: [
    { kind: "Board", x: 0, y: 0, pinned: true, locked: true },
    ...players.map(({ name, turn }) => {
      const [x, y] = middle(turned([2.5, 11.5], turn)).map((v) => Math.round(v - size / 2));
      return { kind: `${name} die`, x, y, angle: turn === 0 ? undefined : 9000 * turn, face: 5 };
    }),
    ...players.flatMap(({ name, turn }) => yard(turn).map((at) => {
      const [x, y] = middle(at).map((v) => Math.round(v - size / 2));
      return { kind: `${name} pawn`, x, y };
    })),
  ],
};
