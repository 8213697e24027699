// Reads what the server's tests have written into docs/protocol/vectors.

import { readFileSync } from 'node:fs';

/**
 * @param {string} name
 * @returns {any}
 */
export function vectors(name) {
  return JSON.parse(
    readFileSync(new URL(`../../docs/protocol/vectors/${name}.json`, import.meta.url), 'utf8'),
  );
}
