// What the pictures of games on the shelf show where the table itself shows too little: cards lie in
// decks there, and tiles in the box. All are laid out by the same few hands: a fan, a row, a heap.

/** A piece of a picture. */
const at = (kind, x, y, turn = 0, face) => ({ kind, x: Math.round(x), y: Math.round(y), ...(turn ? { angle: Math.round(((turn % 360) + 360) % 360 * 100) % 36000 } : {}), ...(face ? { face } : {}) });

/** Pieces as somebody holds them, the middle one upright at (x, y): each turned by so many degrees. */
const fan = (kinds, { x = 0, y = 0, turn = 11, radius = 1900, tilt = 0, face } = {}) =>
  kinds.map((kind, i) => {
    const angle = (i - (kinds.length - 1) / 2) * turn + tilt;
    const rad = (angle * Math.PI) / 180;
    return at(kind, x + Math.sin(rad) * radius, y + (1 - Math.cos(rad)) * radius, angle, face);
  });

/** Pieces beside each other, the middle of the row at (x, y). */
const row = (kinds, { x = 0, y = 0, step = 700, down = 0, turn = 0, face } = {}) =>
  kinds.map((kind, i) => {
    const n = i - (kinds.length - 1) / 2;
    return at(kind, x + n * step, y + n * down, turn, face);
  });

const of = (suit, ...ranks) => ranks.map((rank) => `${rank} of ${suit}`);
const picture = (width, ...pieces) => ({ width, pieces: pieces.flat() });

/** A hand of five cards, or so, over the whole picture. */
const held = (...kinds) => picture(2700, fan(kinds, { y: -130, turn: 11.5, radius: 2100 }));

/** Four cards of a trick, as they lie in the middle. */
const trick = (south, west, north, east) => [
  at(north, 40, -650, -4), at(west, -500, -330, 82), at(east, 520, -300, 97), at(south, -40, -60, 5),
];

/** Solitaire: seven columns, of which each ends with an open card. */
const columns = ["4 of hearts", "Jack of spades", "7 of diamonds", "10 of clubs", "Queen of hearts", "5 of spades", "King of diamonds"];
const klondike = columns.flatMap((kind, n) => [
  ...Array.from({ length: n }, (_, i) => at("Card", (n - 3) * 700, i * 110)),
  at(kind, (n - 3) * 700, n * 110),
]);

const tiles = ["1 of bamboo", "2 of bamboo", "3 of bamboo", "5 of coins", "6 of coins", "7 of coins", "Red dragon", "Red dragon"];
const word = (text) => [...text].map((letter) => {
  const points = { E: 1, A: 1, I: 1, O: 1, N: 1, R: 1, T: 1, S: 1, L: 1, U: 1, D: 2, G: 2, H: 3, B: 3, C: 3, M: 3, P: 3, F: 4, W: 4, Y: 4, V: 5, K: 5, J: 8, X: 8, Q: 9, Z: 9 }[letter];
  return `Letter ${letter}, ${points} point${points > 1 ? "s" : ""}`;
});

/** Stones on the crossings of a board of n lines in the middle, written line by line: x and o. */
const stones = (n, ...lines) => lines.flatMap((line, y) => [...line].flatMap((stone, x) =>
  stone === "." ? [] : [at(stone === "x" ? "Black stone" : "White stone", (x - (n - 1) / 2) * 224, (y - (n - 1) / 2) * 236)]));

/** Dice that show these numbers. */
const dice = (kinds, numbers, places) => kinds.map((kind, i) => at(kind, ...places[i], numbers[i] - 1));

/** The seven pieces of the tangram in their square, its middle at (x, y). */
const square = (wood, x, y) => [
  ["large triangle", 0, -990, 225], ["large triangle", -990, 0, 135], ["medium triangle", 495, 495, 180],
  ["small triangle", 990, -495, 315], ["small triangle", 0, 495, 45], ["square", 495, 0, 315], ["parallelogram", -247, 742, 135],
].map(([name, dx, dy, turn]) => at(`${wood} ${name}`, x + dx, y + dy, turn));

/** By the ids of games. */
export const pictures = {
  hearts: held("9 of hearts", "Jack of hearts", "King of hearts", "Ace of hearts", "Queen of spades"),
  spades: picture(3500, trick("Ace of spades", "Queen of diamonds", "10 of spades", "King of diamonds"), fan(of("spades", 5, 8, "Jack", "Queen", "King"), { y: 900, turn: 9, radius: 2600 })),
  bridge: picture(3900, fan(of("hearts", "Ace", "King", "Jack", 9), { x: -1050, y: -330, turn: 10, radius: 1700, tilt: -4 }), fan(of("spades", "Ace", "Queen", 10, 4), { x: 1050, y: -330, turn: 10, radius: 1700, tilt: 4 }), fan(of("clubs", "King", "Queen", 7, 3), { x: -430, y: 620, turn: 10, radius: 1700, tilt: -2 }), fan(of("diamonds", "Ace", "Jack", 8), { x: 800, y: 620, turn: 10, radius: 1700, tilt: 3 })),
  euchre: held("Jack of spades", "Jack of clubs", "Ace of spades", "King of spades", "Queen of spades"),
  skat: held("Jack of clubs", "Jack of spades", "Jack of hearts", "Jack of diamonds", "Ace of hearts"),
  tarock: held("The fool", "Tarock 21, the mond", "Tarock 14", "King of hearts", "Tarock 1, the pagat"),
  scopa: picture(2800, row(["King of coins", "7 of coins", "Knight of cups"], { y: -420, step: 640 }), fan(["Ace of clubs", "4 of swords", "Knave of coins"], { y: 560, turn: 9, radius: 2700 })),
  durak: picture(3200, [at("9 of clubs", -730, -300, -3), at("Jack of clubs", -610, -170, 6), at("9 of diamonds", 60, -300, 2), at("Queen of diamonds", 190, -170, 9), at("6 of hearts", 1000, -240, 90)], fan(of("spades", 7, 10, "King", "Ace"), { y: 850, turn: 9, radius: 2600 })),
  rummy: picture(3200, row(of("hearts", 5, 6, 7, 8), { x: -640, y: -390, step: 260 }), row(["Queen of spades", "Queen of diamonds", "Queen of clubs"], { x: 740, y: -390, step: 260 }), fan(["2 of clubs", "3 of clubs", "4 of clubs", "King of hearts", "King of spades"], { y: 600, turn: 9, radius: 2600 })),
  poker: picture(3700, [at("Poker table", 0, 0), ...row(["10 of hearts", "Jack of hearts", "Queen of hearts", "3 of clubs", "9 of spades"], { y: -480, step: 690 }), ...fan(["King of hearts", "Ace of hearts"], { x: -120, y: 640, turn: 12, radius: 1500 }), ...[[1000, 560], [1420, 800], [1370, 330]].map(([x, y]) => at("Chips", x, y)), at("Dealer", -1200, 620)]),
  cribbage: picture(4300, [at("Board", 0, -1050)], fan(["5 of hearts", "5 of spades", "5 of diamonds", "Jack of clubs"], { x: -450, y: 720, turn: 10, radius: 2100 }), [at("5 of clubs", 1350, 740)]),
  solitaire: picture(4950, [at("Ace of spades", 0, -1050), at("2 of hearts", 700, -1050), at("Ace of clubs", 1400, -1050), at("3 of diamonds", 2100, -1050), at("Card", -2100, -1050), at("8 of hearts", -1400, -1050)], klondike),
  hanafuda: picture(2000, fan(["Crane (bright), January", "Curtain (bright), March", "Moon (bright), August", "Rain man (bright), November", "Phoenix (bright), December"], { y: -90, turn: 12, radius: 1700 })),
  colours: held("3 of leaves", "7 of flames", "Turn round of suns", "5 of drops", "Any colour and three more"),
  pairs: picture(3300, row(["Card", "Otter", "Card", "Moon"], { y: -700, step: 700 }), row(["Snail", "Card", "Butterfly", "Card"], { step: 700 }), row(["Card", "Cherries", "Card", "Otter"], { y: 700, step: 700 })),
  dominoes: picture(2500, [at("Double 6", 0, -280), at("6 and 4", -440, -280, 270), at("Double 4", -880, -280), at("6 and 3", 440, -280, 90), at("Double 3", 880, -280)], row(["5 and 2", "3 and 1", "6 and 5", "4 and 0", "Double 1"], { y: 480, step: 330 })),
  mahjong: picture(2500, row(Array(8).fill("Tile"), { y: -520, step: 285 }), row(["9 of characters", "Green dragon", "4 of bamboo", "Flower 1, plum", "2 of coins"], { y: 0, step: 300 }), row(tiles, { y: 530, step: 285 })),
  okey: picture(2600, row(["Red 4, circle", "Red 5, circle", "Red 6, circle"], { x: -620, y: -380, step: 310 }), row(["Red 11, circle", "Blue 11, triangle", "Yellow 11, diamond"], { x: 620, y: -380, step: 310 }), row(["Black 1, square", "Black 2, square", "Black 3, square", "Yellow 8, diamond", "Blue 8, triangle", "Black 8, square", "False joker"], { y: 360, step: 310 })),
  letters: picture(2700, row(word("OTTER"), { y: -430, step: 412 }), [at(word("A")[0], -824, -4), at(word("K")[0], -824, 422), at(word("U")[0], 824, -4), at(word("N")[0], 824, 422)]),
  bingo: picture(4400, [at("Card 1", -920, 40, -4), at("Card 2", 950, 90, 3), at("Ball B7", -1970, -1050), at("Ball I22", -2030, 700), at("Ball N42", 20, -1080), at("Ball G55", 2040, -300), at("Ball O70", 1950, 960)]),
  werewolf: picture(2800, fan(["Seer", "Villager", "Werewolf", "Witch", "Hunter"], { y: -150, turn: 12, radius: 2200 }), [at("Candle", -1080, 640), at("Candle", 1080, 640)]),
  go: picture(4400, [at("Board of 9 lines", 0, 0), at("Black stones", -1550, 650), at("White stones", 1550, -650)], stones(9, ".........", "..oxx....", "..oox.x..", "....ox...", "...o.ox..", "..o..ox..", "...xoox..", "..x.xx...", ".........")),
  morris: picture(7400, [at("Board for nine men", 0, 0)], [[-1680, 1680], [-1120, 1120], [-560, 560], [0, 560], [560, 560], [1680, -1680], [-2600, 1500], [-2600, 1000], [-2600, 500]].map(([x, y]) => at("Light man of nine", x, y)), [[-1680, -1680], [0, -1680], [0, -1120], [1120, -1120], [560, -560], [1120, 0], [2600, -1500], [2600, -1000]].map(([x, y]) => at("Dark man of nine", x, y))),
  yacht: picture(2900, [at("Tray", 0, 0)], dice(["First die", "Second die", "Third die", "Fourth die", "Fifth die"], [5, 5, 5, 5, 2], [[-800, -250, -12], [-230, 130, 20], [330, -320, 6], [850, 190, -25], [-620, 480, 33]])),
  tangram: picture(5400, square("Light", -1250, 0), square("Dark", 1250, 0)),
  piecepack: picture(2900, row(["Tile Ace of suns", "Tile 3 of moons", "Tile 2 of crowns", "Tile 5 of arms"], { y: -560, step: 605 }), row(["Tile 4 of arms", "Tile Null of suns", "Tile 5 of moons", "Tile 3 of crowns"], { y: 45, step: 605 }), [at("Pawn of suns", -600, 40), at("Pawn of moons", 600, -560), at("Pawn of crowns", 910, 180), at("Coin Ace of arms", -1060, 650), at("Coin 2 of moons", -700, 700), at("Die of arms", 300, 660), at("Die of suns", 700, 640), at("Coin 3 of crowns", 1080, 690)]),
};
