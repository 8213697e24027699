/**
 * Digests of replicas of components (docs/protocol/component.md, C20). Replicas that differ use
 * them to find the operations that the other lacks. No DOM, no state.
 *
 * @module
 */

import { DIGEST_SIZE, encodeOperation } from './wire.js';
import { compareBytes, deletions, entries, ops } from './crdtread.js';
import { sha256 } from '../fairness/sha256.js';

/** @typedef {import('./wire.js').Op} Op */
/** @typedef {import('./crdt.js').Replica} Replica */

const BUCKETS = 256;
const SUM = DIGEST_SIZE / BUCKETS;

/**
 * Computes the digest of a replica (C20). Equal replicas have equal digests.
 *
 * @param {Replica} r
 * @returns {Uint8Array<ArrayBuffer>} DIGEST_SIZE bytes
 */
export function digest(r) {
  const sums = new Uint8Array(DIGEST_SIZE);
  /** @param {Op} op @param {Uint8Array} sum */
  const put = (op, sum) => {
    const at = SUM * bucket(op);
    for (let i = 0; i < SUM; i++) sums[at + i] ^= sum[i];
  };
  for (const op of deletions(r)) put(op, sumOf(op));
  for (const entity of r.entities.keys()) {
    for (const [op, entry] of entries(r, entity)) {
      const sum = r.sums.get(entry) ?? sumOf(op);
      r.sums.set(entry, sum);
      put(op, sum);
    }
  }
  return sums;
}

/**
 * Returns the operations in the buckets in which another digest differs from that of the replica.
 * The replica with that digest may lack them (C20).
 *
 * @param {Replica} r
 * @param {Uint8Array} theirs
 * @returns {Op[]} in the order of `ops`
 */
export function differing(r, theirs) {
  const mine = digest(r);
  return ops(r).filter((op) => {
    const at = SUM * bucket(op);
    return compareBytes(mine.subarray(at, at + SUM), theirs.subarray(at, at + SUM)) !== 0;
  });
}

/** @param {Op} op */
function bucket({ entity, component }) {
  return ((entity % BUCKETS) + 37 * (component % BUCKETS)) % BUCKETS;
}

/** @param {Op} op */
function sumOf(op) {
  return sha256(encodeOperation(op)).subarray(0, SUM);
}
