// The mark of the project: an otter that looks out of its den, above the water. It is 100 by 100,
// and has few and large parts, because it must be recognisable at 16 pixels, too.

import { edge, otter } from "./otter.mjs";
import { el, file, g, gradient, path, rect } from "./svg.mjs";

export const logo = () =>
  file(
    100,
    100,
    el("defs", {}, gradient("linear", "b", { x2: "0", y2: "1" }, [[0, "#2c7a63"], [1, "#174a43"]]), el("clipPath", { id: "c" }, rect(0, 0, 100, 100, { rx: 22 }))),
    g(
      { clip_path: "url(#c)" },
      rect(0, 0, 100, 100, { fill: "url(#b)" }),
      path("M10 100V56A40 42 0 0 1 90 56V100Z", { fill: "#0d2b29" }),
      g({ transform: "translate(50 56) scale(.55)", stroke: edge, stroke_width: 3, stroke_linecap: "round" }, otter({ fur: "#9a6642" })),
      path("M-4 86q9-9 18 0t18 0 18 0 18 0 18 0 18 0V104H-4Z", { fill: "#4fb0a5" }),
      path("M-4 95q9-8 18 0t18 0 18 0 18 0 18 0 18 0V104H-4Z", { fill: "#d6f0e6" }),
    ),
  );
