// Browsers as the tests use them: one Chromium for a test file, a context for each person, and a
// watch on everything that a page should not do.

import { execFileSync } from 'node:child_process';
import { after } from 'node:test';
import { chromium } from 'playwright-core';

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Browser} Browser */

/** @type {Promise<Browser> | null} */
let launched = null;
/** Switches that playwright would give to the browser, and must not. @type {string[]} */
const unsaid = [];
after(async () => (await launched)?.close());

/**
 * Whether it must be a whole browser. The one without a window is faster, and cannot do all that
 * people's browsers do.
 */
let isWhole = false;

/**
 * Makes the browser of this test file keep pages that are left, to show them again, as people's
 * browsers do. Must be called before the browser is launched.
 */
export function keepPages() {
  unsaid.push('--disable-back-forward-cache');
  isWhole = true;
}

/** The browser of this test file. It is closed when the file is done. */
export function browser() {
  if (!launched) {
    launched = chromium.launch({
      executablePath: executable(),
      ignoreDefaultArgs: unsaid,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page stays in the process in which it was made empty, instead of starting another one
        // for the server's origin. People never share one: each has a context of their own.
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
      ],
    });
  }
  return launched;
}

/** The path of Chromium: as scripts/test says, or one in the path. */
function executable() {
  const { HOLT_CHROMIUM, HOLT_HEADLESS_SHELL } = process.env;
  if (HOLT_HEADLESS_SHELL && !isWhole) return HOLT_HEADLESS_SHELL;
  if (HOLT_CHROMIUM) return HOLT_CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const find = names.map((name) => `command -v ${name}`).join(' || ');
  return execFileSync('sh', ['-c', find], { encoding: 'utf8' }).trim();
}

/** What has gone wrong in a page, and from which hosts it has requested something. */
export class Watch {
  /** @type {string[]} */
  #errors = [];
  /** @type {RegExp[]} */
  #expected = [];
  /** Hosts of all requests and WebSockets. @type {Set<string>} */
  hosts = new Set();
  /** Messages of the stream, in order. @type {Uint8Array[]} */
  frames = [];

  /** @param {Page} page */
  constructor(page) {
    page.on('pageerror', (error) => this.#errors.push(`page error: ${error.stack ?? error}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.#errors.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('request', (request) => this.#note(request.url()));
    page.on('websocket', (socket) => {
      this.#note(socket.url());
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string')
          this.#errors.push(`a text message in the stream: ${payload}`);
        else this.frames.push(new Uint8Array(payload));
      });
    });
  }

  /** @param {string} url */
  #note(url) {
    const { protocol, host } = new URL(url);
    if (protocol !== 'data:' && protocol !== 'blob:') this.hosts.add(host);
  }

  /**
   * Declares that the test itself causes errors of this kind, such as those of a network that it
   * cuts.
   *
   * @param {RegExp} pattern
   */
  expect(pattern) {
    this.#expected.push(pattern);
  }

  /** Errors that the test has not declared. Content-Security-Policy reports on the console. */
  get unexpected() {
    return this.#errors.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}

/** What Chromium reports when the network or the server is gone. */
export const networkErrors = /net::ERR_|WebSocket connection to|status of 50[0-9]/;
