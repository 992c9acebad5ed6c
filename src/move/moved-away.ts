/**
 * A database that was moved away still has everything that is owed, and would mail it a second time. So no server
 * starts on it, until a person takes it back.
 */

/** What a start on it says. */
export const movedAway = (place: string): Error =>
  new Error(
    `The data was moved to ${place}: start the servers there. To go on here instead, stop them for good and call \`postrider move --take-back\`.`,
  );

/** It may be moved only once, but a move that was cut off at its very end goes on. */
export function checkNotMoved(movedTo: string | null, place: string): void {
  if (movedTo !== null && movedTo !== place)
    throw new Error(
      `the data was moved to ${movedTo} already: move it from there, or call \`postrider move --take-back\` first`,
    );
}

export const notMoved = (): Error =>
  new Error("this database was not moved away: there is nothing to take back");
