// The back of the cards: two otters that chase each other's tails. It looks the same when it is
// turned by half.

import { emblem } from "./otter.mjs";
import { circle, d, el, ellipse, file, g, path, rect, use } from "./svg.mjs";

const [ground, line, deep] = ["#1f5161", "#efe2c6", "#163c49"];

/**
 * One otter, curled up as half of a disc of radius r around 0, 0. Its head is below, the tip of its
 * tail on top.
 */
function curled(r) {
  const h = r / 2;
  return [
    path(d`M0 ${-r}A${r} ${r} 0 0 0 0 ${r}A${h} ${h} 0 0 0 0 0A${h} ${h} 0 0 1 0 ${-r}Z`, { fill: line, stroke: deep, stroke_width: 9, stroke_linejoin: "round" }),
    path("M-108-58C-88-74-70-78-52-76M-128-6C-104-22-82-28-58-26M-124 50C-104 30-84 22-62 22", { fill: "none", stroke: deep, stroke_width: 4, stroke_linecap: "round", stroke_opacity: ".55" }),
    g({ transform: "translate(4 74) rotate(-12) scale(.92)" }, emblem(line, deep, true)),
    g({ fill: line, stroke: deep, stroke_width: 5 }, [[-52, 124, 30], [44, 134, -24]].map(([px, py, turn]) => ellipse(px, py, 12, 18, { transform: `rotate(${turn} ${px} ${py})` }))),
  ];
}

export function back(wide, high) {
  const [x, y] = [wide / 2, high / 2];
  const framed = (inset, rx, attributes) => rect(inset - x, inset - y, wide - 2 * inset, high - 2 * inset, { rx, fill: "none", ...attributes });
  const ripple = el(
    "pattern",
    { id: "r", width: 56, height: 56, patternUnits: "userSpaceOnUse" },
    path("M28 0L56 28L28 56L0 28Z", { fill: "none", stroke: line, stroke_width: 2.5, stroke_opacity: ".55" }),
    path("M14 28q7-9 14 0t14 0M-14 0q7-9 14 0t14 0M42 0q7-9 14 0t14 0M-14 56q7-9 14 0t14 0M42 56q7-9 14 0t14 0", { fill: "none", stroke: line, stroke_width: 3, stroke_linecap: "round", stroke_opacity: ".8" }),
  );
  return file(
    wide,
    high,
    el("defs", {}, ripple, g({ id: "o" }, curled(168))),
    g(
      { transform: d`translate(${x} ${y})` },
      framed(1.5, 35, { fill: "#fffdf7", stroke: "#b9b2a3", stroke_width: 3 }),
      framed(26, 24, { fill: ground }),
      framed(40, 16, { fill: "url(#r)", stroke: line, stroke_width: 4 }),
      framed(26, 24, { stroke: deep, stroke_width: 3 }),
      circle(0, 0, 206, { fill: deep, stroke: line, stroke_width: 6 }),
      circle(0, 0, 192, { fill: "none", stroke: line, stroke_width: 2, stroke_dasharray: "2 10", stroke_linecap: "round" }),
      use("o"),
      use("o", { transform: "rotate(180)" }),
    ),
  );
}
