#!/usr/bin/env node
// Draws the art of the games on the shelf, and writes the game files that programs write.
//
//   node scripts/art.mjs           writes static/art and files in static/games
//   node scripts/art.mjs --check   lists the files that differ from what it would write, and fails
//                                  if there are any

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bags } from "./art/bag.mjs";
import { boards } from "./art/boards.mjs";
import { cards } from "./art/cards.mjs";
import { chess } from "./art/chess.mjs";
import { clocks } from "./art/clocks.mjs";
import { dice } from "./art/dice.mjs";
import { draughts } from "./art/draughts.mjs";
import { logo } from "./art/logo.mjs";
import { markers } from "./art/markers.mjs";
import { shelf } from "./art/shelf.mjs";
import { tokens } from "./art/tokens.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "static");
const art = [
  ...bags(), ...boards(), ...cards(), ...chess(), ...clocks(), ...dice(), ...draughts(),
  ...markers(), ...tokens(), ["logo.svg", logo()],
];
const drawn = new Map([...art.map(([name, svg]) => [`art/${name}`, svg]), ...(await shelf())]);

/** The files that are there now, by their path in the folder: all art, and these game files. */
function present() {
  const files = new Map();
  for (const entry of readdirSync(join(folder, "art"), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const name = join(entry.parentPath, entry.name);
      files.set(name.slice(folder.length + 1), readFileSync(name, "utf8"));
    }
  }
  for (const name of drawn.keys()) {
    if (name.startsWith("games/") && existsSync(join(folder, name)))
      files.set(name, readFileSync(join(folder, name), "utf8"));
  }
  return files;
}

function check() {
  const there = present();
  const names = [...new Set([...drawn.keys(), ...there.keys()])];
  const stale = names.filter((name) => drawn.get(name) !== there.get(name));
  for (const name of stale.sort()) {
    console.error(`static/${name} is not current: run node scripts/art.mjs`);
  }
  process.exitCode = stale.length ? 1 : 0;
}

function write() {
  for (const name of present().keys()) {
    if (!drawn.has(name)) {
      rmSync(join(folder, name));
    }
  }
  for (const [name, svg] of drawn) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), svg);
  }
}

if (process.argv[2] === "--check") {
  check();
} else {
  write();
}
