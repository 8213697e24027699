// Clocks: the body of a chess clock seen from above, a countdown and a stopwatch. Their displays
// are dark glass, on which the page writes the time. And the frame of an hourglass, in which the page
// draws the glass.

import { emblem } from "./otter.mjs";
import { circle, d, el, file, g, gradient, move, path, rect, use } from "./svg.mjs";
import { frame, grain } from "./wood.mjs";

/** The displays of the kinds below: a corner, width and height. */
const chess = { corners: [[90, 890], [90, 250]], size: [920, 420] };
const dial = { corner: [150, 310], size: [600, 280] };

const brass = (id, attributes) => gradient("linear", id, { x2: "0", y2: "1", ...attributes }, [[0, "#fff0b8"], [0.28, "#e0b65a"], [0.62, "#a87a28"], [1, "#6d4a14"]]);
const glass = gradient("linear", "glass", { x2: "0", y2: "1" }, [[0, "#100c09"], [0.5, "#1d1611"], [1, "#2a2019"]]);
const sheen = gradient("linear", "sheen", { x2: "0.35", y2: "1" }, [[0, "#fff", 0.2], [0.42, "#fff", 0.03], [0.43, "#fff", 0], [1, "#fff", 0]]);

/** A window of dark glass in a brass frame. */
function display([width, height], rx) {
  const framed = (by, attributes) => rect(-by, -by, width + 2 * by, height + 2 * by, { rx: rx + by, ...attributes });
  return [
    framed(34, { fill: "#1c0f06", fill_opacity: ".55" }),
    framed(26, { fill: "url(#brass)" }),
    framed(26, { fill: "none", stroke: "#fff3c9", stroke_opacity: ".55", stroke_width: 4 }),
    framed(6, { fill: "#2b1a08" }),
    framed(0, { fill: "url(#glass)" }),
    framed(0, { fill: "url(#sheen)" }),
  ];
}

/** A plunger, 620 wide: ivory for White, ebony for Black, in a brass collar. */
function plunger(y, fill, edge) {
  return [
    rect(222, y - 8, 656, 136, { rx: 68, fill: "#1c0f06", fill_opacity: ".5" }),
    rect(230, y, 640, 120, { rx: 60, fill: "url(#brass)" }),
    rect(252, y + 20, 596, 80, { rx: 40, fill, stroke: edge, stroke_width: 6 }),
    rect(282, y + 32, 536, 22, { rx: 11, fill: "#fff", fill_opacity: ".3" }),
  ];
}

/** The chess clock, 1100 by 1560. White's side is below. */
function chessClock() {
  const screws = [[84, 84], [1016, 84], [84, 1476], [1016, 1476]];
  return file(
    1100,
    1560,
    el("defs", {}, brass("brass"), glass, sheen,
      gradient("linear", "ivory", { x2: "0", y2: "1" }, [[0, "#fffdf5"], [1, "#d8c9a6"]]),
      gradient("linear", "ebony", { x2: "0", y2: "1" }, [[0, "#4b4440"], [1, "#0e0b0a"]]),
      gradient("radial", "light", { cx: "0.35", cy: "0.2", r: "1" }, [[0, "#fff", 0.2], [0.5, "#fff", 0], [1, "#1a0a00", 0.38]]),
      g({ id: "window" }, display(chess.size, 34)),
      el("clipPath", { id: "body" }, rect(0, 0, 1100, 1560, { rx: 62 }))),
    g({ clip_path: "url(#body)" },
      rect(0, 0, 1100, 1560, { fill: "#7a4a2a" }),
      path(grain(1560, 1100, 9, 21, 26), { fill: "none", stroke: frame.grain, stroke_width: 11, stroke_opacity: ".42", transform: "matrix(0 1 1 0 0 0)" }),
      path(grain(1560, 1100, 4, 5, 30), { fill: "none", stroke: "#b77e4d", stroke_width: 20, stroke_opacity: ".28", transform: "matrix(0 1 1 0 0 0)" }),
      rect(0, 0, 1100, 1560, { fill: "url(#light)" }),
    ),
    rect(12, 12, 1076, 1536, { rx: 52, fill: "none", stroke: "#ffe3b8", stroke_opacity: ".25", stroke_width: 10 }),
    rect(4, 4, 1092, 1552, { rx: 60, fill: "none", stroke: "#2c180b", stroke_width: 8 }),
    plunger(66, "url(#ebony)", "#050302"),
    plunger(1374, "url(#ivory)", "#8a7448"),
    chess.corners.map(([x, y]) => use("window", { x, y })),
    g(
      { fill: "url(#brass)", stroke: "#4a3010", stroke_width: 5 },
      screws.map(([x, y], i) => [circle(x, y, 24), path(d`M${x - 14} ${y - 8 + 5 * i}L${x + 14} ${y + 8 - 5 * i}`)]),
    ),
    path("M130 780H430M670 780H970", { stroke: "#cfa044", stroke_width: 12, stroke_linecap: "round" }),
    circle(550, 780, 80, { fill: "url(#brass)", stroke: "#3a220e", stroke_width: 9 }),
    circle(550, 780, 62, { fill: "none", stroke: "#6d4a14", stroke_opacity: ".6", stroke_width: 4 }),
    g({ transform: "translate(550 782) scale(.92)" }, emblem("#4a2c0c", "#e0b65a")),
  );
}

/** Marks around a dial: a long one at each `nth` of 60. */
function ticks(nth, colour) {
  const at = (turn, from, to) => {
    const [c, s] = [Math.cos((turn * Math.PI) / 30), Math.sin((turn * Math.PI) / 30)];
    return d`M${450 + from * s} ${450 - from * c}L${450 + to * s} ${450 - to * c}`;
  };
  const all = Array.from({ length: 60 }, (_, i) => i);
  return g(
    { stroke: colour, stroke_linecap: "round" },
    path(all.filter((i) => i % nth).map((i) => at(i, 352, 374)).join(""), { stroke_width: 6 }),
    path(all.filter((i) => i % nth === 0).map((i) => at(i, 334, 374)).join(""), { stroke_width: 13 }),
  );
}

/** A disc of 900 with a rim, a face and a display across it. */
function disc({ rim, face, edge, mark, nth }, ...signs) {
  return file(
    900,
    900,
    el("defs", {}, brass("brass"), glass, sheen,
      gradient("linear", "rim", { x1: "0.2", x2: "0.75", y2: "1" }, rim),
      gradient("radial", "face", { cx: "0.4", cy: "0.3", r: "0.85" }, face)),
    circle(450, 450, 440, { fill: "url(#rim)", stroke: edge, stroke_width: 14 }),
    circle(450, 450, 402, { fill: "url(#face)", stroke: edge, stroke_width: 10 }),
    ticks(nth, mark),
    g({ transform: move(...dial.corner) }, display(dial.size, 40)),
    signs,
  );
}

/** A countdown, with an hourglass: a red disc. */
const countdown = () =>
  disc(
    { rim: [[0, "#f6dc97"], [0.4, "#c6973d"], [1, "#6d4a14"]], face: [[0, "#c8503e"], [0.7, "#9a2f26"], [1, "#701c17"]], edge: "#3d130c", mark: "#fbe6c4", nth: 5 },
    g({ transform: "translate(450 200) scale(.86)", stroke: "#fbe6c4", stroke_width: 12, stroke_linejoin: "round", stroke_linecap: "round" },
      path("M-40 -56H40M-40 56H40", { fill: "none" }),
      path("M-30 -56C-30 -18 -6 -10 -6 0S-30 18 -30 56H30C30 18 6 10 6 0S30 -18 30 -56Z", { fill: "none" }),
      path("M-20 44Q0 18 20 44Z", { fill: "#fbe6c4", stroke: "none" })),
  );

/** A stopwatch, with its crown and a hand: a disc of steel with an enamel face. */
const stopwatch = () =>
  disc(
    { rim: [[0, "#fbfcfd"], [0.42, "#a9b1b8"], [1, "#5a636b"]], face: [[0, "#fffef9"], [0.75, "#efe8d8"], [1, "#cfc5b0"]], edge: "#2b3238", mark: "#2f3a40", nth: 5 },
    g({ transform: "translate(450 206) scale(.9)", stroke: "#2f3a40", stroke_width: 12, stroke_linecap: "round", stroke_linejoin: "round", fill: "none" },
      circle(0, 10, 46),
      path("M0 -36V-56M-20 -58H20M0 10L20 -14M34 -28L44 -38")),
  );

/** The frame of an hourglass, 500 by 800: two plates of wood, and a post of brass on either side. */
const hourglass = () =>
  file(
    500,
    800,
    el("defs", {}, brass("brass", { x2: "1", y2: "0" }),
      gradient("linear", "plate", { x2: "0", y2: "1" }, [[0, "#a56a3c"], [0.5, "#7a4a2a"], [1, "#4c2a14"]])),
    [30, 440].map((x) => rect(x, 30, 30, 740, { rx: 14, fill: "url(#brass)", stroke: "#4a3010", stroke_width: 4 })),
    [4, 741].map((y) => [
      rect(4, y, 492, 55, { rx: 22, fill: "url(#plate)", stroke: "#2c180b", stroke_width: 7 }),
      rect(26, y + 10, 448, 8, { rx: 4, fill: "#ffe3b8", fill_opacity: ".35" }),
    ]),
  );

const area = ([x, y], [width, height]) => ({ x, y, width, height });

/** A kind: a clock with a side for each of two players, with times in milliseconds. */
export const clockForTwo = (name, face, initial, increment) => ({
  name, width: 1100, height: 1560, shape: "card", weight: "light",
  clock: { counts: "down", initial, increment, displays: chess.corners.map((corner) => area(corner, chess.size)) },
  faces: [{ name: face, art: "common/chess-clock.svg" }],
});

const timer = (name, art, counts, initial) => ({
  name, width: 900, height: 900, shape: "round", weight: "light",
  clock: { counts, initial, displays: [area(dial.corner, dial.size)] },
  faces: [{ name, art: `common/${art}.svg` }],
});

/** The kinds of timers: one counts a minute down, the other one counts up. */
export const timers = [timer("Countdown", "countdown", "down", 60000), timer("Stopwatch", "stopwatch", "up", 0)];

export function* clocks() {
  yield ["common/chess-clock.svg", chessClock()];
  yield ["common/countdown.svg", countdown()];
  yield ["common/stopwatch.svg", stopwatch()];
  yield ["common/hourglass.svg", hourglass()];
}
