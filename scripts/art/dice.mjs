// Dice of 4 to 20 sides and a coin, seen from above. A picture is 100 by 100.

import { word, width } from "./glyphs.mjs";
import { emblem } from "./otter.mjs";
import { circle, d, dots, el, file, g, gradient, move, path, rect } from "./svg.mjs";

/** A corner every 360 / n degrees around 50, y, from the top on. */
const corners = (n, r, y = 50, from = 0) =>
  Array.from({ length: n }, (_, i) => {
    const turn = ((from + (360 * i) / n) * Math.PI) / 180;
    return [50 + r * Math.sin(turn), y - r * Math.cos(turn)];
  });

const polygon = (points) => `${points.map(([x, y], i) => (i ? "L" : "M") + d`${x} ${y}`).join("")}Z`;
const lines = (from, to) => from.map(([x, y], i) => d`M${x} ${y}L${to[i][0]} ${to[i][1]}`).join("");

/**
 * The view of a die: its outline, the side that is up, and the edges between them. `y` and `high`
 * give the place and height of its figure.
 */
const solids = {
  4: () => {
    const outer = corners(3, 55, 63);
    const up = corners(3, 42, 63);
    return { outer, up, edges: lines(up, outer), y: 66, high: 31 };
  },
  8: () => {
    const outer = corners(6, 48);
    const up = corners(3, 48);
    return { outer, up, edges: "", y: 55, high: 32 };
  },
  10: () => {
    const outer = [[50, 3], [91, 33], [91, 66], [50, 97], [9, 66], [9, 33]];
    const up = [[50, 3], [79, 57], [50, 74], [21, 57]];
    return { outer, up, edges: "M79 57L91 66M21 57L9 66M50 74V97", y: 47, high: 27 };
  },
  12: () => {
    const outer = corners(10, 48);
    const up = corners(5, 30);
    return { outer, up, edges: lines(up, corners(5, 48)), y: 51, high: 27 };
  },
  20: () => {
    const outer = corners(6, 48);
    const up = corners(3, 34, 51);
    const [top, right, left] = up;
    const [n, ne, se, s, sw, nw] = outer;
    return { outer, up, edges: lines([top, top, top, right, right, right, left, left, left], [n, ne, nw, ne, se, s, nw, sw, s]), y: 57, high: 25 };
  },
};

const resin = {
  4: { lit: "#d9514f", body: "#b02a31", deep: "#701620" },
  8: { lit: "#3a9a72", body: "#1f7454", deep: "#0f4633" },
  10: { lit: "#5571ab", body: "#2f477f", deep: "#182a52" },
  12: { lit: "#9a67ae", body: "#6d3f84", deep: "#422253" },
  20: { lit: "#5b6070", body: "#343843", deep: "#15171d" },
};

const gap = 21;

/** A figure in the middle of a side. 6 and 9 are underlined. */
function figure(value, y, high, attributes) {
  const text = String(value);
  const scale = Math.min(high / 100, (high * 1.02) / width(text, gap));
  const bar = text === "6" || text === "9" ? "M-24 122H24" : "";
  return path(word(text, gap) + bar, {
    transform: move(50, y - scale * 50, `scale(${Math.round(scale * 1000) / 1000})`),
    fill: "none", stroke_width: d`${4.4 / scale}`, stroke_linecap: "round", stroke_linejoin: "round", ...attributes,
  });
}

/** A side of a die of coloured resin. */
function resinDie(sides, value) {
  const { lit, body, deep } = resin[sides];
  const { outer, up, edges, y, high } = solids[sides]();
  return file(
    100,
    100,
    el("defs", {},
      gradient("linear", "a", { x1: "0.2", x2: "0.8", y2: "1" }, [[0, body], [1, deep]]),
      gradient("linear", "b", { x1: "0.2", x2: "0.8", y2: "1" }, [[0, lit], [1, body]])),
    g({ stroke: deep, stroke_linejoin: "round" },
      path(polygon(outer), { fill: "url(#a)", stroke_width: 3.4 }),
      path(polygon(up), { fill: "url(#b)", stroke: "none" }),
      path(polygon(up) + edges, { fill: "none", stroke: "#fff", stroke_opacity: ".32", stroke_width: 1.2, stroke_linecap: "round" })),
    figure(value, y, high, { stroke: "#fffaf0" }),
  );
}

const pips = { 1: "m", 2: "ai", 3: "ami", 4: "acgi", 5: "acmgi", 6: "abcghi" };
const spots = { a: [27, 27], b: [27, 50], c: [27, 73], m: [50, 50], g: [73, 27], h: [73, 50], i: [73, 73] };

/** A side of a die of ivory, with pips. */
function cube(value) {
  const at = [...pips[value]].map((spot) => spots[spot]);
  return file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.85", y2: "1" }, [[0, "#fffdf5"], [0.6, "#f3e8cf"], [1, "#cdb88d"]])),
    rect(3, 3, 94, 94, { rx: 20, fill: "url(#a)", stroke: "#5a4420", stroke_width: 2.4 }),
    circle(50, 50, 43, { fill: "#fffaf0", fill_opacity: ".7" }),
    dots(at, 9.2, { fill: "#1b2130" }),
    dots(at.map(([x, y]) => [x - 2.7, y - 2.8]), 2, { fill: "#fff", fill_opacity: ".35" }),
  );
}

/** A coin: on one side the otter, on the other a fish between waves. */
const coin = (heads) =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "a", { x1: "0.15", x2: "0.8", y2: "1" }, [[0, "#fff0b8"], [0.35, "#e3ba5d"], [1, "#a2742a"]])),
    circle(50, 50, 48, { fill: "url(#a)", stroke: "#5e3f10", stroke_width: 2.4 }),
    circle(50, 50, 43.5, { fill: "none", stroke: "#7d5718", stroke_width: 1.8, stroke_dasharray: "1.6 2.4" }),
    circle(50, 50, 39, { fill: "none", stroke: "#fff3c9", stroke_opacity: ".7", stroke_width: 1.4 }),
    heads
      ? g({ transform: "translate(50 52) scale(.44)" }, emblem("#6b4612", "#f0cf7d"))
      : g({ fill: "none", stroke: "#6b4612", stroke_width: 3.2, stroke_linecap: "round", stroke_linejoin: "round" },
        path("M22 50C32 34 54 34 66 50L79 39V61L66 50C54 66 32 66 22 50Z", { fill: "#6b4612" }),
        circle(35, 47, 2.6, { fill: "#f0cf7d", stroke: "none" }),
        path("M46 42Q51 50 46 58", { stroke: "#f0cf7d", stroke_width: 2 }),
        path("M27 30q6-7 12 0t12 0 12 0 12 0M27 72q6 7 12 0t12 0 12 0 12 0")),
  );

export function* dice() {
  for (let i = 1; i <= 6; i++) {
    yield [`dice/six-${i}.svg`, cube(i)];
  }
  for (const [sides, name] of [[4, "four"], [8, "eight"], [10, "ten"], [12, "twelve"], [20, "twenty"]]) {
    for (let i = 1; i <= sides; i++) {
      yield [`dice/${name}-${i}.svg`, resinDie(sides, i)];
    }
  }
  yield ["dice/heads.svg", coin(true)];
  yield ["dice/tails.svg", coin(false)];
}
