// What skat and euchre share: a table for four with one pack, and a set-up for another game that
// adds a second pack to it.

import { atPlaces, back52, box, button, four, hand, holds, pack, sit, template, trick, turn, won } from "./french.mjs";
import { when } from "./steps.mjs";

const second = { ...box, name: "Second pack", faces: [{ ...box.faces[0], name: "Second pack" }] };
const add = { do: "move", kind: second.name, n: 24, to: "Deck" };
const deal = (n) => ({ do: "deal", kind: "Deck", n });

/**
 * The game but for its texts. `both` is the name of the set-up with two packs, which lacks the zone
 * `beside` the deck and what is in `without`. `dealt` are steps of the game with one pack, `after`
 * are steps of both. The game with one pack is for `fewest` players.
 */
export function twoPacks({ suits, ranks, more, both, without = [], beside, disc, face, dealt, after = [], fewest = 4 }) {
  const sitting = sit(four(4300, 2950), [["Hand", 0, 0], ["Tricks won", 2130, 0]]);
  const own = atPlaces(sitting, [hand(), won()], fewest);
  const { seats, pieces } = sitting;
  const hasBoth = { of: "pieces", kind: beside.name, is: "=", n: 0 };
  return {
    table: { width: 9900, height: 7200, surface: "felt" },
    seats,
    ...(fewest < 4 ? { without: own.without(fewest) } : {}),
    setups: [{ name: both, players: [4, 4], without: [beside.name, ...without], steps: [add, { do: "shuffle", kind: "Deck" }] }],
    templates: [template],
    decks: [pack(ranks, suits)],
    kinds: [
      back52,
      box,
      second,
      ...own.kinds,
      beside,
      trick(3400, 3400),
      disc,
      button("Deal", [
        { do: "recall", kind: "Deck" },
        { do: "recall", kind: second.name },
        when(hasBoth, [add]),
        { do: "shuffle", kind: "Deck" },
        when(hasBoth, [deal(12)], dealt(deal)),
        ...after,
        { do: "pass", kind: "Dealer" },
      ], { width: 1700, height: 500 }),
      { ...turn, name: "Dealer", faces: [{ ...turn.faces[0], name: "Dealer" }] },
    ],
    pieces: [
      ...pieces,
      { kind: "Trick", x: 0, y: 0, pinned: true },
      { kind: "Deck", x: -2700, y: -650, ...holds },
      { kind: beside.name, x: -2700, y: 650, pinned: true },
      { kind: disc.name, x: 2700, y: -500, face },
      { kind: "Dealer", x: 2700, y: 500 },
      { kind: "Deal", x: -3500, y: 3050, pinned: true },
      { kind: second.name, x: 4200, y: 2800, pinned: true, holds: more, shuffled: true },
    ],
  };
}
