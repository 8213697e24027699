// What sort of game each game of the shelf is (docs/guides/games.md), unless its own module says it.

const board = ["board"], cards = ["cards"], dice = ["dice"], tiles = ["tiles"], party = ["party"];

/** By the ids of games. @type {Record<string, string[]>} */
export const genres = {
  go: board, hex: board, morris: board, reversi: board, tafl: board, xiangqi: board, shogi: board,
  "fox-and-geese": board, "bagh-chal": board, mancala: board, "chinese-checkers": board, "sea-battle": board,
  backgammon: ["board", "dice"], ludo: ["board", "dice"], ur: ["board", "dice"],
  goose: ["board", "dice"],
  skat: cards, hanafuda: cards, scopa: cards, euchre: cards, tarock: cards, poker: cards, hearts: cards, spades: cards, bridge: cards, rummy: cards, durak: cards,
  solitaire: cards, cribbage: ["cards", "board"], colours: ["cards", "party"],
  yacht: dice,
  dominoes: tiles, mahjong: tiles, okey: tiles, letters: ["tiles", "board"],
  tangram: ["tiles", "tool"], map: ["board", "tool"], pairs: ["tiles", "party"], piecepack: ["tiles", "board", "tool"],
  bingo: party, werewolf: ["party", "cards"],
};
