/**
 * Posts what a page has made (http.md): one request at a time; what is made meanwhile goes into the next.
 * A batch that got no answer, or the answer to come again, is posted again until it is judged (T10). No DOM.
 *
 * @module
 */

/** @typedef {import('../types.js').Problem} Problem */
/** @typedef {import('../types.js').ResponseLike} ResponseLike */

// All in milliseconds.
const FIRST_DELAY = 250;
const LAST_DELAY = 10_000;
const LONGEST_WAIT = 300_000; // whatever Retry-After says
const PATIENCE = 20_000; // for an answer

/**
 * An answer.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Problem | null} problem null unless the status says that something went wrong
 * @property {number} retryAfter in seconds, NaN if the server did not say
 */

/** Statuses of 4xx after which the same batch may be taken. */
const COME_AGAIN = new Set([408, 425, 429]);

/**
 * @template B
 * @typedef {object} PosterOptions
 * @property {string} table
 * @property {import('../types.js').Source<B>} source
 * @property {import('../types.js').Way<B>} way
 * @property {import('../types.js').NetDeps} deps
 * @property {() => boolean} isOpen whether there is a stream to bring the outcomes
 * @property {(reason: string) => void} onWaiting the server cannot take the batch now; empty: it can again
 * @property {() => void} onFailed a request got no answer
 * @property {(reason: string) => void} onGone there is nothing to post to any more
 * @property {(problem: Problem, changed: Set<number>) => void} onRefused a batch was refused (T15)
 */

/**
 * @typedef {object} Poster
 * @property {() => void} flush posts what waits, once the current task is done
 * @property {() => void} kick there may be a network again: does not wait any longer, unless the server said so
 * @property {() => void} abandon the line was lost: does not wait for an answer any longer
 * @property {() => Promise<string>} isGone asks the server whether the table and the seat are there: the
 *   reason if not, empty if they are or nobody knows
 */

/**
 * @template B
 * @param {PosterOptions<B>} options
 * @returns {Poster}
 */
export function createPoster({ table, source, way, deps, isOpen, onWaiting, onFailed, onGone, onRefused }) {
  const url = `${deps.origin}/api/v1/tables/${table}`;
  let scheduled = false;
  let failures = 0; // in a row
  /** @type {unknown} until the batch is posted again */
  let pause = null;
  let toldToWait = false; // by Retry-After
  /** @type {AbortController | null} of the batch that was posted */
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
    if (pause === null || toldToWait) return;
    deps.clearTimeout(pause);
    pause = null;
    flush();
  }

  /** Posts batch after batch until there is none, or one has to wait. */
  async function post() {
    if (pause !== null) return;
    for (let batch = next(); batch; batch = next()) {
      posted = new AbortController();
      const init = { method: 'POST', headers: { 'content-type': way.type }, body: way.body(batch) };
      const answer = await request(`${url}/${way.path(batch)}`, init, posted);
      posted = null;
      if (answer?.status === way.taken) judged();
      else if (answer?.problem && isFinal(answer.status)) refuse(answer.problem);
      else {
        wait(answer);
        return;
      }
    }
  }

  /** Null also while a request is out: a source gives one batch at a time. */
  function next() {
    return isOpen() ? source.take() : null;
  }

  function judged() {
    source.delivered();
    failures = 0;
    onWaiting('');
  }

  /**
   * The batch is posted again later.
   *
   * @param {Answer | null} answer
   */
  function wait(answer) {
    source.failed();
    toldToWait = answer !== null && answer.retryAfter >= 0;
    const ceiling = Math.min(LAST_DELAY, FIRST_DELAY * 2 ** failures++);
    const delay = toldToWait
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
   * The batch could not have been meant, or there is nobody any more to mean it.
   *
   * @param {Problem} problem
   */
  function refuse(problem) {
    const changed = source.refused(problem);
    const gone = goneBy(problem);
    if (gone) onGone(gone);
    onRefused(problem, changed);
  }

  async function isGone() {
    const answer = await request(url, { method: 'GET', cache: 'no-store' });
    return answer?.problem ? goneBy(answer.problem) : '';
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
      return null; // whatever it was, it says only that there was no answer
    } finally {
      deps.clearTimeout(timer);
    }
  }
}

/**
 * Whether a status says something about the batch, and will say the same again.
 *
 * @param {number} status
 */
function isFinal(status) {
  return status >= 400 && status < 500 && !COME_AGAIN.has(status);
}

/**
 * Why there is nothing to come back to; empty if there is.
 *
 * @param {Problem} problem
 */
function goneBy({ status, code }) {
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
    return { status, code: 'unknown' }; // somebody on the way answered, not the server
  }
}
