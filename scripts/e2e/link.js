// A network that a test can slow down, hold back and cut: an HTTP proxy between one browser context
// and the server. Requests and answers pass as a whole, WebSockets pass as they come. Each
// direction keeps its order.

import http from 'node:http';
import net from 'node:net';

/** @typedef {"up" | "down"} Direction up: to the server; down: to the browser */

export class Link {
  /** Latency in each direction, in milliseconds. */
  delay = { up: 0, down: 0 };

  /** @type {Record<Direction, {waiting: Promise<void>, open: () => void} | null>} */
  #held = { up: null, down: null };
  #broken = false;
  /** @type {Set<net.Socket>} */
  #sockets = new Set();
  #server = http.createServer();

  /** Starts a link on a free port of this machine. */
  static async open() {
    const link = new Link();
    link.#server.on('connection', (s) => link.#adopt(s));
    link.#server.on('request', (request, response) => link.#exchange(request, response));
    link.#server.on('connect', (request, socket, head) => link.#tunnel(request, socket, head));
    await new Promise((done) => link.#server.listen(0, '127.0.0.1', () => done(undefined)));
    return link;
  }

  /**
   * The setting that makes a browser context use this as its proxy. Playwright sends loopback
   * addresses through it if the setting asks for that.
   */
  get proxy() {
    const { port } = /** @type {net.AddressInfo} */ (this.#server.address());
    return { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' };
  }

  /**
   * Lets nothing through in that direction until release. What comes meanwhile waits, in order.
   *
   * @param {...Direction} directions
   */
  hold(...directions) {
    for (const direction of directions) {
      if (this.#held[direction]) continue;
      let open = () => {};
      const waiting = new Promise((/** @type {(value: void) => void} */ done) => {
        open = () => done();
      });
      this.#held[direction] = { waiting, open };
    }
  }

  /** Lets everything through again. */
  release() {
    for (const direction of /** @type {Direction[]} */ (['up', 'down'])) {
      const held = this.#held[direction];
      this.#held[direction] = null;
      held?.open();
    }
  }

  /** Breaks every connection and refuses new ones, until mend. */
  cut() {
    this.#broken = true;
    for (const s of this.#sockets) s.resetAndDestroy();
  }

  mend() {
    this.#broken = false;
  }

  /** Ends the link for good. */
  async close() {
    this.release();
    this.cut();
    await new Promise((done) => this.#server.close(() => done(undefined)));
  }

  /** @param {net.Socket} s */
  #adopt(s) {
    if (this.#broken) {
      s.resetAndDestroy();
      return;
    }
    this.#sockets.add(s);
    s.setNoDelay(true);
    s.on('close', () => this.#sockets.delete(s));
    s.on('error', () => s.destroy());
  }

  /**
   * Waits until the latency has passed for something that was sent at that time.
   *
   * @param {Direction} direction
   * @param {number} since performance.now()
   */
  async #pass(direction, since) {
    const rest = since + this.delay[direction] - performance.now();
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    for (let held = this.#held[direction]; held; held = this.#held[direction]) await held.waiting;
  }

  /**
   * Passes a request to the server and the answer back.
   *
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async #exchange(request, response) {
    const at = performance.now();
    try {
      const body = await read(request);
      await this.#pass('up', at);
      const answer = await this.#ask(request, body);
      const back = performance.now();
      const content = await read(answer);
      await this.#pass('down', back);
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.end(content);
    } catch {
      response.socket?.destroy(); // for the browser a failure of the network, not an answer
    }
  }

  /**
   * @param {http.IncomingMessage} request
   * @param {Buffer} body
   * @returns {Promise<http.IncomingMessage>}
   */
  #ask(request, body) {
    const { host, port, pathname, search } = new URL(request.url ?? '');
    const { 'proxy-connection': _, ...headers } = /** @type {http.IncomingHttpHeaders} */ (
      request.headers
    );
    headers.host = host;
    return new Promise((done, fail) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: request.method,
        headers,
        agent: false,
      };
      const asked = http.request(options, done);
      asked.on('socket', (s) => this.#adopt(s));
      asked.on('error', fail);
      asked.end(body);
    });
  }

  /**
   * Joins the browser to the server, as for a WebSocket.
   *
   * @param {http.IncomingMessage} request
   * @param {import("node:stream").Duplex} socket
   * @param {Buffer} head
   */
  #tunnel(request, socket, head) {
    const browser = /** @type {net.Socket} */ (socket);
    const port = Number(new URL(`http://${request.url}`).port);
    const server = net.connect(port, '127.0.0.1', () => {
      browser.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) server.write(head);
      this.#pump(browser, server, 'up');
      this.#pump(server, browser, 'down');
    });
    this.#adopt(server);
    server.on('error', () => browser.destroy());
  }

  /**
   * Carries bytes in one direction, in order, each part as late as the link makes it.
   *
   * @param {net.Socket} from
   * @param {net.Socket} to
   * @param {Direction} direction
   */
  #pump(from, to, direction) {
    let before = Promise.resolve();
    from.on('data', (part) => {
      const at = performance.now();
      before = before.then(() => this.#pass(direction, at)).then(() => void to.write(part));
    });
    from.on('close', () => {
      before = before.then(() => void to.destroy());
    });
  }
}

/** @param {http.IncomingMessage} message */
async function read(message) {
  const parts = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
