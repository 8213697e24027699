// Hnefatafl: a board of 11 by 11 squares, a king with twelve defenders, and 24 attackers, all of
// them round shields.

import { coordinates, framed, kaya, lines } from "../crossings.mjs";
import { circle, d, el, file, g, gradient, move, path, use } from "../svg.mjs";

const n = 11;
const square = 380;
const border = 260;
const outer = n * square + 2 * border;
const letters = "abcdefghijk";

const ways = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/** The squares of the attackers, and of the defenders, from the middle of the board. */
const attackers = ways.flatMap(([x, y]) => [[5, -2], [5, -1], [5, 0], [5, 1], [5, 2], [4, 0]].map(([far, aside]) => [x * far - y * aside, y * far + x * aside]));
const defenders = [...ways, ...ways.map(([x, y]) => [2 * x, 2 * y]), [1, 1], [-1, 1], [1, -1], [-1, -1]];

/** A knot of one line with four loops, 100 by 100. */
const knot = "M35 35V25A10 10 0 1 0 25 35H75A10 10 0 1 0 65 25V75A10 10 0 1 0 75 65H25A10 10 0 1 0 35 75Z";

function board() {
  const corner = ([x, y]) => [border + (x + 5) * square, border + (y + 5) * square];
  const area = ([x, y]) => d`M${corner([x, y])[0]} ${corner([x, y])[1]}h${square}v${square}h${-square}z`;
  const homes = [[0, 0], [-5, -5], [5, -5], [-5, 5], [5, 5]];
  return framed(outer, outer, border, kaya, {
    define: g({ id: "k", fill: "none" }, path(knot, { stroke: "#5a2d12", stroke_width: 9 }), path(knot, { stroke: "#e9c886", stroke_width: 3.4 })),
    drawn: [
      path(attackers.map(area).join(""), { fill: "#7c3324", fill_opacity: ".3" }),
      path(defenders.map(area).join(""), { fill: "#fff3d4", fill_opacity: ".5" }),
      path(homes.map(area).join(""), { fill: "#b4783f" }),
      homes.map((home) => use("k", { transform: move(...corner(home), d`scale(${square / 100})`) })),
      path(lines(border, border, square, square, n + 1, n + 1), { fill: "none", stroke: kaya.line, stroke_width: 12 }),
    ],
    written: coordinates({ letters, at: border + square / 2, stepX: square, stepY: square, width: outer, height: outer, border }),
  });
}

const shine = gradient("linear", "s", { x2: "0.8", y2: "1" }, [[0, "#fff", 0.34], [0.45, "#fff", 0], [1, "#000", 0.34]]);
const iron = gradient("radial", "i", { cx: "0.35", cy: "0.3", r: "0.8" }, [[0, "#f2f4f6"], [0.5, "#9aa2aa"], [1, "#3d444b"]]);
const rivets = (r, count, fill) => g({ fill }, Array.from({ length: count }, (_, i) => circle(50, 50 - r, 2.1, { transform: `rotate(${(360 * i) / count} 50 50)` })));

/** A shield, 100 by 100: quarters for attackers, rays for defenders. */
function shield(isAttacker) {
  const [body, mark, rim] = isAttacker ? ["#7d2a20", "#231a19", "#171212"] : ["#f3e8cf", "#3f6b84", "#5a4426"];
  const rays = Array.from({ length: 8 }, (_, i) => path("M50 50L46 9Q50 8 54 9Z", { transform: i ? `rotate(${45 * i} 50 50)` : undefined }));
  return file(
    100,
    100,
    el("defs", {}, shine, iron),
    circle(50, 50, 47.5, { fill: rim, stroke: "#0d0806", stroke_width: 2 }),
    circle(50, 50, 41, { fill: body }),
    isAttacker ? path("M50 9A41 41 0 0 1 91 50H9A41 41 0 0 0 50 91Z", { fill: mark }) : g({ fill: mark }, rays),
    rivets(44.2, isAttacker ? 12 : 16, isAttacker ? "#b9b2a6" : "#e9c886"),
    circle(50, 50, 41, { fill: "none", stroke: "#0d0806", stroke_width: 1.6, stroke_opacity: ".6" }),
    circle(50, 50, 47.5, { fill: "url(#s)" }),
    circle(50, 50, 14, { fill: "url(#i)", stroke: "#14100e", stroke_width: 2.4 }),
  );
}

const crown = "M25 66L20 36L36 49L50 27L64 49L80 36L75 66Q50 73 25 66Z";

const king = () =>
  file(
    100,
    100,
    el("defs", {}, shine, gradient("linear", "g", { x2: "0.3", y2: "1" }, [[0, "#fff2bf"], [0.4, "#e6bb57"], [1, "#8b5f17"]])),
    circle(50, 50, 47.5, { fill: "#6d4a14", stroke: "#1c1005", stroke_width: 2 }),
    rivets(44.2, 16, "#ffe9ac"),
    circle(50, 50, 41, { fill: "#24506a", stroke: "#1c1005", stroke_width: 1.6 }),
    circle(50, 50, 36.5, { fill: "none", stroke: "#e6bb57", stroke_width: 1.8 }),
    circle(50, 50, 47.5, { fill: "url(#s)" }),
    g({ fill: "url(#g)", stroke: "#3b2506", stroke_width: 2.2, stroke_linejoin: "round" }, path(crown), [[20, 34], [50, 25], [80, 34]].map(([x, y]) => circle(x, y, 3.6))),
    path("M28 60Q50 67 72 60", { fill: "none", stroke: "#6d4a14", stroke_width: 2.4 }),
  );

export function* art() {
  yield ["tafl/board.svg", board()];
  yield ["tafl/attacker.svg", shield(true)];
  yield ["tafl/defender.svg", shield(false)];
  yield ["tafl/king.svg", king()];
}

const warrior = { width: 320, height: 320, shape: "round", weight: "light", upright: true };
const standing = (kind, places) => places.map(([x, y]) => ({ kind, x: x * square, y: y * square }));

export const game = {
  name: "Hnefatafl",
  summary: "The king must reach a corner of the board. Twice as many attackers want to stop him.",
  order: 170,
  about: { players: [2, 2], minutes: [20, 50], age: 8, rules: "rules/tafl.md" },
  table: { width: 8200, height: 5400, surface: "wood" },
  seats: [
    { name: "Attackers", side: "south", colour: "#7d2a20", pieces: [2] },
    { name: "Defenders", side: "north", colour: "#3f6b84", pieces: [1] },
  ],
  kinds: [
    {
      name: "Hnefatafl board", width: outer, height: outer, shape: "rect", weight: "heavy",
      grid: {
        x: border + square / 2, y: border + square / 2, stepX: square, stepY: square, columns: n, rows: n,
        columnNames: [...letters], rowNames: Array.from({ length: n }, (_, i) => String(n - i)),
      },
      faces: [{ name: "Hnefatafl board", art: "tafl/board.svg" }],
    },
    {
      name: "Tray", width: 1200, height: 4600, shape: "rect", weight: "heavy",
      grid: { x: 265, y: 348, stepX: 335, stepY: 355, columns: 3, rows: 12 },
      faces: [{ name: "Tray for captured pieces", art: "common/tray.svg" }],
    },
    { name: "King", ...warrior, width: 360, height: 360, faces: [{ name: "King", art: "tafl/king.svg" }] },
    { name: "Defender", ...warrior, faces: [{ name: "Defender", art: "tafl/defender.svg" }] },
    { name: "Attacker", ...warrior, faces: [{ name: "Attacker", art: "tafl/attacker.svg" }] },
  ],
  pieces: [
    { kind: "Hnefatafl board", x: 0, y: 0, pinned: true, locked: true },
    { kind: "Tray", x: -3250, y: 0, pinned: true, locked: true },
    { kind: "Tray", x: 3250, y: 0, pinned: true, locked: true },
    ...standing("Attacker", attackers),
    ...standing("Defender", defenders),
    ...standing("King", [[0, 0]]),
  ],
};
