// The four suits: shapes of 100 by 100 around the point 0, 0, and their colours.

export const suits = {
  spades: {
    heart: 30, face: 1.15, // where the otter of the ace is, and how large
    ink: "#1b2130",
    pip: "M0-52C8-34 46-12 46 14C46 32 33 40 21 40C14 40 8 37 5 32C6 40 10 47 17 52H-17C-10 47-6 40-5 32C-8 37-14 40-21 40C-33 40-46 32-46 14C-46-12-8-34 0-52Z",
    robe: "#27365f", lining: "#e3b04b", accent: "#b8323a", fur: "#6f4a35", king: "sceptre", jack: "halberd", pattern: "lozenge",
  },
  hearts: {
    heart: -32, face: 1.3, // where the otter of the ace is, and how large
    ink: "#c4262e",
    pip: "M0 50C-10 34-48 14-48-18C-48-37-36-48-23-48C-12-48-4-41 0-31C4-41 12-48 23-48C36-48 48-37 48-18C48 14 10 34 0 50Z",
    robe: "#b5282f", lining: "#f0c35a", accent: "#27365f", fur: "#8a5a3c", king: "sword", jack: "fish", pattern: "stripe",
  },
  diamonds: {
    heart: 0, face: 0.95, // where the otter of the ace is, and how large
    ink: "#c4262e",
    pip: "M0-54C9-32 24-14 41 0C24 14 9 32 0 54C-9 32-24 14-41 0C-24-14-9-32 0-54Z",
    robe: "#d0632a", lining: "#f6d586", accent: "#7c2331", fur: "#a06d45", king: "axe", jack: "halberd", pattern: "chevron",
  },
  clubs: {
    heart: -10, face: 0.9, // where the otter of the ace is, and how large
    ink: "#1b2130",
    pip: "M0-50A23 23 0 0 1 19-14A23 23 0 1 1 6 22C7 36 11 46 18 52H-18C-11 46-7 36-6 22A23 23 0 1 1-19-14A23 23 0 0 1 0-50Z",
    robe: "#1f5c49", lining: "#e3b04b", accent: "#7c2331", fur: "#5d4236", king: "trident", jack: "fish", pattern: "dot",
  },
};
