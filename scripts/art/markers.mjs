// What is written on and counted with: a counter, a note, a player's label, a turn marker. Where something is written the ground
// is light, for the page writes there in dark ink.

import { circle, d, el, file, g, gradient, path, rect } from "./svg.mjs";

const brass = (id) => gradient("linear", id, { x2: "0.3", y2: "1" }, [[0, "#fff0b8"], [0.3, "#e0b65a"], [0.65, "#a87a28"], [1, "#6d4a14"]]);
const enamel = gradient("linear", "e", { x2: "0", y2: "1" }, [[0, "#e9e1cd"], [0.16, "#fffdf7"], [1, "#f6efdf"]]);

/** A plate in a brass frame; `inset` from its edge the enamel begins. */
const plate = (width, height, inset, rx) => [
  rect(6, 6, width - 12, height - 12, { rx, fill: "url(#b)", stroke: "#3a220e", stroke_width: 8 }),
  rect(18, 18, width - 36, height - 36, { rx: rx - 10, fill: "none", stroke: "#fff3c9", stroke_opacity: ".6", stroke_width: 5 }),
  rect(inset, inset, width - 2 * inset, height - 2 * inset, { rx: rx / 2, fill: "url(#e)", stroke: "#4a3010", stroke_width: 8 }),
];

/** A counter, 700 by 420: the window is 500 by 300. */
const counter = () =>
  file(
    700,
    420,
    el("defs", {}, brass("b"), enamel),
    rect(6, 6, 688, 408, { rx: 80, fill: "url(#b)", stroke: "#3a220e", stroke_width: 8 }),
    rect(18, 18, 664, 384, { rx: 70, fill: "none", stroke: "#fff3c9", stroke_opacity: ".6", stroke_width: 5 }),
    rect(92, 52, 516, 316, { rx: 36, fill: "url(#e)", stroke: "#4a3010", stroke_width: 8 }),
    g({ fill: "none", stroke: "#4a3010", stroke_width: 14, stroke_linecap: "round" }, path("M36 210H68M632 210H664M648 194V226")),
  );

/** A note, 1000 square: yellow paper with a corner turned up, held by a pin. */
const note = () =>
  file(
    1000,
    1000,
    el("defs", {},
      gradient("linear", "p", { x2: "0.25", y2: "1" }, [[0, "#fff6c9"], [0.5, "#fdeea6"], [1, "#f3dc7f"]]),
      gradient("linear", "c", { x1: "1", y1: "1", x2: "0.3", y2: "0.3" }, [[0, "#c9ab48"], [0.55, "#fff3b5"], [1, "#f0d877"]])),
    path("M14 14H986V846L846 986H14Z", { fill: "url(#p)", stroke: "#a5893a", stroke_width: 8, stroke_linejoin: "round" }),
    path("M846 986C868 940 868 900 858 858C900 868 940 868 986 846Z", { fill: "url(#c)", stroke: "#a5893a", stroke_width: 8, stroke_linejoin: "round" }),
    path("M14 92H986", { stroke: "#d9b94f", stroke_opacity: ".55", stroke_width: 5 }),
  );

/** A pad to keep the score on, 1000 by 1300. */
const pad = () =>
  file(
    1000,
    1300,
    el("defs", {}, gradient("linear", "l", { x2: "0", y2: "1" }, [[0, "#7a3328"], [0.5, "#5d241c"], [1, "#3f1610"]])),
    rect(10, 10, 980, 1280, { rx: 40, fill: "url(#l)", stroke: "#2a0d08", stroke_width: 10 }),
    rect(26, 26, 948, 1248, { rx: 30, fill: "none", stroke: "#e9b98c", stroke_opacity: ".35", stroke_width: 5, stroke_dasharray: "22 14" }),
    rect(66, 110, 868, 1128, { rx: 14, fill: "#e8dfca", stroke: "#2a0d08", stroke_opacity: ".5", stroke_width: 6 }),
    rect(62, 102, 868, 1128, { rx: 14, fill: "#fffdf5", stroke: "#9c8f74", stroke_width: 5 }),
    path("M170 102V1230", { stroke: "#d98a86", stroke_width: 5, stroke_opacity: ".7" }),
    rect(330, 40, 340, 104, { rx: 26, fill: "#cfd4d8", stroke: "#4c545a", stroke_width: 8 }),
    rect(354, 56, 292, 26, { rx: 13, fill: "#fff", fill_opacity: ".7" }),
    circle(500, 104, 16, { fill: "#4c545a" }),
  );

/** A player's label, 1200 by 360: a brass plate; beside the name a figure of somebody. */
const label = () =>
  file(
    1200,
    360,
    el("defs", {}, brass("b"), enamel),
    plate(1200, 360, 46, 60),
    g({ fill: "#5b4a2a" }, circle(170, 142, 46), path("M82 274C82 206 122 186 170 186S258 206 258 274Z")),
  );

/** A turn marker, 800 round: an arrow that goes round above a band for the name. */
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
