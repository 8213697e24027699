/**
 * The registry of the components of a table (docs/protocol/component.md, C14) with the messages
 * that they hold. scripts/operations makes it from server/components/schema.
 * docs/protocol/vectors/components.json tests both.
 * No DOM, no state.
 *
 * This module does not check bounds: the server checks data in both directions.
 *
 * @module
 */

import { COMPONENTS } from './schema.js';

export { Component } from './component.js';
export { COMPONENTS, FORMS } from './schema.js';

/** @typedef {{text: string}} Text */
/**
 * The name is empty for a colour, or for the surface of the game.
 * @typedef {{name: string, colour?: number}} Surface
 */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {{form: number, pitch: number, x: number, y: number, snap: boolean}} Grid */
/** @typedef {{players: boolean}} Recall */
/** @typedef {{silent: boolean, days: number}} Chat */
/** @typedef {{on: boolean}} Recording */
/** Who may come and who may move (T67).
 * @typedef {{closed: boolean, frozen: boolean}} Access */
/** Where people talk. @typedef {{address: string}} Voice */
/** How many games somebody has won (T77). @typedef {{games: number}} Wins */
/** Whose consent an undo needs: 0 that of all, 1 of a host, 2 nothing is undone (T63).
 * @typedef {{consent: number}} Undo */
/** @typedef {{links: {text: string, address: string}[]}} Links */
/** @typedef {{allowed: boolean, shared: boolean}} Foreign */
/** @typedef {{nick: string, colour: number, pronoun: string, away: boolean}} Profile */
/** Only for pieces on bridges of flat form (C19). @typedef {{piece: number}} Identity */
/** @typedef {{colour: number}} Tint */
/** @typedef {{title: string, server: string, state: number, seal: string}} Door */
/** @typedef {{colour: number, width: number}} Stroke */
/**
 * The first place, then differences. Both lists have the same length.
 * @typedef {{x: number[], y: number[]}} Points
 */
/** @typedef {{seat: number}} Seat */
/** @typedef {{seat: number, x: number, y: number, time: number, word: string}} Ping */
/** @typedef {{}} Roll */
/** @typedef {{}} Shuffle */
/**
 * Without a face there is a reason (T14).
 * @typedef {{of: number, face?: number, reason: number}} RollResult
 */
/** Reason 0: it was shuffled. @typedef {{of: number, reason: number}} ShuffleResult */
/** @typedef {{x: number, y: number}} HitTest */
/** The uppermost first. @typedef {{of: number, pieces: number[]}} HitTestResult */
/** A place, if `piece` is 0. @typedef {{piece: number, x: number, y: number}} Spot */
/** @typedef {{from: Spot, to: Spot}} Measure */
/**
 * Without a distance there is a reason (T14).
 * @typedef {{of: number, distance?: number, reason: number}} MeasureResult
 */

/**
 * Returns the number of elements that a set keeps; 0 for a value (C6).
 * @param {number} component
 */
export function limitOf(component) {
  return Object.values(COMPONENTS).find((c) => c.number === component)?.set ?? 0;
}
