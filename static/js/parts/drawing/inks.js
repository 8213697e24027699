// The colours and widths of the pen. parts/drawing/words.js has a name for each id.

/** Colours beside one's own, 0xRRGGBB. */
export const INKS = [
  { id: 'black', colour: 0x1d1a18 },
  { id: 'white', colour: 0xfaf6ee },
  { id: 'red', colour: 0xd8343f },
  { id: 'yellow', colour: 0xf4cf2c },
  { id: 'green', colour: 0x37a85a },
  { id: 'blue', colour: 0x2f73dd },
];

/** Widths in table units. */
export const SIZES = [
  { id: 'fine', width: 25 },
  { id: 'medium', width: 60 },
  { id: 'broad', width: 150 },
];
