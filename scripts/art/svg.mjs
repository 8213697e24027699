// Functions that write SVG: text in, text out. Numbers are rounded to tenths, and undefined
// attributes are left out.

const round = (value) => (typeof value === "number" ? String(Math.round(value * 10) / 10) : value);

/** A template for path data and the like that rounds the numbers in it. */
export const d = (texts, ...values) => texts.reduce((all, text, i) => all + round(values[i - 1]) + text);

/** An element. Children are texts. An underscore in an attribute's name stands for a hyphen. */
export function el(name, attributes = {}, ...children) {
  let open = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      open += ` ${key.replace("_", "-")}="${round(value)}"`;
    }
  }
  const inside = children.flat(Infinity).join("");
  return inside ? `${open}>${inside}</${name}>` : `${open}/>`;
}

export const g = (attributes, ...children) => el("g", attributes, ...children);
export const path = (data, attributes) => el("path", { d: data, ...attributes });
export const circle = (cx, cy, r, attributes) => el("circle", { cx, cy, r, ...attributes });
export const ellipse = (cx, cy, rx, ry, attributes) => el("ellipse", { cx, cy, rx, ry, ...attributes });
export const rect = (x, y, width, height, attributes) => el("rect", { x, y, width, height, ...attributes });
export const use = (id, attributes) => el("use", { href: `#${id}`, ...attributes });

/** Circles of one size as one path. */
export const dots = (centres, r, attributes) =>
  path(centres.map(([x, y]) => d`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join(""), attributes);

export const move = (x, y, ...more) => d`translate(${x} ${y})` + more.map((m) => ` ${m}`).join("");

/** A gradient. Stops are [offset, colour, opacity]. Geometry belongs to the attributes. */
export function gradient(kind, id, attributes, stops) {
  const list = stops.map(([offset, colour, opacity]) => el("stop", { offset: String(offset), stop_color: colour, stop_opacity: opacity === undefined ? undefined : String(opacity) }));
  return el(`${kind}Gradient`, { id, ...attributes }, list);
}

/** A whole file of the given width and height. */
export const file = (width, height, ...children) =>
  `${el("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }, ...children)}\n`;

/** Random numbers from 0 to 1 that are the same in each run (a linear congruential generator). */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
