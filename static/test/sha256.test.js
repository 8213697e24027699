import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import test from 'node:test';
import { fromHex, hex } from '../js/parts/fairness/draws.js';
import { hmac, sha256 } from '../js/parts/fairness/sha256.js';
import { random } from './random.js';

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);
/** @param {string} digits @param {number} n */
const repeated = (digits, n) => fromHex(digits.repeat(n));

test('SHA-256: the examples of FIPS 180', () => {
  for (const [message, want] of [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ]) {
    assert.equal(hex(sha256(bytes(message))), want);
  }
});

test('HMAC-SHA256: the examples of RFC 4231', () => {
  const long =
    'This is a test using a larger than block-size key and a larger than block-size data. ' +
    'The key needs to be hashed before being used by the HMAC algorithm.';
  /** @type {[Uint8Array, Uint8Array, string][]} */
  const cases = [
    [
      repeated('0b', 20), bytes('Hi There'),
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      bytes('Jefe'), bytes('what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      repeated('aa', 20), repeated('dd', 50),
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    ],
    [
      fromHex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
      repeated('cd', 50),
      '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    ],
    [
      repeated('aa', 131), bytes('Test Using Larger Than Block-Size Key - Hash Key First'),
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
    [
      repeated('aa', 131), bytes(long),
      '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    ],
  ];
  for (const [key, message, want] of cases) assert.equal(hex(hmac(key)(message)), want);
});

test('SHA-256 and HMAC equal another implementation for up to three blocks', () => {
  const { below } = random(256);
  for (let n = 0; n < 200; n++) {
    const message = Uint8Array.from({ length: n }, () => below(256));
    const key = Uint8Array.from({ length: (n * 7) % 150 }, () => below(256));
    assert.equal(hex(sha256(message)), createHash('sha256').update(message).digest('hex'));
    const mac = hmac(key);
    assert.equal(hex(mac(message)), createHmac('sha256', key).update(message).digest('hex'));
    assert.equal(
      hex(mac(key)), createHmac('sha256', key).update(key).digest('hex'), 'the same key again',
    );
  }
});
