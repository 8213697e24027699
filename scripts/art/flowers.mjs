// Flower cards: twelve months, each with its plant, in flat colours. A card is 100 by 160.

import { emblem } from "./otter.mjs";
import { word } from "./glyphs.mjs";
import { circle, d, dots, el, ellipse, file, g, move, path, rect, use } from "./svg.mjs";

const ink = "#2a2220";
const paper = "#fbf4e2";
const [leaf, deep, bark, red, gold, plum] = ["#4f8a55", "#235740", "#6b4630", "#c23a2b", "#e4ae3a", "#6a4a9c"];
const line = (data, stroke, width = 2) => path(data, { fill: "none", stroke, stroke_width: width, stroke_linecap: "round", stroke_linejoin: "round" });
const put = (id, places) => places.map(([x, y, scale = 1, turn]) => use(id, { transform: move(x, y, ...(turn ? [`rotate(${turn})`] : []), ...(scale === 1 ? [] : [`scale(${scale})`])) }));
const around = (n, shape) => Array.from({ length: n }, (_, i) => g({ transform: `rotate(${(360 / n) * i})` }, shape)).join("");

/** The shape #a of each plant, and the plant of the card with this number in its month. */
const plants = {
  pine: [
    path("M-18 0A18 18 0 0 1 18 0Z", { fill: deep }) + line("M0 0V-16M0 0L-11-11M0 0L11-11M0 0L-16-5M0 0L16-5", "#8fbf86", 1.3),
    (n) => [line("M84 160C80 136 60 128 64 104C67 88 82 80 80 60M64 112C48 110 40 116 28 112", bark, 5), put("a", [[28, 114], [58, 96, 1.1], [76, 62, 1.1], [24, 142, 1.2], [62, 146, 1.2], [84, 120, 0.9], [40, 128, 0.9], ...(n > 2 ? [[46, 68, 0.9]] : [])])],
  ],
  plum: [
    around(5, circle(0, -7, 6, { fill: red })) + circle(0, 0, 3.6, { fill: gold }) + line("M0 0V-8M0 0L7-3M0 0L-7-3", "#fff3cf", 0.9),
    (n) => [line("M14 160C22 120 44 118 46 88C48 66 36 56 40 38M45 96C60 90 72 92 84 78M28 128C48 130 58 138 70 150", bark, 5), put("a", [[44, 70], [82, 78], [40, 38, 0.9], [64, 92, 0.9], [26, 126], [68, 146, 1.1], ...(n > 2 ? [[22, 92, 0.7], [88, 118, 0.8]] : [])])],
  ],
  cherry: [
    around(5, path("M0 0C-8-5-7-13-2.5-14.5L0-12L2.5-14.5C7-13 8-5 0 0Z", { fill: "#f2a9b6", stroke: "#c95f77", stroke_width: 0.9 })) + circle(0, 0, 2.6, { fill: "#c23a56" }),
    (n) => [line("M0 150C30 140 50 120 100 112", bark, 5), put("a", [[20, 134, 1.1], [46, 116, 1.2], [76, 106, 1.1], [32, 92], [62, 84, 1.1], [88, 78, 0.9], [58, 140, 1.1], [84, 138], ...(n > 2 ? [[44, 64, 0.8], [18, 108, 0.8]] : [])])],
  ],
  wisteria: [
    dots([[-6, 0], [6, 0], [-7, 9], [0, 9], [7, 9], [-4, 18], [4, 18], [-3, 26], [3, 26], [0, 34], [0, 41]], 4.6, { fill: "#8d6cc0", stroke: "#5a3f8c", stroke_width: 0.8 }),
    (n) => [line("M4 14C30 4 62 20 98 10", bark, 4), put("l", [[22, 18, 1, 70], [48, 16, 1, 110], [76, 16, 1, 80], [90, 16, 1, 120], [10, 18, 1, 120]]), put("a", [[20, 30], [44, 38, 1.15], [70, 28], [88, 40, 0.9], ...(n > 2 ? [[32, 62, 0.8], [62, 76, 0.8]] : [])])],
  ],
  iris: [
    path("M0 0C-14-2-16-18-8-22C-4-18-1-10 0 0C1-10 4-18 8-22C16-18 14-2 0 0ZM0 0C-6-8-5-22 0-27C5-22 6-8 0 0Z", { fill: "#4b5fae", stroke: "#26336e", stroke_width: 0.9 }) + line("M0-2V-10", gold, 2),
    (n) => [[12, 26, 40, 56, 70, 84].map((x, i) => path(d`M${x - 4} 152L${x + (i % 2 ? 10 : -6)} ${78 + (i % 3) * 10}L${x + 5} 152Z`, { fill: i % 2 ? leaf : deep })), line("M30 150V84M66 150V66", leaf, 3), put("a", [[30, 84, 1.1], [66, 66, 1.2], ...(n > 2 ? [[84, 104, 0.9]] : []), ...(n > 3 ? [[14, 112, 0.8]] : [])])],
  ],
  peony: [
    around(7, circle(0, -14, 9, { fill: red, stroke: "#7f1d16", stroke_width: 0.9 })) + around(5, circle(0, -7, 6, { fill: "#e0685c" })) + circle(0, 0, 6, { fill: gold }),
    (n) => [line("M50 156C46 130 56 116 52 90M50 130L22 110M52 126L82 112", deep, 4), put("l", [[50, 140, 2, 150], [50, 140, 2, 30], [26, 112, 1.6, 190], [80, 114, 1.6, -10], [54, 112, 1.4, 240]]), put("a", n > 2 ? [[50, 76, 1.05], [24, 112, 0.6], [80, 120, 0.65]] : [[50, 84, 1.15], [80, 126, 0.55]])],
  ],
  clover: [
    dots([[0, -4], [-4, 2], [4, 2]], 3.6, { fill: "#a8407a" }) + path("M0 5v4", { stroke: deep, stroke_width: 1.4 }),
    (n) => [line("M20 156C16 110 40 70 88 58M40 156C42 124 56 98 94 92M60 156C62 140 74 124 96 122M30 156C20 130 14 118 8 104", leaf, 2.6), put("a", [[88, 58], [70, 64], [54, 74], [40, 90], [30, 108], [94, 92], [76, 98], [60, 110], [50, 126], [96, 122], [80, 128], [68, 140], [8, 104], [14, 122], ...(n > 2 ? [[22, 140, 1.2], [84, 146], [44, 146]] : [])])],
  ],
  pampas: [
    line("M0 0C2-14 8-24 18-30M1-8L12-14M5-18L14-18", "#d9c9a0", 2),
    (n) => [path("M5 160V128C24 92 70 86 95 122V160Z", { fill: n > 2 ? "#3b4a44" : ink }), put("a", [[24, 132], [44, 122], [64, 124], [14, 148], [36, 148], [58, 146], [76, 146], ...(n > 2 ? [[52, 104], [74, 118]] : [])])],
  ],
  chrysanthemum: [
    around(14, path("M0 0C-4-8-3-16 0-18C3-16 4-8 0 0Z", { fill: gold, stroke: "#a46f12", stroke_width: 0.7 })) + circle(0, 0, 4.4, { fill: "#a46f12" }),
    (n) => [line("M50 156C52 130 36 116 34 92M50 140C60 126 68 122 72 104", deep, 3.4), put("l", [[48, 142, 1.6, 160], [52, 144, 1.6, 20], [36, 112, 1.3, 200], [66, 122, 1.3, -30]]), put("a", [[32, 86, 1.1], [72, 102, 1], ...(n > 2 ? [[52, 134, 0.8]] : []), ...(n > 3 ? [[66, 66, 0.7]] : [])])],
  ],
  maple: [
    path("M0 10L2 3L10 6L7 0L15-5L6-7L7-14L2-9L0-18L-2-9L-7-14L-6-7L-15-5L-7 0L-10 6L-2 3Z", { fill: "#d5542b", stroke: "#8c2c14", stroke_width: 0.8 }),
    (n) => [line("M98 160C80 130 50 118 6 128M62 128C66 104 56 84 30 74M76 138C88 120 90 100 86 84", bark, 3.4), put("a", [[14, 124, 1, -20], [34, 112, 1.1, 30], [30, 76, 1.1, -40], [56, 94, 1.1, 15], [86, 84, 1.1, 20], [74, 116, 1.1, -15], [46, 140, 1.1, 60], [82, 146, 1, 100], ...(n > 2 ? [[16, 98, 0.8, 80], [60, 66, 0.8, 140]] : [])])],
  ],
  willow: [
    line("M0 0C4 26-4 50 2 84", leaf, 2) + line("M0 10L6 18M1 24L-5 32M0 38L6 46M-1 52L-6 60M0 66L6 74", leaf, 2.4),
    () => [path("M5 5H95V20C74 34 30 14 5 30Z", { fill: bark }), put("a", [[16, 22], [34, 20, 1.2], [54, 22, 1.05], [72, 24, 1.25], [88, 20, 0.9]])],
  ],
  paulownia: [
    line("M0 0V-44", deep, 2.4) + dots([[0, -46], [-5, -36], [5, -36], [-6, -25], [6, -25], [-7, -13], [7, -13]], 5, { fill: "#9a7cc9", stroke: plum, stroke_width: 0.9 }),
    (n) => [put("a", n > 2 ? [[50, 104, 1.25], [26, 112], [74, 112]] : [[50, 110, 1.1], [26, 114, 0.9], [74, 114, 0.9]]), ["M50 154C26 150 34 118 50 104C66 118 74 150 50 154Z", "M46 148C16 156 4 136 8 112C28 112 42 126 46 148Z", "M54 148C84 156 96 136 92 112C72 112 58 126 54 148Z"].map((p) => path(p, { fill: deep, stroke: paper, stroke_width: 1.2 })), line("M50 148V116M44 144L16 120M56 144L84 120", "#8fbf86", 1.4)],
  ],
};

/** A flying bird: its wings, body and head, in two colours. */
const bird = (x, y, scale, back, breast, flip = 1) =>
  g({ transform: move(x, y, `scale(${scale * flip} ${scale})`), stroke: ink, stroke_width: 1, stroke_linejoin: "round" },
    path("M-26 2L-44 10L-40 0L-46-6L-22-6Z", { fill: back }),
    path("M-24 0C-12-12 8-12 20-6C24-12 34-10 34-4L42-1L33 2C28 12-8 16-24 0Z", { fill: breast }),
    path("M-8-5C-20-14-24-28-22-36C-6-32 8-20 12-6Z", { fill: back }),
    circle(28, -4, 1.6, { fill: ink, stroke: "none" }));

const sun = circle(70, 36, 20, { fill: red });
const strip = (fill, edge, more = "") => g({ transform: "translate(50 78) rotate(14)" }, path("M-11-52H11V50L0 42L-11 50Z", { fill, stroke: edge, stroke_width: 1.6, stroke_linejoin: "round" }), more);

/** What makes a card more than a plain one. */
const signs = {
  "poetry ribbon": () => strip("#d23b30", "#7f1d16", line("M-4-40C6-38-4-30 3-26S-5-16 3-12S-4-2 3 2S-4 14 2 18S-2 26 1 30", ink, 2.4)),
  "blue ribbon": () => strip("#3b55a5", "#1c2a5c", line("M-6-46V40M6-46V40", "#dfe6fa", 1.6)),
  "red ribbon": () => strip("#d23b30", "#7f1d16"),
  crane: () => sun + g({ stroke: ink, stroke_width: 1.1, stroke_linejoin: "round" },
    path("M16 78L2 92L12 92L8 102L26 96L40 84Z", { fill: ink }),
    path("M14 80C24 58 48 56 58 66C66 60 64 48 60 40C64 34 72 36 72 44C74 62 68 84 44 92C30 96 18 92 14 80Z", { fill: "#fff" }),
    path("M60 40C62 34 70 34 72 41L66 42Z", { fill: red }), path("M71 41L84 46L71 46Z", { fill: gold }), circle(67, 44, 1.4, { fill: ink }),
    path("M62 62C60 54 63 50 62 46L69 48C71 56 68 64 66 70Z", { fill: ink }), line("M38 94L34 122M46 92L46 122M28 122H38M41 122H52", ink, 2), line("M22 80C32 70 42 72 50 78M26 86C34 80 40 80 46 84", "#9aa3ad", 1.2)),
  warbler: () => bird(56, 56, 0.85, "#7d8a34", "#c3c46a"),
  curtain: () => path("M5 156V104C34 116 66 116 95 104V156Z", { fill: "#fff7e0", stroke: ink, stroke_width: 1.6 }) + [16, 38, 62, 84].map((x) => path(`M${x - 6} 107V156H${x + 6}V107Z`, { fill: x % 4 ? plum : red })).join("") + line("M5 104C34 116 66 116 95 104", ink, 4) + dots([[27, 134], [50, 136], [73, 134]], 6, { fill: gold, stroke: ink, stroke_width: 1 }),
  cuckoo: () => circle(68, 112, 22, { fill: "#f0cf7a" }) + bird(48, 118, 0.85, "#5b636e", "#d9d3c4", -1),
  bridge: () => g({ fill: "#b98350", stroke: ink, stroke_width: 1.4, stroke_linejoin: "round" }, path("M5 116L42 106L46 116L5 128ZM40 124L78 112L82 122L44 136ZM56 98L95 86V98L60 108Z"), path("M14 126V150M36 119V150M52 134V154M74 126V154M88 102V132", { fill: "none", stroke_width: 3 })),
  butterflies: () => [[34, 34, 1, -18], [72, 46, 0.8, 20]].map(([x, y, s, turn]) => g({ transform: move(x, y, `rotate(${turn})`, `scale(${s})`), stroke: ink, stroke_width: 1.1 }, path("M0 2C-10-18-26-16-24-4C-23 4-10 6 0 2C-12 6-18 14-10 18C-4 20 0 10 0 2ZM0 2C10-18 26-16 24-4C23 4 10 6 0 2C12 6 18 14 10 18C4 20 0 10 0 2Z", { fill: gold }), dots([[-15, -5], [15, -5]], 3.6, { fill: red, stroke: "none" }), line("M0-6V14M0-6L-5-14M0-6L5-14", ink, 2))),
  boar: () => g({ stroke: ink, stroke_width: 1.4, stroke_linejoin: "round" }, path("M14 132C8 100 36 84 62 92C76 92 88 104 92 120L84 126C78 130 70 130 64 128L62 146H54L52 132H34L30 146H22L22 132Z", { fill: "#6e5140" }), path("M60 94L64 84L72 96Z", { fill: "#4e382b" }), path("M84 124L92 119L93 126L86 128Z", { fill: "#c99a86" }), path("M76 128L80 118L82 126Z", { fill: "#fff" }), circle(75, 108, 2, { fill: ink }), line("M30 98L24 92M40 92L36 84M50 90L48 82M22 110L14 106", ink, 2)),
  moon: () => "",
  geese: () => [bird(34, 40, 0.5, "#4a545e", "#cfd6d8"), bird(64, 58, 0.5, "#4a545e", "#cfd6d8"), bird(36, 76, 0.5, "#4a545e", "#cfd6d8")],
  "sake cup": () => g({ stroke: ink, stroke_width: 1.6, stroke_linejoin: "round" }, path("M20 34H80C78 58 64 66 58 66L62 76H38L42 66C36 66 22 58 20 34Z", { fill: red }), ellipse(50, 34, 30, 8, { fill: "#f3d9b0" }), path("M50 46L54 52L61 53L56 58L57 64L50 61L43 64L44 58L39 53L46 52Z", { fill: gold, stroke_width: 0.8 })),
  deer: () => g({ stroke: ink, stroke_width: 1.4, stroke_linejoin: "round" }, path("M22 76C30 66 54 68 60 70C62 60 62 50 66 44C72 40 80 42 84 48L76 54C76 66 74 80 68 88L70 122H64L60 94H38L34 122H28L28 92C22 90 20 84 22 76Z", { fill: "#b5763f" }), line("M68 43C64 34 66 26 60 18M66 32L56 30M72 42C76 34 74 26 80 18M75 30L86 30", "#5d3b1f", 2.6), circle(74, 48, 1.6, { fill: ink }), dots([[34, 78], [44, 74], [42, 84], [52, 80]], 2.4, { fill: "#fff1d2", stroke: "none" }), path("M22 76L14 74L22 84Z", { fill: "#fff1d2" })),
  "rain man": () => [line("M12 50L8 62M28 60L24 72M84 54L80 66M92 84L88 96M14 92L10 104M74 84L70 96", "#5c7fa6", 2), g({ stroke: ink, stroke_width: 1.5, stroke_linejoin: "round" }, path("M18 78C24 48 76 48 82 78C72 70 62 70 50 78C38 70 28 70 18 78Z", { fill: gold }), line("M50 56V112", ink, 2.6), circle(42, 88, 7.5, { fill: "#f1d3b0" }), path("M36 84L42 74L48 84Z", { fill: ink }), path("M26 146L34 100C38 94 46 94 50 100L60 146Z", { fill: plum }), path("M42 104L52 110L50 118L38 112Z", { fill: red }), path("M28 146H40V152H26ZM46 146H60V152H46Z", { fill: ink })), g({ transform: "translate(78 146)" }, path("M-12 4C-12-8 12-8 12 4L16 8H-16Z", { fill: leaf, stroke: ink, stroke_width: 1.2 }), dots([[-5, -5], [5, -5]], 2.6, { fill: "#fff", stroke: ink, stroke_width: 1 }))],
  swallow: () => bird(52, 122, 0.9, "#27345e", "#f3e7d2"),
  lightning: () => [rect(5, 5, 90, 150, { fill: "#5e1f1c" }), path("M58 10L26 84H46L32 150L80 66H56L76 10Z", { fill: gold, stroke: ink, stroke_width: 2, stroke_linejoin: "round" }), g({ opacity: 0.9 }, use("a", { transform: "translate(14 6)" }), use("a", { transform: "translate(88 10)" })), circle(26, 128, 13, { fill: "#d9c9a0", stroke: ink, stroke_width: 2 }), line("M26 115A6.5 6.5 0 0 1 26 128A6.5 6.5 0 0 0 26 141", ink, 2.4)],
  phoenix: () => g({ stroke: ink, stroke_width: 1.2, stroke_linejoin: "round" }, path("M40 56C20 60 8 74 10 96C18 84 24 78 30 78C24 86 22 94 26 102C32 88 40 80 48 74Z", { fill: red }), path("M34 60C16 48 12 30 20 16C36 20 52 36 56 52Z", { fill: "#2f7f77" }), path("M32 58C30 44 52 42 62 46C62 34 66 28 74 28C80 28 82 34 80 38L90 40L80 44C78 62 62 76 46 74C38 72 33 66 32 58Z", { fill: gold }), line("M70 28C66 20 68 16 64 12M74 27C74 19 78 16 76 10", red, 2.4), circle(75, 36, 1.8, { fill: ink }), line("M42 60Q48 66 54 60Q60 66 66 58", ink, 1.2)),
};

/** The twelve months: the plant, and its cards from the most worth down. */
export const months = [
  ["January", "pine", ["crane", "poetry ribbon"]],
  ["February", "plum", ["warbler", "poetry ribbon"]],
  ["March", "cherry", ["curtain", "poetry ribbon"]],
  ["April", "wisteria", ["cuckoo", "red ribbon"]],
  ["May", "iris", ["bridge", "red ribbon"]],
  ["June", "peony", ["butterflies", "blue ribbon"]],
  ["July", "clover", ["boar", "red ribbon"]],
  ["August", "pampas", ["moon", "geese"]],
  ["September", "chrysanthemum", ["sake cup", "blue ribbon"]],
  ["October", "maple", ["deer", "blue ribbon"]],
  ["November", "willow", ["rain man", "swallow", "red ribbon", "lightning"]],
  ["December", "paulownia", ["phoenix"]],
];

const brights = ["crane", "curtain", "moon", "rain man", "phoenix"];
const worth = (sign) => (!sign || sign === "lightning" ? "" : brights.includes(sign) ? "bright" : sign.endsWith("ribbon") ? "ribbon" : "animal");

/** The sign of what a card counts as, in its upper right corner. */
const marks = {
  bright: path("M0-7L1.8-2.5L6.7-2.2L2.9 1L4.1 5.7L0 3.1L-4.1 5.7L-2.9 1L-6.7-2.2L-1.8-2.5Z", { fill: gold }),
  animal: dots([[-4.4, -1], [-1.6, -4.6], [1.6, -4.6], [4.4, -1]], 1.6, { fill: "#fff" }) + ellipse(0, 2.6, 3.4, 2.8, { fill: "#fff" }),
  ribbon: path("M-2.6-6H2.6V6L0 3.6L-2.6 6Z", { fill: "#f19a8d" }),
};

function card(number, plant, sign, n) {
  const [shape, grown] = plants[plant];
  const sky = sign === "moon" ? "#b5382c" : paper;
  return file(
    100,
    160,
    el("defs", {}, g({ id: "a" }, shape), path("M0 0C6-7 16-7 22 0C16 7 6 7 0 0Z", { id: "l", fill: leaf }), el("clipPath", { id: "c" }, rect(5, 5, 90, 150, { rx: 3 }))),
    rect(0.5, 0.5, 99, 159, { rx: 6, fill: ink, stroke: "#000" }),
    g({ clip_path: "url(#c)" }, rect(5, 5, 90, 150, { fill: sky }), sign === "moon" ? circle(50, 58, 34, { fill: "#fff6dc" }) : "", grown(n), sign ? signs[sign]() : ""),
    circle(13.5, 13.5, 9.5, { fill: ink }),
    path(word(String(number), 14), { transform: move(13.5, 8.5, "scale(.1)"), fill: "none", stroke: "#fff", stroke_width: 17, stroke_linecap: "round", stroke_linejoin: "round" }),
    marks[worth(sign)] ? circle(86.5, 13.5, 9.5, { fill: ink }) + g({ transform: "translate(86.5 13.5)" }, marks[worth(sign)]) : "",
  );
}

/** All cards as { name, art, svg }, month by month. */
export const flowerCards = months.flatMap(([month, plant, specials], i) =>
  [0, 1, 2, 3].map((n) => {
    const sign = specials[n];
    const plain = `plain ${plant} ${n - specials.length + 1}`;
    const sort = sign === "lightning" ? "plain" : sign && !sign.endsWith("ribbon") ? worth(sign) : "";
    const what = sign ? `${sign}${sort ? ` (${sort})` : ""}` : plain;
    return { name: `${what[0].toUpperCase()}${what.slice(1)}, ${month}`, art: `hanafuda/${i + 1}-${n + 1}.svg`, svg: card(i + 1, plant, sign, n + 1) };
  }));

/** The back: waves in rows, and the otter in their middle. */
export const flowerBack = () =>
  file(
    100,
    160,
    el("defs", {}, el("pattern", { id: "w", width: 20, height: 10, patternUnits: "userSpaceOnUse" }, path("M-10 10A10 10 0 0 1 10 10A10 10 0 0 1 30 10M-6 10A6 6 0 0 1 6 10M14 10A6 6 0 0 1 26 10M0 5A10 10 0 0 1 20 5M4 5A6 6 0 0 1 16 5", { fill: "none", stroke: "#e6c48a", stroke_width: 0.8, stroke_opacity: 0.55 }))),
    rect(0.5, 0.5, 99, 159, { rx: 6, fill: "#7c2331", stroke: "#3c0d15" }),
    rect(5, 5, 90, 150, { rx: 3, fill: "url(#w)", stroke: "#e6c48a", stroke_width: 1.2 }),
    circle(50, 80, 27, { fill: "#7c2331", stroke: "#e6c48a", stroke_width: 1.6 }),
    g({ transform: "translate(50 80) scale(.27)" }, emblem("#e6c48a", "#7c2331")),
  );
