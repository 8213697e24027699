// The back of the cards: two otters that chase each other's tails, the same either way up.

import { circle, d, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";

const [ground, line, deep] = ["#1f5161", "#efe2c6", "#173d4a"];

/** One otter, curled up as half of a disc of radius r around 0, 0. */
function curled(r) {
  const h = r / 2;
  return [
    path(d`M0 ${-r}A${h} ${h} 0 0 0 0 0A${h} ${h} 0 0 1 0 ${r}C${-r * 0.3} ${r * 1.02} ${-r * 0.98} ${r * 0.62} ${-r} 0A${r} ${r} 0 0 1 0 ${-r}Z`, { fill: line }),
    circle(-r * 0.02, -h, 0, {}),
  ];
}

export function back(wide, high) {
  const [x, y] = [wide / 2, high / 2];
  const r = 150;
  return file(wide, high, rect(0, 0, wide, high, { rx: 38, fill: ground }), g({ transform: move(x, y) }, curled(r), g({ transform: "rotate(180)" }, curled(r))));
}
