// Things to write on and to count with: a counter, a note, a player's label, a turn marker. The
// ground is light where the page writes, because its ink is dark.

import { circle, d, el, file, g, gradient, path, rect } from "./svg.mjs";

const brass = (id) => gradient("linear", id, { x2: "0.3", y2: "1" }, [[0, "#fff0b8"], [0.3, "#e0b65a"], [0.65, "#a87a28"], [1, "#6d4a14"]]);
const enamel = gradient("linear", "e", { x2: "0", y2: "1" }, [[0, "#e9e1cd"], [0.16, "#fffdf7"], [1, "#f6efdf"]]);

/**
 * A brass plate with corners like those of cards, and a window of enamel in it: a corner, width and
 * height.
 */
function plate(width, height, [x, y, w, h]) {
  const framed = (inset, attributes) => rect(inset, inset, width - 2 * inset, height - 2 * inset, { rx: 0.055 * Math.min(width, height), ...attributes });
  return [
    framed(4, { fill: "url(#b)", stroke: "#3a220e", stroke_width: 8 }),
    framed(16, { fill: "none", stroke: "#fff3c9", stroke_opacity: ".6", stroke_width: 5 }),
    rect(x - 18, y - 18, w + 36, h + 36, { rx: 30, fill: "url(#e)", stroke: "#4a3010", stroke_width: 8 }),
  ];
}

/** A counter, 700 by 420. */
const counter = () =>
  file(
    700,
    420,
    el("defs", {}, brass("b"), enamel),
    plate(700, 420, [110, 70, 480, 280]),
    path("M36 210H68M632 210H664M648 194V226", { fill: "none", stroke: "#4a3010", stroke_width: 14, stroke_linecap: "round" }),
  );

/** A note, 1000 square: the uppermost sheet of a pad of yellow paper, with a corner turned up. */
const note = () =>
  file(
    1000,
    1000,
    el("defs", {},
      gradient("linear", "p", { x2: "0.25", y2: "1" }, [[0, "#fff6c9"], [0.5, "#fdeea6"], [1, "#f3dc7f"]]),
      gradient("linear", "c", { x1: "1", y1: "1", x2: "0.3", y2: "0.3" }, [[0, "#c9ab48"], [0.55, "#fff3b5"], [1, "#f0d877"]])),
    rect(3, 3, 994, 994, { fill: "#e2c767", stroke: "#a5893a", stroke_width: 6 }),
    path("M3 3H997V846L846 997H3Z", { fill: "url(#p)", stroke: "#a5893a", stroke_width: 6, stroke_linejoin: "round" }),
    path("M846 997C868 946 868 900 858 858C900 868 946 868 997 846Z", { fill: "url(#c)", stroke: "#a5893a", stroke_width: 8, stroke_linejoin: "round" }),
    path("M6 92H994", { stroke: "#d9b94f", stroke_opacity: ".55", stroke_width: 5 }),
  );

/** A pad for the score, 1000 by 1300. */
const pad = () =>
  file(
    1000,
    1300,
    el("defs", {}, gradient("linear", "l", { x2: "0", y2: "1" }, [[0, "#7a3328"], [0.5, "#5d241c"], [1, "#3f1610"]])),
    rect(5, 5, 990, 1290, { rx: 52, fill: "url(#l)", stroke: "#2a0d08", stroke_width: 10 }),
    rect(26, 26, 948, 1248, { rx: 34, fill: "none", stroke: "#e9b98c", stroke_opacity: ".35", stroke_width: 5, stroke_dasharray: "22 14" }),
    rect(66, 110, 868, 1128, { rx: 14, fill: "#e8dfca", stroke: "#2a0d08", stroke_opacity: ".5", stroke_width: 6 }),
    rect(62, 102, 868, 1128, { rx: 14, fill: "#fffdf5", stroke: "#9c8f74", stroke_width: 5 }),
    path("M170 102V1230", { stroke: "#d98a86", stroke_width: 5, stroke_opacity: ".7" }),
    rect(330, 40, 340, 104, { rx: 26, fill: "#cfd4d8", stroke: "#4c545a", stroke_width: 8 }),
    rect(354, 56, 292, 26, { rx: 13, fill: "#fff", fill_opacity: ".7" }),
    circle(500, 104, 16, { fill: "#4c545a" }),
  );

/** A player's label, 1200 by 360: a brass plate with the figure of a person beside the name. */
const label = () =>
  file(
    1200,
    360,
    el("defs", {}, brass("b"), enamel),
    plate(1200, 360, [64, 64, 1072, 232]),
    g({ fill: "#5b4a2a" }, circle(170, 142, 46), path("M82 274C82 206 122 186 170 186S258 206 258 274Z")),
  );

/** A turn marker, 800 across: an arrow in a circle above a band for the name. */
function turn() {
  const at = (degrees, r) => {
    const a = (degrees * Math.PI) / 180;
    return d`${400 + r * Math.sin(a)} ${400 - r * Math.cos(a)}`;
  };
  return file(
    800,
    800,
    el("defs", {}, brass("b"), enamel, gradient("radial", "f", { cx: "0.4", cy: "0.3", r: "0.85" }, [[0, "#3f9c86"], [0.7, "#20695a"], [1, "#124539"]])),
    circle(400, 400, 390, { fill: "url(#b)", stroke: "#3a220e", stroke_width: 12 }),
    circle(400, 400, 346, { fill: "url(#f)", stroke: "#0c2f27", stroke_width: 10 }),
    g({ fill: "none", stroke: "#fff6dc", stroke_width: 40, stroke_linecap: "round", stroke_linejoin: "round" },
      path(`M${at(-62, 258)}A258 258 0 0 1 ${at(52, 258)}M${at(34, 330)}L${at(56, 258)}L${at(32, 180)}`)),
    path(`M${at(118, 258)}A258 258 0 0 1 ${at(-118, 258)}`, { fill: "none", stroke: "#fff6dc", stroke_opacity: ".35", stroke_width: 28, stroke_linecap: "round", stroke_dasharray: "1 62" }),
    rect(56, 296, 688, 208, { rx: 50, fill: "url(#b)", stroke: "#3a220e", stroke_width: 8 }),
    rect(84, 320, 632, 160, { rx: 34, fill: "url(#e)", stroke: "#4a3010", stroke_width: 6 }),
  );
}

export function* markers() {
  yield ["common/counter.svg", counter()];
  yield ["common/note.svg", note()];
  yield ["common/pad.svg", pad()];
  yield ["common/label.svg", label()];
  yield ["common/turn.svg", turn()];
}
