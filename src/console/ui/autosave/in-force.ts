import type { Autosaver } from "./autosaver.ts";

type Draft = { readonly saver: Pick<Autosaver<object>, "subscribe" | "status"> };

/** Drafts that still try to save something after their screens were left, by name. */
const unsaved = new Map<string, Draft>();

/**
 * The draft of a thing. Two of them would save against each other: what is undone in one would come back from the
 * other. So whoever comes back to a thing goes on with the draft that was left, while something of it is not saved.
 * @param name of the thing
 */
export function draftInForce<D extends Draft>(name: string, make: () => D): D {
  const left = unsaved.get(name);
  if (left !== undefined) return left as D;
  const made = make();
  made.saver.subscribe(() => {
    const { isUnsaved, isSaving, error } = made.saver.status();
    // What waits for its button is read from the device again: another tab may have saved or discarded it meanwhile.
    if (isUnsaved && (isSaving || error !== null)) unsaved.set(name, made);
    else if (unsaved.get(name) === made) unsaved.delete(name);
  });
  return made;
}
