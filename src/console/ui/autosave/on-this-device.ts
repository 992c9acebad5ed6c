import { deviceMemory } from "../frame/device-memory.ts";
import type { Kept } from "./autosaver.ts";
import { isSame } from "./fields.ts";

/** Keeps nothing. */
export const NOWHERE: Kept<object> = { read: () => ({}), write: () => {} };

/**
 * What was typed and is not saved, kept on this device. Two tabs may edit the same thing: each removes only what it
 * added.
 * @param name of the thing
 */
export function onThisDevice<T>(name: string): Kept<T> {
  const key = `postrider.unsaved.${name}`;
  const read = (): Partial<T> => {
    try {
      return JSON.parse(deviceMemory.read(key) ?? "{}") as Partial<T>;
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
      deviceMemory.keep(key, Object.keys(all).length === 0 ? null : JSON.stringify(all));
    },
  };
}
