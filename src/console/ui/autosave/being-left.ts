/** Fields that are being left: what is stored is looked at, and what was typed is saved. */
const beingLeft = new Set<Promise<void>>();

/** A field is left until this has ended. */
export function isBeingLeft(leaving: Promise<void>): void {
  const ended = leaving.finally(() => beingLeft.delete(ended));
  beingLeft.add(ended);
}

/**
 * Waits until no field is being left. A click on a button leaves the field before it: what the button does with that
 * field's value must not begin before it is stored.
 */
export async function fieldsAreLeft(): Promise<void> {
  while (beingLeft.size > 0) await Promise.allSettled(beingLeft);
}
