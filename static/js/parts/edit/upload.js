// Sends packed games to the table (T100): small ones at once, and large ones in parts, which go on
// after a cut (T108).

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('./pack.js').Bytes} Bytes */

/**
 * How somebody follows something that takes time, and gives it up.
 * @typedef {object} Watching
 * @property {(done: number) => void} [progress] gets how much is done, from 0 to 1
 * @property {AbortSignal|undefined} [signal]
 */

/** The bytes of a part. What is smaller is sent at once. */
export const PART = 256 << 10;

/** For how long nothing may arrive, in ms, and the pauses between attempts. */
const PATIENCE = 60_000;
const PAUSES = [500, 1000, 2000, 4000];

/** How often a file may be begun again, because the server has forgotten it. */
const BEGINNINGS = 3;

/** What a problem document, or an answer, has. @typedef {{status: number, body: any}} Answer */

/**
 * Sends the kinds of a packed game. Rejects when the server cannot be reached, or with an
 * AbortError when it is given up; then nothing is left at the server.
 * @param {State} s
 * @param {Bytes} file
 * @param {Watching & {query?: string}} [how] with what the address gets
 * @returns {Promise<Answer>}
 */
export async function sendKinds(s, file, { progress = () => {}, signal, query = '' } = {}) {
  if (file.length <= PART)
    return ask(`${s.api}/kinds${query}`, {
      method: 'POST', headers: { 'Content-Type': 'application/zip' }, body: file,
      signal: signal ?? null,
    });
  for (let begun = 1; ; begun++) {
    const answer = await sendParts(s, file, query, progress, signal);
    if (answer.status !== 404 || begun === BEGINNINGS) return answer;
  }
}

/**
 * Sends a file in parts, and adds its kinds.
 * @param {State} s
 * @param {Bytes} file
 * @param {string} query
 * @param {(done: number) => void} progress
 * @param {AbortSignal|undefined} [signal]
 * @returns {Promise<Answer>}
 */
async function sendParts(s, file, query, progress, signal) {
  const begun = await patiently(() => ask(`${s.api}/uploads`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ bytes: file.length }), signal: signal ?? null,
  }), signal);
  if (begun.status !== 201) return begun;
  const path = `${s.api}/uploads/${begun.body.upload}`;
  try {
    let isSure = true;
    for (let offset = 0; offset < file.length; ) {
      progress(offset / file.length);
      const next = await patiently(() => {
        const asks = isSure ? ask(`${path}?offset=${offset}`, {
          method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' },
          body: file.subarray(offset, offset + PART), signal: signal ?? null,
        }) : ask(path, { signal: signal ?? null }); // after a cut: how much has arrived?
        isSure = false;
        return asks;
      }, signal);
      isSure = true;
      if (next.status !== 200) return next;
      offset = next.body.offset;
    }
    signal?.throwIfAborted();
    progress(1);
    return await patiently(() => ask(`${path}/kinds${query}`, { method: 'POST' }));
  } catch (error) {
    void fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {});
    throw error;
  }
}

/** @param {string} path @param {RequestInit} how @returns {Promise<Answer>} */
async function ask(path, how) {
  const answer = await fetch(path, how);
  return { status: answer.status, body: await answer.json().catch(() => ({})) };
}

/**
 * Retries what the network or a busy server has refused.
 * @param {() => Promise<Answer>} attempt
 * @param {AbortSignal|undefined} [signal]
 * @returns {Promise<Answer>}
 */
async function patiently(attempt, signal) {
  const end = performance.now() + PATIENCE;
  for (let n = 0; ; n++) {
    /** @type {Answer|null} */
    let answer = null;
    /** @type {unknown} */
    let problem = null;
    try {
      answer = await attempt();
      if (answer.status !== 429 && answer.status < 500) return answer;
      if (answer.status === 507) return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      problem = error;
    }
    const pause = PAUSES[Math.min(n, PAUSES.length - 1)];
    if (performance.now() + pause > end) {
      if (answer) return answer;
      throw problem;
    }
    await new Promise((done) => setTimeout(done, pause));
    signal?.throwIfAborted();
  }
}
