// Digests of replicas of components (docs/protocol/component.md, C20). Replicas that differ use
// them to find the operations that the other lacks. The page itself asks for none: these are for
// tests, which compare its replicas with the server's.

import { DIGEST_SIZE, encodeOperation } from '../js/parts/components/wire.js';
import { compareBytes, ops } from '../js/parts/components/crdtread.js';
import { sha256 } from '../js/parts/fairness/sha256.js';

/** @typedef {import('../js/parts/components/wire.js').Op} Op */
/** @typedef {import('../js/parts/components/crdt.js').Replica} Replica */

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
  for (const op of ops(r)) {
    const sum = sha256(encodeOperation(op)).subarray(0, SUM);
    for (let i = 0; i < SUM; i++) sums[SUM * bucket(op) + i] ^= sum[i];
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
