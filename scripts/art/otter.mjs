// The face of an otter, about 140 wide and 120 high around the point 0, 0.

import { dots, ellipse, g, path } from "./svg.mjs";

export const edge = "#2a1a12";
const cream = "#f1e0c0";

/** The head without clothes. `lashes` and `old` make it a lady or an old gentleman. */
export function otter({ fur, lashes = false, old = false }) {
  const brows = old ? "M-42-31Q-30-41-17-33M42-31Q30-41 17-33" : "";
  return [
    dots([[-55, -34], [55, -34]], 15, { fill: fur }),
    dots([[-55, -33], [55, -33]], 7, { fill: "#d9a184", stroke: "none" }),
    path("M0-60C40-60 68-38 69 2C70 40 38 60 0 60S-70 40-69 2C-68-38-40-60 0-60Z", { fill: fur }),
    path("M-67 14C-52-4-24-2 0-10C24-2 52-4 67 14C63 44 34 58 0 58S-63 44-67 14Z", { fill: cream, stroke: "none" }),
    g({ fill: "#fff8e8", stroke: "none" }, ellipse(-17, 24, 22, 17), ellipse(17, 24, 22, 17)),
    path("M0 15V28M-21 36Q-8 43 0 28Q8 43 21 36", { fill: "none", stroke_width: 2.5 }),
    path("M-14-3Q0-9 14-3Q16 8 0 17Q-16 8-14-3Z", { fill: edge, stroke: "none" }),
    path("M-7 0Q0-4 6-1", { stroke: "#fff", stroke_opacity: ".6", stroke_width: 2.5, fill: "none" }),
    dots([[-29, -15], [29, -15]], 8, { fill: "#150d09", stroke: "none" }),
    dots([[-31.5, -18], [26.5, -18]], 2.6, { fill: "#fff", stroke: "none" }),
    path("M-36 20L-78 12M-36 27L-80 28M-35 34L-76 44M36 20L78 12M36 27L80 28M35 34L76 44", { stroke_width: 1.6, fill: "none", stroke: old ? "#fff" : "#5b3b28", stroke_opacity: old ? undefined : ".8" }),
    lashes ? path("M-37-19L-46-26M-34-23L-40-32M37-19L46-26M34-23L40-32", { stroke_width: 3, fill: "none" }) : "",
    brows ? path(brows, { stroke: "#efe6d4", stroke_width: 7, fill: "none" }) : "",
  ];
}

/**
 * The head in two colours, as an emblem. With `outlined` it is visible on a ground of its own
 * colour.
 */
export function emblem(light, dark, outlined = false) {
  const ears = [[-52, -38], [52, -38]];
  return [
    g({ fill: light, stroke: outlined ? dark : undefined, stroke_width: outlined ? 6 : undefined }, dots(ears, 17), path("M0-60C40-60 68-38 69 2C70 40 38 60 0 60S-70 40-69 2C-68-38-40-60 0-60Z")),
    g({ fill: dark }, dots(ears, 8), dots([[-29, -14], [29, -14]], 8.5), path("M-16-1Q0-8 16-1Q18 11 0 20Q-18 11-16-1Z")),
    path("M0 18V29M-23 36Q-8 45 0 29Q8 45 23 36M-34 20L-60 13M-34 28L-60 29M34 20L60 13M34 28L60 29", { fill: "none", stroke: dark, stroke_width: 3.5, stroke_linecap: "round" }),
  ];
}
