/**
 * Sends the batches of a source: by HTTP, one request at a time (http.md), or by datagrams, if the
 * stream has a way for that (D39). Updates made meanwhile go into the next batch. A batch that got
 * no answer, or the answer to come again, is posted again until it is judged (T10). No DOM.
 *
 * @module
 */

/** @typedef {import('../types.js').Problem} Problem */
/** @typedef {import('../types.js').Requests} Requests */
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
const RETRY_LATER = new Set([408, 424, 425, 429]);

/**
 * @template B
 * @typedef {object} PosterOptions
 * @property {string} table
 * @property {import('../types.js').Source<B>} source
 * @property {import('../types.js').Way<B>} way
 * @property {import('../types.js').NetDeps} deps
 * @property {() => boolean} isOpen whether there is a stream to bring the outcomes
 * @property {(host: import('../types.js').RequestsHost<B>) => Requests | null} requestsOn begins
 *   to send by datagrams on the open stream; null: it cannot
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
 * @property {(answer: import('../types.js').AnswerEvent) => void} answered an answer to a request
 *   by datagrams has come
 * @property {() => Promise<string>} isGone asks the server whether the table and the seat still
 *   exist: the reason if not, empty if they do or if there was no answer
 */

/**
 * @template B
 * @param {PosterOptions<B>} options
 * @returns {Poster}
 */
export function createPoster(options) {
  const { table, source, way, deps, isOpen, requestsOn } = options;
  const { onWaiting, onFailed, onGone, onRefused } = options;
  const url = `${deps.origin}/api/v1/tables/${table}`;
  let scheduled = false;
  let failures = 0; // in a row
  /** @type {unknown} runs until the batch is posted again */
  let pause = null;
  let mustWait = false; // because Retry-After says so
  /** @type {AbortController | null} of the request with a batch that is under way */
  let posted = null;
  let posting = false;
  /** @type {Requests | null} by datagrams, on the open stream */
  let requests = null;

  return { flush, kick, abandon, answered: (answer) => requests?.answered(answer), isGone };

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

  /** Sends batches until there are none, or one has to wait. */
  async function post() {
    if (posting) return;
    posting = true;
    try {
      while (pause === null && isOpen()) {
        requests ??= begin();
        const turn = requests?.next();
        if (turn === 'sent') continue;
        if (turn === 'waits') break;
        const batch = source.take();
        if (!batch) {
          requests?.rest();
          break;
        }
        await postBatch(batch);
      }
    } finally {
      posting = false;
    }
  }

  /** @param {B} batch */
  async function postBatch(batch) {
    posted = new AbortController();
    const init = { method: 'POST', headers: { 'content-type': way.type }, body: way.body(batch) };
    const answer = await request(`${url}/${way.path(batch)}`, init, posted);
    posted = null;
    decide(batch, answer);
  }

  /** Begins to send by datagrams, if the open stream has a way for that. */
  function begin() {
    const { upward, body } = way;
    return upward
      ? requestsOn({
          source,
          body: (batch) => String(body(batch)),
          upward,
          deps,
          decide: (batch, status, retryAfter, document) =>
            decide(batch, { status, problem: documentOf(status, document), retryAfter }),
          flush,
        })
      : null;
  }

  function abandon() {
    posted?.abort();
    requests?.abandon();
    requests = null;
  }

  /**
   * @param {B} batch
   * @param {Answer | null} answer
   */
  function decide(batch, answer) {
    if (answer?.status === way.taken) {
      source.delivered(batch);
      failures = 0;
      onWaiting('');
    } else if (answer?.problem && isFinal(answer.status)) refuse(answer.problem, batch);
    else wait(answer, batch);
  }

  /**
   * Posts the batch again later.
   *
   * @param {Answer | null} answer
   * @param {B} batch
   */
  function wait(answer, batch) {
    source.failed(batch);
    if (pause !== null) deps.clearTimeout(pause);
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
   * @param {B} batch
   */
  function refuse(problem, batch) {
    const changed = source.refused(problem, batch);
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
  try {
    return problemIn(response.status, await response.json());
  } catch {
    return { status: response.status, code: 'unknown' }; // a proxy on the way answered
  }
}

/**
 * @param {number} status
 * @param {string} document
 * @returns {Problem}
 */
function documentOf(status, document) {
  try {
    return problemIn(status, JSON.parse(document));
  } catch {
    return { status, code: 'unknown' };
  }
}

/**
 * @param {number} status
 * @param {any} document
 * @returns {Problem}
 */
function problemIn(status, { code, detail, update }) {
  return {
    status,
    code: typeof code === 'string' ? code : 'unknown',
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof update === 'number' ? { update } : {}),
  };
}
