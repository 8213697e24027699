// Steps of buttons and set-ups.

const fulfilled = "then"; // not as a key of its own: an object with that looks like a promise

/** A step that does others if a number is as the condition says. */
export const when = (condition, steps, otherwise) => ({
  do: "if", ...condition, [fulfilled]: steps, else: otherwise,
});
