// A real table of the server, as a program beside the test (scripts/tablestates). It keeps as many
// states of the table as the test reaches, and says what becomes of each.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A piece as the server shows it to a client.
 *
 * @typedef {{ id: number, kind: number, x: number, y: number, angle: number, face: number,
 *   z: string, zMark: number, pinned: boolean, locked: boolean, holder: number, owner: number,
 *   value: number, text: string }} Shown
 */

/**
 * @typedef {object} World
 * @property {'tokens' | 'cards'} pieces
 * @property {number[]} seats the seat of each client
 * @property {number} [seed]
 * @property {boolean} [linear] whether the test goes through one history only
 */

/**
 * @typedef {object} Request
 * @property {number} from the state
 * @property {'post' | 'hello' | 'resync' | 'restart' | 'view'} do
 * @property {number} [client]
 * @property {import('../js/types.js').Batch} [batch]
 * @property {number} [seq]
 * @property {boolean} [resume]
 * @property {number} [mark]
 */

/**
 * @typedef {{ seq: number, piece: number, tag: number, verdict: string, floor: number }} Judged
 * @typedef {{ client: number, seq: number, server: boolean, op: string, piece: number,
 *   made: boolean, before: Shown, versions: number[] }} Recorded
 */

/**
 * @typedef {object} Answer
 * @property {number} to the new state
 * @property {string} code of the problem, if a batch was refused
 * @property {(string | null)[] | null} frames for each client, in base64
 * @property {Judged[] | null} judged
 * @property {Recorded[] | null} entries
 * @property {Shown[][]} [views] of each client, in the new state
 * @property {Set<number>} [checked] for which states of its client it was checked
 */

const top = join(import.meta.dirname, '..', '..');

/**
 * Builds the program.
 *
 * @returns {{ path: string, remove: () => void }}
 */
export function buildTableStates() {
  const folder = mkdtempSync(join(tmpdir(), 'holt-tablestates-'));
  const path = join(folder, 'tablestates');
  execFileSync('go', ['build', '-o', path, './scripts/tablestates'], {
    cwd: top, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CGO_ENABLED: '0' },
  });
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** @param {number} client */
export function clientName(client) {
  const bytes = new Uint8Array(16);
  bytes[0] = 0xc1;
  bytes[15] = client;
  return Buffer.from(bytes).toString('base64url');
}

export class TableStates {
  /**
   * @param {string} path of the program
   * @param {World} world
   */
  constructor(path, world) {
    this.child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.child.stdout });
    this.lines = lines[Symbol.asyncIterator]();
    this.child.stdin.write(`${JSON.stringify({ seed: 1, linear: false, ...world })}\n`);
  }

  /**
   * @param {Request[]} requests
   * @returns {Promise<Answer[]>}
   */
  async ask(requests) {
    this.child.stdin.write(`${JSON.stringify(requests)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the table has ended');
    return JSON.parse(value);
  }

  end() {
    this.child.stdin.end();
  }
}
