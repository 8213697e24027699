// The kinds of save points, as in holt.proto.

export const KINDS = { NAMED: 1, SET_UP: 2, AUTO: 3, BEFORE: 4 };
