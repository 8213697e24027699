// The program under test: built once, started on a free port with a folder of its own, killed and
// started again.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Further games. "plain" is chess as a game file of format 1: nothing snaps, so pieces lie where
 * they were dropped.
 */
const GAMES = fileURLToPath(new URL('games', import.meta.url));

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A new table, and the seat of its host.
 *
 * @typedef {object} Opened
 * @property {string} table
 * @property {number} seat
 * @property {string} token
 * @property {string} url
 * @property {{ player: string, spectator: string }} invites
 */

/** The program: the one that scripts/test has built, or one built now. */
export function binary() {
  if (!process.env.HOLT_BINARY) {
    const folder = mkdtempSync(join(tmpdir(), 'holt-e2e-bin-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    process.env.HOLT_BINARY = join(folder, 'holt');
    execFileSync('go', ['build', '-o', process.env.HOLT_BINARY, './cmd/holt'], {
      cwd: root, stdio: 'inherit',
    });
  }
  return process.env.HOLT_BINARY;
}

export class Server {
  /** Where it serves, without a slash at the end. start sets it, and a restart keeps it. */
  url = '';
  /** Everything that it has written to standard error, over all starts. */
  log = '';
  /** Whether several tests use it, so that none may stop it. */
  isShared = false;

  #data = mkdtempSync(join(tmpdir(), 'holt-e2e-data-'));
  #datagrams;
  #flags;
  /** @type {import("node:child_process").ChildProcess | null} */
  #process = null;

  /** @param {boolean} datagrams @param {string[]} [flags] */
  constructor(datagrams, flags = []) {
    this.#datagrams = datagrams;
    this.#flags = flags;
  }

  /**
   * Starts a server with an empty folder on a free port.
   *
   * @param {boolean} [datagrams] whether it has streams by datagrams, too
   * @param {string[]} [flags] further ones
   */
  static async start(datagrams = false, flags = []) {
    const server = new Server(datagrams, flags);
    await server.start();
    return server;
  }

  /**
   * Starts the program, on the port that it had before, if any, and waits until it says that it
   * serves.
   */
  async start() {
    const listen = this.url ? new URL(this.url).host : '127.0.0.1:0';
    const ways = this.#datagrams ? [] : ['--datagrams', 'off'];
    const child = spawn(
      binary(),
      [
        'serve', '--listen', listen, '--data', this.#data, '--games', GAMES,
        '--compress', 'late', // few of the files are asked for, and most of a start is to pack them
        ...ways, ...this.#flags,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#process = child;
    child.stderr.on('data', (text) => {
      this.log += text;
    });
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(([code]) => [`it has ended with ${code}`]),
    ]);
    const says = /^Holt is serving (http:\/\/\S+?)\/?$/.exec(line);
    if (!says) throw new Error(`holt serve: ${line}\n${this.log}`);
    this.url = says[1];
  }

  /** Kills it without a chance to tidy up, as a power failure would. */
  async kill() {
    this.#mayEnd();
    await this.#end('SIGKILL');
  }

  /** Stops it as an operator would, and returns its exit code. */
  async stop() {
    this.#mayEnd();
    return this.#end('SIGTERM');
  }

  /** Runs a command of its operator, and returns the output. @param {string[]} args */
  operate(...args) {
    return execFileSync(binary(), [...args, '--data', this.#data], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Stops it and removes its folder. */
  async discard() {
    await this.#end('SIGKILL');
    rmSync(this.#data, { recursive: true, force: true });
  }

  #mayEnd() {
    assert.ok(!this.isShared, 'a test that stops its server has one of its own');
  }

  /** @param {NodeJS.Signals} signal @returns {Promise<number | null>} */
  async #end(signal) {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    return code;
  }

  // --- the API, as docs/protocol/http.md describes it

  /**
   * @param {string} method @param {string} path @param {object | null} body @param {string} [token]
   * @returns {Promise<{status: number, headers: Headers, json: any}>}
   */
  async call(method, path, body, token) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (body) headers['Content-Type'] = 'application/json';
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(this.url + path, {
      method, headers, body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text ? JSON.parse(text) : null };
  }

  /** Makes a table and takes its host seat. @param {string} game @param {string} nick */
  async createTable(game, nick = 'Ada') {
    const { status, json } = await this.call('POST', '/api/v1/tables', {
      game, nick, colour: '#d1495b',
    });
    if (status !== 201) throw new Error(`create table: ${status} ${JSON.stringify(json)}`);
    return /** @type {Opened} */ (json);
  }

  /** What the holder of the token may see. @param {string} table @param {string} token */
  async read(table, token) {
    const { status, json } = await this.call('GET', `/api/v1/tables/${table}`, null, token);
    if (status !== 200) throw new Error(`read table: ${status} ${JSON.stringify(json)}`);
    return json;
  }
}
