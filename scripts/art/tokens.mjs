// What lies on a card table beside the cards: chips, the dealer's button, the places for hands.

import { word } from "./glyphs.mjs";
import { emblem } from "./otter.mjs";
import { circle, d, el, file, g, gradient, move, path, rect } from "./svg.mjs";

const chips = {
  white: { body: "#f1ece0", spot: "#34507c", value: "1" },
  red: { body: "#b92b32", spot: "#fbf4e4", value: "5" },
  green: { body: "#1f7a54", spot: "#fbf4e4", value: "25" },
  black: { body: "#24262d", spot: "#e9b949", value: "100" },
};

const sheen = gradient("linear", "s", { x2: "0.8", y2: "1" }, [[0, "#fff", 0.35], [0.45, "#fff", 0], [1, "#000", 0.28]]);
const lettering = { fill: "none", stroke_linecap: "round", stroke_linejoin: "round" };

/** A chip, 100 by 100, with six spots on its edge and its value in the middle. */
function chip({ body, spot, value }) {
  const spots = [0, 60, 120, 180, 240, 300].map((turn) => path("M40.5 3.5Q50 1.2 59.5 3.5L56.5 15.5Q50 14 43.5 15.5Z", { transform: turn ? `rotate(${turn} 50 50)` : undefined }));
  const dark = body === "#f1ece0";
  const scale = { 1: 0.3, 2: 0.27, 3: 0.2 }[value.length];
  return file(
    100,
    100,
    el("defs", {}, sheen),
    circle(50, 50, 48, { fill: body, stroke: "#14100c", stroke_width: 1.6 }),
    g({ fill: spot }, spots),
    circle(50, 50, 33.5, { fill: "none", stroke: spot, stroke_width: 2.2, stroke_dasharray: "4.4 2.6" }),
    circle(50, 50, 29, { fill: dark ? "#fffdf7" : "#fbf4e4", stroke: "#14100c", stroke_opacity: ".35", stroke_width: 1 }),
    path(word(value, 30), { ...lettering, transform: move(50, 50 - scale * 50, `scale(${scale})`), stroke: dark ? spot : body, stroke_width: d`${5 / scale}` }),
    circle(50, 50, 48, { fill: "url(#s)" }),
  );
}

/** The dealer's button, 100 by 100. */
const button = () =>
  file(
    100,
    100,
    el("defs", {}, sheen),
    circle(50, 50, 48, { fill: "#fffdf7", stroke: "#14100c", stroke_width: 1.6 }),
    circle(50, 50, 42, { fill: "none", stroke: "#1f5161", stroke_width: 2.5 }),
    g({ transform: "translate(50 37) scale(.3)" }, emblem("#1f5161", "#fffdf7")),
    path(word("DEALER", 26), { ...lettering, transform: "translate(50 61.5) scale(.135)", stroke: "#1f5161", stroke_width: 20 }),
    circle(50, 50, 48, { fill: "url(#s)" }),
  );

/** A place for a hand: a dashed outline and, very faint, a fan of cards. */
function hand(width, height) {
  const fan = [-24, -8, 8, 24].map((turn) => rect(-95, -330, 190, 266, { rx: 18, transform: `rotate(${turn})` }));
  return file(
    width,
    height,
    rect(16, 16, width - 32, height - 32, { rx: 90, fill: "#000", fill_opacity: ".12" }),
    rect(16, 16, width - 32, height - 32, { rx: 90, fill: "none", stroke: "#fff", stroke_opacity: ".55", stroke_width: 14, stroke_dasharray: "64 40", stroke_linecap: "round" }),
    g({ transform: move(width / 2, height / 2 + 190), opacity: ".2", fill: "#20332b", stroke: "#fff", stroke_width: 12 }, fan),
  );
}

export function* tokens() {
  for (const [colour, look] of Object.entries(chips)) {
    yield [`cards/chip-${colour}.svg`, chip(look)];
  }
  yield ["cards/dealer.svg", button()];
  yield ["cards/hand.svg", hand(3200, 1000)];
  yield ["cards/hand-upright.svg", hand(1000, 3200)];
}
