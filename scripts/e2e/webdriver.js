// A browser that is driven by the WebDriver protocol: WebKit, for which Debian has a driver. It
// needs a screen, which Xvfb makes without hardware.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE } from './pieces.js';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{x: number, y: number}} Point */

/** A port on which nothing listens. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a screen. Returns its process and its name. */
async function startScreen() {
  const screen = spawn(
    'Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [number] = await Promise.race([
    once(createInterface({ input: screen.stdout }), 'line'),
    once(screen, 'exit').then(([code]) => Promise.reject(new Error(`Xvfb has ended: ${code}`))),
  ]);
  return { screen, display: `:${number}` };
}

export class WebDriver {
  #at;
  #session = '';
  /** @type {ChildProcess[]} */
  #processes;

  /** @param {string} at @param {ChildProcess[]} processes */
  constructor(at, processes) {
    this.#at = at;
    this.#processes = processes;
  }

  /** Starts a browser. @param {string} path of the driver */
  static async start(path) {
    const { screen, display } = await startScreen();
    const port = await freePort();
    const driver = spawn(path, ['--host=127.0.0.1', `--port=${port}`], {
      stdio: 'ignore', env: { ...process.env, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1' },
    });
    const browser = new WebDriver(`http://127.0.0.1:${port}`, [driver, screen]);
    try {
      await browser.#open();
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  async #open() {
    const end = Date.now() + PATIENCE;
    for (;;)
      try {
        await this.#call('GET', '/status');
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
        await pause(100);
      }
    const { sessionId } = await this.#call('POST', '/session', { capabilities: {} });
    this.#session = `/session/${sessionId}`;
    await this.#call('POST', `${this.#session}/window/rect`, { width: 1280, height: 880 });
  }

  /** Ends the browser. */
  async close() {
    if (this.#session) await this.#call('DELETE', this.#session).catch(() => {});
    for (const child of this.#processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async #call(method, path, body) {
    const answer = await fetch(this.#at + path, {
      method, headers: { 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null, signal: AbortSignal.timeout(PATIENCE),
    });
    const { value } = /** @type {any} */ (await answer.json());
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  /** @param {string} url */
  open(url) {
    return this.#call('POST', `${this.#session}/url`, { url });
  }

  /** Runs the body of a function in the page. @param {string} script @param {...unknown} args */
  run(script, ...args) {
    return this.#call('POST', `${this.#session}/execute/sync`, { script, args });
  }

  /**
   * Waits until an expression holds in the page, and returns its value.
   *
   * @param {string} expression its arguments are `arguments[0]` and so on
   * @param {...unknown} args
   */
  async until(expression, ...args) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const value = await this.run(`return ${expression}`, ...args);
      if (value) return value;
      if (Date.now() > end) throw new Error(`never: ${expression} ${JSON.stringify(args)}`);
      await pause(100);
    }
  }

  /** @param {Point} from @param {Point} to */
  drag(from, to) {
    const move = (/** @type {Point} */ { x, y }, duration = 0) => // whole pixels
      ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration });
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    return this.#act({
      type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' },
      actions: [
        move(from), { type: 'pointerDown', button: 0 }, move(middle, 100), move(to, 100),
        { type: 'pause', duration: 50 }, { type: 'pointerUp', button: 0 },
      ],
    });
  }

  /** @param {Point} at */
  click(at) {
    return this.drag(at, at);
  }

  /** Presses keys one after the other. @param {...string} keys as WebDriver names them */
  press(...keys) {
    return this.#act({
      type: 'key', id: 'keys',
      actions: keys.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]),
    });
  }

  /** @param {object} source */
  #act(source) {
    return this.#call('POST', `${this.#session}/actions`, { actions: [source] });
  }

  /** A picture of the window, as a PNG in base64. */
  screenshot() {
    return this.#call('GET', `${this.#session}/screenshot`);
  }
}
