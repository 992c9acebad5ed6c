/**
 * A database that was moved away still has all mail that is owed, and would send it a second time. So no server
 * starts on it, until a person takes it back.
 */

/** The error of a server or a command on it. A command would change what nobody uses, and say that it is done. */
export const movedAway = (place: string): Error =>
  new Error(
    `The data was moved to ${place}: start servers and commands there. To go on here instead, stop those servers for good and call \`postrider move --take-back\`.`,
  );

/** It may be moved only once. But a move that was interrupted at its very end may continue. */
export function checkNotMoved(movedTo: string | null, place: string): void {
  if (movedTo !== null && movedTo !== place)
    throw new Error(
      `the data was moved to ${movedTo} already: move it from there, or call \`postrider move --take-back\` first`,
    );
}

/**
 * The error for an empty place to which the data was moved before. The copy may be in use elsewhere: under another name,
 * or on the machine that has this place.
 */
export const copyGone = (place: string): Error =>
  new Error(
    `the data was moved to ${place} already, and is not there any more: a second copy would send what is owed once more. Start servers and commands on the first one. If there is none, call \`postrider move --take-back\`, and move again`,
  );

/** The error for a place that is in use: `otherwise`, unless the data came there from here. */
export const usedPlace = (movedTo: string | null, place: string, otherwise: string): Error =>
  new Error(
    movedTo === place
      ? `the data was moved to ${place} already: start servers and commands there`
      : otherwise,
  );

export const notMoved = (): Error =>
  new Error("this database was not moved away: there is nothing to take back");
