// The colours that the dialog offers, the same as on the page where people take a seat. Their names
// are messages.

export const COLOURS = /** @type {const} */ ([
  { id: 'red', colour: 0xc0392b },
  { id: 'orange', colour: 0xd4761c },
  { id: 'gold', colour: 0xc99a12 },
  { id: 'moss', colour: 0x5f8d2f },
  { id: 'jade', colour: 0x2a8a5f },
  { id: 'teal', colour: 0x1f8a99 },
  { id: 'blue', colour: 0x2f72c4 },
  { id: 'indigo', colour: 0x5a55c9 },
  { id: 'violet', colour: 0x8a4bb8 },
  { id: 'pink', colour: 0xc24391 },
  { id: 'brown', colour: 0x8a5a3c },
  { id: 'slate', colour: 0x5d6770 },
]);
