// The chess set: turned pieces in ivory and ebony, seen from the front and a little from above. A
// picture is 100 by 100. A piece stands on y 92 with its axis at x 50.

import { circle, d, el, ellipse, file, g, gradient, path } from "./svg.mjs";

const sets = {
  white: {
    side: [[0, "#c9a873"], [0.22, "#f3e3c0"], [0.42, "#fffaf0"], [0.72, "#ecd9b1"], [1, "#b08c55"]],
    ball: [[0, "#fffdf6"], [0.55, "#f0dfb9"], [1, "#b8945c"]],
    edge: "#43290f",
    line: "#7c5a2c",
    shine: "#fff",
  },
  black: {
    side: [[0, "#221a17"], [0.2, "#4b3f3a"], [0.36, "#84746b"], [0.6, "#3b302c"], [1, "#120d0b"]],
    ball: [[0, "#a59489"], [0.4, "#51443e"], [1, "#17110f"]],
    edge: "#080504",
    line: "#b7a08d",
    shine: "#f4e6d6",
  },
};

const axis = 50;

/** Pieces are drawn slender and widened by this factor. Balls stay round and are put on top. */
const broad = 1.22;

/**
 * A path that is its own mirror image: `right` draws its right half, from bottom to top, by lines
 * [x, y] and curves [x1, y1, x2, y2, x, y].
 */
function turned([x0, y0], right, bulge) {
  const points = [[x0, y0]];
  let up = "";
  for (const s of right) {
    up += s.length === 2 ? d`L${axis + s[0]} ${s[1]}` : d`C${axis + s[0]} ${s[1]} ${axis + s[2]} ${s[3]} ${axis + s[4]} ${s[5]}`;
    points.push(s.slice(-2));
  }
  let down = "";
  for (let i = right.length - 1; i >= 0; i--) {
    const s = right[i];
    const [x, y] = points[i];
    down += s.length === 2 ? d`L${axis - x} ${y}` : d`C${axis - s[2]} ${s[3]} ${axis - s[0]} ${s[1]} ${axis - x} ${y}`;
  }
  const [tx, ty] = points.at(-1);
  return d`M${axis + x0} ${y0}${up}` + (tx ? d`L${axis - tx} ${ty}` : "") + down + d`Q${axis} ${y0 + bulge} ${axis + x0} ${y0}Z`;
}

/** A rounded disc between y `top` and y `bottom`. */
function disc(top, bottom, w, bulge = w / 6) {
  const r = (bottom - top) / 2;
  return d`M${axis - w + r} ${top}A${r} ${r} 0 0 0 ${axis - w + r} ${bottom}Q${axis} ${bottom + bulge} ${axis + w - r} ${bottom}A${r} ${r} 0 0 0 ${axis + w - r} ${top}Q${axis} ${top + bulge} ${axis - w + r} ${top}Z`;
}

const side = (data) => path(data, { fill: "url(#s)" });
const ball = (x, y, r) => ({ ball: circle(axis + broad * (x - axis), y, r, { fill: "url(#b)" }) });

/** The foot of every piece: plinth and moulding. */
const foot = (w) => [
  side(disc(80.5, 90, w)),
  path(d`M${axis - w + 3} 84.5Q${axis} ${84 + w / 5} ${axis + w - 3} 84.5`, { fill: "none", stroke: "LINE", stroke_width: 1 }),
  side(disc(75, 81, w - 5.5)),
];

/** A stem that grows from half-width `a` at y 76 to `b` at y `top`. */
const stem = (a, b, top) => side(turned([a, 76.5], [[a * 0.45, 71, b * 1.05, 62, b, top]], a / 6));

const shapes = {
  pawn: () => [foot(26), stem(17, 7.5, 50), side(disc(44.5, 50, 14)), ball(axis, 32, 14.8)],

  rook: () => [
    foot(28),
    stem(20, 13.5, 42),
    side(disc(39, 44.5, 18)),
    side("M31 19.5H38.5V25.5Q42 26.6 45 26.9V21H55V26.9Q58 26.6 61.5 25.5V19.5H69V36Q66 40.5 50 40.5T31 36Z"),
    path("M31 31Q50 36.5 69 31", { fill: "none", stroke: "LINE", stroke_width: 1.2 }),
  ],

  bishop: () => [
    foot(27),
    stem(18, 8, 47),
    side(disc(46, 51, 17)),
    side(disc(41.5, 46.5, 12.5)),
    side(turned([9, 42], [[17, 37, 18, 30, 12, 23], [8, 18, 3, 16, 0, 13]], 2)),
    path("M53.5 19L45.5 33", { fill: "none", stroke: "EDGE", stroke_width: 2.6 }),
    ball(axis, 11, 4.2),
  ],

  queen: () => [
    foot(30),
    stem(21, 9, 45),
    side(disc(43, 48.5, 19)),
    side(disc(38, 43.5, 14)),
    side("M39.5 39.5C38 32 34 25 28.5 17.5L37.5 21.5L40 12.5L46 20L50 10.5L54 20L60 12.5L62.5 21.5L71.5 17.5C66 25 62 32 60.5 39.5Q50 43 39.5 39.5Z"),
    path("M35.7 29Q50 34 64.3 29", { fill: "none", stroke: "LINE", stroke_width: 1.2 }),
    ball(28, 16, 3.4),
    ball(40, 10.5, 3.4),
    ball(60, 10.5, 3.4),
    ball(72, 16, 3.4),
    ball(axis, 7.5, 4.2),
  ],

  king: () => [
    foot(31),
    stem(22, 10, 45),
    side(disc(43, 48.5, 20)),
    side(disc(38, 43.5, 15)),
    side("M47.2 19V13.8H42V8.2H47.2V3H52.8V8.2H58V13.8H52.8V19Z"),
    side(turned([12, 39.5], [[13, 33, 17, 28, 19.5, 22], [13, 18.5, 6, 17.5, 0, 17.5]], 3.5)),
    path("M30.5 22Q50 28 69.5 22", { fill: "none", stroke: "LINE", stroke_width: 1.2 }),
    path("M36 33Q50 37 64 33", { fill: "none", stroke: "LINE", stroke_width: 1.2 }),
  ],

  knight: () => [
    foot(28),
    path("M32 76.5C32 65 44 60 46.5 49.5C42 53.5 37.5 54 34 57.5C31 60.5 27.5 62 24 60C19 57.5 18 51.5 21.5 47C26 41 27.5 35.5 31.5 28.5C34 24 37.5 21 41 19.5L40.5 9.5C45 11 48.5 14 50.5 17.5C66 19 75.5 35 74 56C73.5 64 71 70 68.5 76.5Q50 82 32 76.5Z", { fill: "url(#k)" }),
    path("M52 23.5C61.5 27 67 38 66 54M50 31C57 34 60.5 42 60 53M47.5 38.5C52 41 54 46 53.5 52", { fill: "none", stroke: "LINE", stroke_width: 1.5 }),
    path("M32.5 56.5C30 55 27.5 54.5 24 55.5", { fill: "none", stroke: "EDGE", stroke_width: 1.6 }),
    ellipse(38.2, 30.5, 2.4, 2.8, { fill: "EDGE", stroke: "none" }),
    circle(37.4, 29.5, 0.8, { fill: "SHINE", stroke: "none" }),
    ellipse(23.8, 50.5, 1.1, 1.6, { fill: "EDGE", stroke: "none" }),
  ],
};

function piece(shape, set) {
  const parts = shapes[shape]().flat();
  const balls = parts.filter((p) => p.ball).map((p) => p.ball);
  const body = parts.filter((p) => !p.ball).join("").replaceAll("LINE", set.line).replaceAll("EDGE", set.edge).replaceAll("SHINE", set.shine);
  return file(
    100,
    100,
    el("defs", {}, gradient("linear", "s", {}, set.side), gradient("radial", "b", { cx: "0.36", cy: "0.3", r: "0.75" }, set.ball), shape === "knight" ? gradient("linear", "k", { x2: "1", y2: "0.35" }, set.side) : ""),
    ellipse(52, 90.5, 38, 6, { fill: "#000", fill_opacity: ".22" }),
    g(
      { stroke: set.edge, stroke_width: 2, stroke_linejoin: "round", stroke_linecap: "round" },
      g({ transform: `translate(${axis} 0) scale(${broad} 1) translate(-${axis} 0)` }, body),
      balls,
    ),
  );
}

export function* chess() {
  for (const [colour, set] of Object.entries(sets)) {
    for (const shape of Object.keys(shapes)) {
      yield [`chess/${colour}-${shape}.svg`, piece(shape, set)];
    }
  }
}
