/**
 * Posts the batches of a source (http.md), one request at a time. Updates made meanwhile go into
 * the next batch. A batch that got no answer, or the answer to come again, is posted again until it
 * is judged (T10). No DOM.
 *
 * @module
 */

/** @typedef {import('../types.js').Problem} Problem */
/** @typedef {import('../types.js').ResponseLike} ResponseLike */

// All in milliseconds.
const FIRST_DELAY = 250;
const LAST_DELAY = 10_000;
const LONGEST_WAIT = 300_000; // also if Retry-After says more
const PATIENCE = 20_000; // for an answer

/**
 * An answer.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Problem | null} problem null if the status is below 400
 * @property {number} retryAfter in seconds, NaN if the server did not say
 */

/** Statuses of 4xx after which the server may accept the same batch. */
const RETRY_LATER = new Set([408, 425, 429]);

/**
 * @template B
 * @typedef {object} PosterOptions
 * @property {string} table
 * @property {import('../types.js').Source<B>} source
 * @property {import('../types.js').Way<B>} way
 * @property {import('../types.js').NetDeps} deps
 * @property {() => boolean} isOpen whether there is a stream to bring the outcomes
 * @property {(reason: string) => void} onWaiting the batch was not judged and has to wait; an empty
 *   reason: a batch was judged
 * @property {() => void} onFailed a request got no answer
 * @property {(reason: string) => void} onGone the table or the seat does not exist any more
 * @property {(problem: Problem, changed: Set<number>) => void} onRefused a batch was refused (T15);
 *   these pieces look different now
 */

/**
 * @typedef {object} Poster
 * @property {() => void} flush posts what waits, once the current task is done
 * @property {() => void} kick there may be a network again: posts now, unless the server said when
 *   to come again
 * @property {() => void} abandon the stream was lost: does not wait for an answer any longer
 * @property {() => Promise<string>} isGone asks the server whether the table and the seat still
 *   exist: the reason if not, empty if they do or if there was no answer
 */

/**
 * @template B
 * @param {PosterOptions<B>} options
 * @returns {Poster}
 */
export function createPoster(options) {
  const { table, source, way, deps, isOpen, onWaiting, onFailed, onGone, onRefused } = options;
  const url = `${deps.origin}/api/v1/tables/${table}`;
  let scheduled = false;
  let failures = 0; // in a row
  /** @type {unknown} runs until the batch is posted again */
  let pause = null;
  let mustWait = false; // because Retry-After says so
  /** @type {AbortController | null} of the request with a batch that is under way */
  let posted = null;

  return { flush, kick, abandon: () => posted?.abort(), isGone };

  function flush() {
    if (scheduled) return;
    scheduled = true;
    Promise.resolve().then(() => {
      scheduled = false;
      return post();
    });
  }

  function kick() {
    if (pause === null || mustWait) return;
    deps.clearTimeout(pause);
    pause = null;
    flush();
  }

  /** Posts batches until there are none, or one has to wait. */
  async function post() {
    if (pause !== null) return;
    for (let batch = next(); batch; batch = next()) {
      posted = new AbortController();
      const init = { method: 'POST', headers: { 'content-type': way.type }, body: way.body(batch) };
      const answer = await request(`${url}/${way.path(batch)}`, init, posted);
      posted = null;
      if (answer?.status === way.taken) decided();
      else if (answer?.problem && isFinal(answer.status)) refuse(answer.problem);
      else {
        wait(answer);
        return;
      }
    }
  }

  /** The next batch; null also while a request is under way. */
  function next() {
    return isOpen() ? source.take() : null;
  }

  function decided() {
    source.delivered();
    failures = 0;
    onWaiting('');
  }

  /**
   * Posts the batch again later.
   *
   * @param {Answer | null} answer
   */
  function wait(answer) {
    source.failed();
    mustWait = answer !== null && answer.retryAfter >= 0;
    const ceiling = Math.min(LAST_DELAY, FIRST_DELAY * 2 ** failures++);
    const delay = mustWait
      ? Math.min(LONGEST_WAIT, 1000 * Number(answer?.retryAfter))
      : ceiling * (0.5 + deps.random() / 2);
    pause = deps.setTimeout(() => {
      pause = null;
      flush();
    }, delay);
    onWaiting(answer?.problem?.code ?? 'network');
    if (!answer) onFailed();
  }

  /**
   * The batch is invalid, or its table or its seat does not exist any more.
   *
   * @param {Problem} problem
   */
  function refuse(problem) {
    const changed = source.refused(problem);
    const gone = goneReason(problem);
    if (gone) onGone(gone);
    onRefused(problem, changed);
  }

  async function isGone() {
    const answer = await request(url, { method: 'GET', cache: 'no-store' });
    return answer?.problem ? goneReason(answer.problem) : '';
  }

  /**
   * @param {string} to
   * @param {RequestInit} init
   * @param {AbortController} [abort]
   * @returns {Promise<Answer | null>} null if there was none
   */
  async function request(to, init, abort = new AbortController()) {
    const timer = deps.setTimeout(() => abort.abort(), PATIENCE);
    try {
      const response = await deps.fetch(to, { ...init, redirect: 'error', signal: abort.signal });
      return {
        status: response.status,
        problem: response.status >= 400 ? await problemOf(response) : null,
        retryAfter: Number.parseInt(response.headers.get('retry-after') ?? '', 10),
      };
    } catch {
      return null; // any error means that there was no answer
    } finally {
      deps.clearTimeout(timer);
    }
  }
}

/**
 * Whether a status is about the batch, so that the same batch would get it again.
 *
 * @param {number} status
 */
function isFinal(status) {
  return status >= 400 && status < 500 && !RETRY_LATER.has(status);
}

/**
 * Why the table or the seat does not exist any more; empty if it does.
 *
 * @param {Problem} problem
 */
function goneReason({ status, code }) {
  if (status === 401) return 'no-seat';
  if (status === 410) return 'table-closed';
  if (code === 'damaged') return code;
  return status === 404 && code === 'no-table' ? 'no-table' : '';
}

/**
 * @param {ResponseLike} response
 * @returns {Promise<Problem>}
 */
async function problemOf(response) {
  const { status } = response;
  try {
    const { code, detail, update } = await response.json();
    return {
      status,
      code: typeof code === 'string' ? code : 'unknown',
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(typeof update === 'number' ? { update } : {}),
    };
  } catch {
    return { status, code: 'unknown' }; // a proxy on the way answered, and not the server
  }
}
