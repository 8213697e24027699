// The games of the shelf that programs write. Each module in the folder shelf has the name of its
// game and exports
//
//   art    a generator of its pictures, as [path, SVG]; games that share one draw it the same way
//   game   what the game file says, without format and id. What sort of game it is may be left to
//          genres.mjs; by which further words it is found, and what its picture shows, stands in
//          words.mjs and pictures.mjs

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { genres } from "./genres.mjs";
import { pictures } from "./pictures.mjs";
import { words } from "./words.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "shelf");

/** The pictures and the game files of all these games, by their paths in static. */
export async function shelf() {
  const files = new Map();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".mjs")).sort()) {
    const { art, game } = await import(join(folder, name));
    for (const [path, svg] of art?.() ?? []) {
      if ((files.get(`art/${path}`) ?? svg) !== svg) throw new Error(`${name}: ${path} is drawn already`);
      files.set(`art/${path}`, svg);
    }
    const id = basename(name, ".mjs");
    const about = { ...game.about, genres: game.about.genres ?? genres[id], words: words[id] };
    const kinds = game.kinds.map(forReaders).map(turning);
    const templates = game.templates?.map(turning);
    files.set(`games/${id}.json`, written({ format: "holt.game/2", id, ...game, about, picture: pictures[id], ...(templates && { templates }), kinds }));
  }
  return files;
}

/** A kind whose words are upside down for nobody, if it is a button, a counter or a turn marker. */
function forReaders(kind) {
  if (kind.seat === "turn") return { ...kind, upright: true };
  const hasWords = kind.button || kind.counter;
  return hasWords && !kind.upright && !kind.grid && !kind.snaps ? { ...kind, readable: true } : kind;
}

/** A kind that turns by a quarter at once, if it is a card. */
const turning = (kind) =>
  (kind.shape === "card" && kind.weight === "light" && !kind.counter && !kind.clock ? { ...kind, turn: 90 } : kind);

/** A game file with a line for each field, and for each element of a list. */
function written(game) {
  const fields = Object.entries(game).filter(([, value]) => value !== undefined).map(([name, value]) => {
    const isList = Array.isArray(value) && value.some((one) => typeof one === "object");
    const lines = isList ? value.map((one) => `\n    ${spaced(one)}`) : [];
    return `  ${JSON.stringify(name)}: ${isList ? `[${lines.join(",")}\n  ]` : spaced(value)}`;
  });
  return `{\n${fields.join(",\n")}\n}\n`;
}

/** JSON on one line, with spaces. */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${known.map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`).join(", ")}}`;
}
