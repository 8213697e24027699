package packet

// dataFlags are the lowest bits of a Data packet's first byte (D16).
const dataFlags Kind = 0x1f
