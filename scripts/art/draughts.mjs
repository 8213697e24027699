// Draughtsmen: turned discs seen from above, with a crown inlaid on the other side.

import { circle, el, file, g, gradient, path } from "./svg.mjs";

const sets = {
  light: { lit: "#fff6e0", body: "#ecd6a8", shade: "#b48f58", edge: "#4a3015", crown: "#a8431f", crownEdge: "#5e1f08" },
  dark: { lit: "#7d6a60", body: "#3d302b", shade: "#17100d", edge: "#050302", crown: "#e9bd54", crownEdge: "#6d4a0c" },
};

/** A raised ring: lit from the upper left, its other side in shade. */
const ring = (r, wide) => [
  circle(50, 50, r, { fill: "none", stroke: "url(#up)", stroke_width: wide }),
  circle(50, 50, r - wide / 2 - 0.6, { fill: "none", stroke: "url(#down)", stroke_width: 1.4 }),
];

const crown = "M27 63L23.5 37.5L38 48.5L50 29L62 48.5L76.5 37.5L73 63Q50 69 27 63Z";

function man(set, king) {
  const top = king
    ? [
        circle(50, 50, 31.5, { fill: "url(#down)", fill_opacity: ".55" }),
        g(
          { stroke: set.crownEdge, stroke_width: 2, stroke_linejoin: "round" },
          path(crown, { fill: "url(#gold)" }),
          path("M27.8 66.5Q50 73 72.2 66.5L71.6 71.5Q50 78 28.4 71.5Z", { fill: "url(#gold)" }),
          [[23.5, 36], [50, 27.5], [76.5, 36]].map(([x, y]) => circle(x, y, 3.4, { fill: "url(#gold)" })),
        ),
      ]
    : [ring(27, 7), ring(14, 6), circle(50, 50, 5, { fill: "url(#up)" })];
  return file(
    100,
    100,
    el(
      "defs",
      {},
      gradient("linear", "up", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, set.lit], [0.5, set.body], [1, set.shade]]),
      gradient("linear", "down", { x1: "0.15", y1: "0.1", x2: "0.85", y2: "0.9" }, [[0, set.shade], [0.5, set.body], [1, set.lit]]),
      king ? gradient("linear", "gold", { x2: "0.3", y2: "1" }, [[0, set.crown], [0.45, set.crown], [1, set.crownEdge]]) : "",
    ),
    circle(50, 50, 48, { fill: "url(#up)", stroke: set.edge, stroke_width: 2.4 }),
    circle(50, 50, 41, { fill: set.body, stroke: "url(#down)", stroke_width: 2.4 }),
    ring(37, 5),
    top,
  );
}

export function* draughts() {
  for (const [colour, set] of Object.entries(sets)) {
    yield [`draughts/${colour}-man.svg`, man(set, false)];
    yield [`draughts/${colour}-king.svg`, man(set, true)];
  }
}
