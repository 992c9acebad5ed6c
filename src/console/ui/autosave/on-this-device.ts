import { deviceMemory } from "../frame/device-memory.ts";
import type { Kept } from "./autosaver.ts";
import { isSame } from "./fields.ts";

/** Keeps nothing. */
export const NOWHERE: Kept<object> = { read: () => ({}), write: () => {} };

/** Whose this page is: the person, and the workspace it shows. */
let owner = "";

/** From now on what is kept is this person's, in this workspace. Null: nobody is signed in. */
export function keptFor(whose: { readonly person: string; readonly workspace: string } | null): void {
  owner = whose === null ? "" : `${whose.person}.${whose.workspace}`;
}

/** @returns whether this page is still theirs whose it is now */
export function stillOwned(): () => boolean {
  const since = owner;
  return () => owner === since;
}

/**
 * What was typed and is not saved, kept on this device. Two tabs may edit the same thing: each removes only what it
 * added. Everybody has their own: who signs in next must not save what somebody else left, nor read it.
 * @param name of the thing
 * @param memory of the device, or of the tab
 */
export function onThisDevice<T>(name: string, memory = deviceMemory): Kept<T> {
  const key = `postrider.unsaved.${owner}.${name}`;
  const read = (): Partial<T> => {
    try {
      return JSON.parse(memory.read(key) ?? "{}") as Partial<T>;
    } catch {
      return {};
    }
  };
  let own = read();
  return {
    read,
    write(changes) {
      const before: Readonly<Record<string, unknown>> = own;
      const others = Object.entries(read()).filter(
        ([field, value]) => !Object.hasOwn(before, field) || !isSame(before[field], value),
      );
      own = changes;
      const all = { ...Object.fromEntries(others), ...changes };
      memory.keep(key, Object.keys(all).length === 0 ? null : JSON.stringify(all));
    },
  };
}
