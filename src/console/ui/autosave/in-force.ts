import type { Autosaver } from "./autosaver.ts";

type Draft = { readonly saver: Pick<Autosaver<object>, "subscribe" | "status"> };

/** Drafts with something that is not saved, by name. They still try to save it after their screens were left. */
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
    if (made.saver.status().isUnsaved) unsaved.set(name, made);
    else if (unsaved.get(name) === made) unsaved.delete(name);
  });
  return made;
}
