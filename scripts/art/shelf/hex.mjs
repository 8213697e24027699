// Hex on a board of 11 by 11 hexagons, and gomoku on one of 15 lines, with the bowls of go.

import { forBoth, framed, goban, kaya, label } from "../crossings.mjs";
import { circle, d, el, g, path, use } from "../svg.mjs";

const n = 11;
const w = 290; // from side to side of a hexagon
const s = w / Math.sqrt(3); // its side
const [width, height] = [5940, 3960];
const letters = "abcdefghijk";

/** A point of the board, `u` cells along the rows and `v` rows down from its middle. */
const at = (u, v) => [width / 2 + (u - 5) * w + ((v - 5) * w) / 2, height / 2 + (v - 5) * 1.5 * s];

const cells = Array.from({ length: n * n }, (_, i) => [i % n, Math.floor(i / n)]);

function board() {
  const point = ([x, y]) => d`${x} ${y}`;
  const edge = [[-0.95, -0.95], [10.95, -0.95], [10.95, 10.95], [-0.95, 10.95]].map(([u, v]) => point(at(u, v)));
  const middle = point(at(5, 5));
  const side = (i, k) => `M${edge[i]}L${edge[k]}L${middle}Z`;
  const hexagon = d`M0 ${-s}L${w / 2} ${-s / 2}V${s / 2}L0 ${s}L${-w / 2} ${s / 2}V${-s / 2}Z`;
  // The sides of White have studs, so that they are known without their colour.
  const studs = Array.from({ length: 10 }, (_, i) => [at(-0.7, i + 0.62), at(10.7, i + 0.38)]).flat();
  // Which way each colour goes, in the free corners.
  const way = (x, fill, turn) => g({ transform: d`translate(${x} 3310) rotate(${turn})`, stroke: kaya.line, stroke_width: 12 },
    path("M0 -215V215M-45 -165L0 -215L45 -165M-45 165L0 215L45 165", { fill: "none", stroke_opacity: ".75", stroke_width: 18 }),
    circle(0, 0, 95, { fill }));
  const names = (turned) => [...letters].map((_, i) => [
    label(letters[turned ? 10 - i : i], ...at(i, -1.42), 92),
    label(String(turned ? 11 - i : i + 1), ...at(-1.55, i), 92),
  ].join("")).join("") + way(640, "#2b2e33", 0) + way(1130, "#f6f1e6", 90);
  return framed(width, height, 260, kaya, {
    define: el("path", { id: "h", d: hexagon }),
    drawn: [
      path(side(0, 1) + side(2, 3), { fill: "#2b2e33" }),
      path(side(3, 0) + side(1, 2), { fill: "#f6f1e6" }),
      path(`M${edge.join("L")}Z`, { fill: "none", stroke: kaya.line, stroke_width: 16, stroke_linejoin: "round" }),
      path(studs.map((p) => `M${point(p)}h0`).join(""), { stroke: "#8d8268", stroke_width: 44, stroke_linecap: "round" }),
      g({ fill: "#eccb90", stroke: kaya.line, stroke_width: 10, stroke_linejoin: "round" }, cells.map(([u, v]) => {
        const [x, y] = at(u, v);
        return use("h", { x, y });
      })),
      path(d`M${at(5, 5)[0]} ${at(5, 5)[1]}h0`, { stroke: kaya.line, stroke_width: 60, stroke_linecap: "round", stroke_opacity: ".7" }),
    ],
    written: forBoth(width, height, { fill: "none", stroke: kaya.line, stroke_width: 15, stroke_linecap: "round", stroke_linejoin: "round" }, names),
  });
}

const gomoku = goban({ letters: "ABCDEFGHIJKLMNO", stepX: 224, stepY: 224, border: 260, margin: 140 });

export function* art() {
  yield ["hex/board.svg", board()];
  yield ["hex/gomoku.svg", gomoku.draw([3, 7, 11].flatMap((x) => [3, 7, 11].map((y) => [x, y])).filter(([x, y]) => (x === 7) === (y === 7)))];
}

const small = { width: 222, height: 222, shape: "round", weight: "light" };
const dish = { width: 1150, height: 1150, shape: "round", weight: "heavy" };

export const game = {
  name: "Hex and gomoku",
  summary: "Connect your two sides of the board, or be the first with five in a row.",
  order: 140,
  about: { players: [2, 2], minutes: [10, 30], age: 7, rules: "rules/hex.md" },
  table: { width: 8900, height: 5000, surface: "wood" },
  seats: [
    { name: "Black", side: "south", colour: "#2c2f35", pieces: [2] },
    { name: "White", side: "north", colour: "#f4efe4", pieces: [3] },
  ],
  setup: "Hex",
  without: ["Gomoku board"],
  setups: [{ name: "Gomoku", without: ["Hex board"] }],
  kinds: [
    {
      name: "Gomoku board", width: gomoku.width, height: gomoku.height, shape: "rect", weight: "heavy",
      grid: gomoku.grid,
      faces: [{ name: "Gomoku board", art: "hex/gomoku.svg" }],
    },
    {
      name: "Hex board", width, height, shape: "rect", weight: "heavy",
      snaps: {
        reach: Math.round(s),
        points: cells.map(([u, v]) => {
          const [x, y] = at(u, v).map(Math.round);
          return { x, y, name: letters[u] + (v + 1) };
        }),
      },
      faces: [{ name: "Hex board", art: "hex/board.svg" }],
    },
    { name: "Black stone", ...small, faces: [{ name: "Black stone", art: "go/black.svg" }] },
    { name: "White stone", ...small, faces: [{ name: "White stone", art: "go/white.svg" }] },
    { name: "Black stones", ...dish, supply: { of: "Black stone" }, faces: [{ name: "Bowl of black stones", art: "go/bowl-black.svg" }] },
    { name: "White stones", ...dish, supply: { of: "White stone" }, faces: [{ name: "Bowl of white stones", art: "go/bowl-white.svg" }] },
  ],
  pieces: [
    { kind: "Gomoku board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Hex board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Black stones", x: 3700, y: 1500, pinned: true },
    { kind: "White stones", x: -3700, y: -1500, pinned: true },
  ],
};
