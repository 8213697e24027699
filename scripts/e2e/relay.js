// A line for datagrams that a test can make lose packets and can cut: UDP between one browser and
// the server. It takes the place of the server's address (D30) in the answer to the page's request
// for a ticket.

import dgram from 'node:dgram';

/** @typedef {import("playwright-core").Page} Page */

export class Relay {
  /** Share of packets that are lost, in each direction. */
  loss = 0;
  /** Packets that have passed. */
  passed = 0;

  #isCut = false;
  #turn = 0;
  #front = dgram.createSocket('udp4');
  /**
   * The sockets that stand for browsers at the server, by address of the browser.
   *
   * @type {Map<string, dgram.Socket>}
   */
  #backs = new Map();
  #server = { host: '', port: 0 };

  /** Starts a line on a free port of this machine. */
  static async open() {
    const relay = new Relay();
    relay.#front.on('message', (bytes, { address, port }) => relay.#up(bytes, address, port));
    await new Promise((done) => relay.#front.bind(0, '127.0.0.1', () => done(undefined)));
    return relay;
  }

  /**
   * Makes a page use this line, from its next ticket on. Its context has to bypass the policy of
   * the page, which allows the server alone.
   *
   * @param {Page} page
   */
  async lead(page) {
    await page.route('**/api/v1/tables/*/datagrams', async (route) => {
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const offer = await response.json();
      const url = new URL(offer.webtransport);
      this.#server = { host: url.hostname, port: Number(url.port) };
      url.hostname = '127.0.0.1';
      url.port = String(this.#front.address().port);
      return route.fulfill({ response, json: { ...offer, webtransport: url.href } });
    });
  }

  /** Nothing passes any more, and neither end gets an error. */
  cut() {
    this.#isCut = true;
  }

  mend() {
    this.#isCut = false;
  }

  /** Ends the line for good. */
  close() {
    for (const socket of [this.#front, ...this.#backs.values()]) socket.close();
  }

  /** Whether a packet is lost: at equal intervals, so that runs are alike. */
  #loses() {
    const before = Math.floor(this.#turn * this.loss);
    this.#turn++;
    if (!this.#isCut && before === Math.floor(this.#turn * this.loss)) {
      this.passed++;
      return false;
    }
    return true;
  }

  /** @param {Buffer} bytes @param {string} address @param {number} port */
  #up(bytes, address, port) {
    if (this.#loses()) return;
    const name = `${address}:${port}`;
    const known = this.#backs.get(name);
    const back = known ?? dgram.createSocket('udp4');
    if (!known) {
      this.#backs.set(name, back);
      back.on('message', (answer) => {
        if (!this.#loses()) this.#front.send(answer, port, address);
      });
    }
    back.send(
      bytes, this.#server.port, this.#server.host === 'localhost' ? '127.0.0.1' : this.#server.host,
    );
  }
}
