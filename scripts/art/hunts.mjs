// Games of hunters and prey: boards of lines, straight and diagonal, and discs with the head of an
// animal.

import { coordinates, framed } from "./crossings.mjs";
import { circle, d, dots, el, file, g, gradient, path } from "./svg.mjs";

const border = 260;
const letters = "abcdefg";

/**
 * A board of `across` by `across` points, or of those that `has` keeps. Lines lead to all straight
 * neighbours, and to the diagonal ones from every second point, beginning with the first one.
 */
export function web({ across, step, margin, wood, line, has = () => true, adorned }) {
  const at = border + margin;
  const size = (across - 1) * step + 2 * at;
  const points = Array.from({ length: across * across }, (_, i) => [i % across, Math.floor(i / across)]).filter(([x, y]) => has(x, y));
  const middle = ([x, y]) => [at + x * step, at + y * step];
  const isThere = (x, y) => x >= 0 && y >= 0 && x < across && y < across && has(x, y);
  const strokes = points.flatMap(([x, y]) =>
    [[1, 0], [0, 1], [1, 1], [-1, 1]].filter(([i, k]) => isThere(x + i, y + k) && (i * k === 0 || (x + y) % 2 === 0)).map(([i, k]) => d`M${middle([x, y])[0]} ${middle([x, y])[1]}l${i * step} ${k * step}`),
  ).join("");
  return {
    width: size, height: size,
    snaps: {
      reach: Math.round(step * 0.48),
      points: points.map((p) => ({ x: middle(p)[0], y: middle(p)[1], name: letters[p[0]] + (across - p[1]) })),
    },
    draw: () => framed(size, size, border, wood, {
      drawn: [
        adorned?.({ at, step, size }) ?? "",
        path(strokes, { fill: "none", stroke: line.edge, stroke_width: 42, stroke_linecap: "round" }),
        dots(points.map(middle), 84, { fill: line.edge }),
        path(strokes, { fill: "none", stroke: line.body, stroke_width: 20, stroke_linecap: "round" }),
        dots(points.map(middle), 70, { fill: line.body }),
        dots(points.map(middle), 42, { fill: line.eye }),
      ],
      written: coordinates({ letters: letters.slice(0, across), at, stepX: step, stepY: step, width: size, height: size, border }),
    }),
  };
}

const discs = {
  hunter: { lit: "#5d6f78", body: "#2f414b", shade: "#111c22", edge: "#070c0f", ring: "#d9b26a" },
  prey: { lit: "#fff5dc", body: "#e9d3a3", shade: "#b18c55", edge: "#4a3015", ring: "#7a5526" },
};

/** A disc, 100 by 100: of hunters it is dark with two rings, of prey light with one. */
function disc(role, head) {
  const { lit, body, shade, edge, ring } = discs[role];
  return file(
    100,
    100,
    el("defs", {}, gradient("linear", "up", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, lit], [0.5, body], [1, shade]])),
    circle(50, 50, 48, { fill: "url(#up)", stroke: edge, stroke_width: 2.4 }),
    circle(50, 50, 43, { fill: body, stroke: ring, stroke_width: 1.8 }),
    role === "hunter" ? circle(50, 50, 39.5, { fill: "none", stroke: ring, stroke_width: 1 }) : "",
    g({ transform: "translate(13 13) scale(.74)", stroke: "#1d120a", stroke_width: 2.4, stroke_linejoin: "round", stroke_linecap: "round" }, head),
  );
}

/** What is drawn on the left, and once more on the right. */
const twice = (...left) => [left, g({ transform: "matrix(-1 0 0 1 100 0)" }, left)];
const dark = { fill: "#1d120a", stroke: "none" };

const heads = {
  fox: [
    path("M50 88C42 86 20 66 14 50C11 38 12 20 16 8C27 13 36 22 40 29Q50 25 60 29C64 22 73 13 84 8C88 20 89 38 86 50C80 66 58 86 50 88Z", { fill: "#cf5f1e" }),
    path("M50 88C42 86 20 66 14 50C28 47 40 56 45 72Q50 79 55 72C60 56 72 47 86 50C80 66 58 86 50 88Z", { fill: "#fdf3e2", stroke: "none" }),
    twice(path("M20 18C26 22 31 28 33 33L22 40C19 34 19 25 20 18Z", { fill: "#4a2415", stroke: "none" }), circle(35, 51, 4.6, dark)),
    path("M42 81Q50 75 58 81Q56 90 50 91Q44 90 42 81Z", dark),
  ],
  goose: [
    path("M28 25L10 32L26 36Z", { fill: "#e08a1e" }),
    path("M26 84C16 70 22 60 36 56C44 53 45 46 43 38C42 32 39 32 35 35L27 36Q25 31 27 25C30 12 44 8 52 16C60 24 57 38 59 47C76 46 92 54 97 64C92 82 72 92 50 91C38 91 31 90 26 84Z", { fill: "#fffdf6" }),
    path("M48 66C60 56 80 60 90 68C78 80 58 82 48 66Z", { fill: "#d8cdb6" }),
    circle(38, 24, 3.2, dark),
  ],
  tiger: [
    twice(circle(20, 24, 13, { fill: "#e2902e" }), circle(20, 24, 6, { fill: "#5a2f14", stroke: "none" })),
    path("M50 12C76 12 90 32 90 54C90 78 72 92 50 92S10 78 10 54C10 32 24 12 50 12Z", { fill: "#e2902e" }),
    path("M50 92C34 92 26 82 28 72C30 62 42 62 50 66C58 62 70 62 72 72C74 82 66 92 50 92Z", { fill: "#fdf3e2", stroke: "none" }),
    g({ fill: "none", stroke_width: 5 }, path("M50 15V34"), twice(path("M36 19L41 33M12 50L24 52M14 66L25 65M24 80L31 76"))),
    twice(path("M26 48Q34 40 42 49Q34 54 26 48Z", { fill: "#f6e27a", stroke_width: 2 }), circle(35, 48, 3, dark)),
    path("M42 64H58L50 73ZM50 73V80M50 80Q44 85 38 81M50 80Q56 85 62 81", { fill: "#5a2f14", stroke_width: 2 }),
  ],
  goat: [
    twice(path("M42 30C30 26 20 14 26 0C30 10 38 18 48 22Z", { fill: "#8d7a5c" }), path("M34 40L6 44Q14 58 34 52Z", { fill: "#f7efdf" })),
    path("M30 36Q50 20 70 36L65 66Q60 84 50 85Q40 84 35 66Z", { fill: "#fffaf0" }),
    path("M42 83Q50 88 58 83L50 101Z", { fill: "#d5c7ab" }),
    twice(circle(39, 48, 4, dark), path("M44 73L47 76", { fill: "none" })),
    path("M45 78Q50 81 55 78", { fill: "none" }),
  ],
};

export const animals = { hunter: (name) => disc("hunter", heads[name]), prey: (name) => disc("prey", heads[name]) };
