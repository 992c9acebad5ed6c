import type { Kept } from "./autosaver.ts";
import { clashing, namesOf, pick, type IsSame } from "./fields.ts";

/**
 * What is known of the server's version of a thing: the last one that was loaded, and for each field that was
 * changed here what it was before. The latter is kept on this device, so that whoever comes back later can be
 * told of what somebody else has saved meanwhile.
 * @param show called with what the server has
 */
export function knownServer<T extends object>(kept: Kept<T>, isSame: IsSame, show: (server: T) => void) {
  let base: Partial<T> = kept.read();
  let server: T | undefined;
  /** What was sent last and may have been saved, although no answer came. */
  let sent: Partial<T> = {};
  const rebase = (fields: readonly (keyof T)[]): void =>
    void (base = { ...base, ...pick(server ?? {}, fields) });
  /** What was sent and is there was saved from here, and by nobody else. */
  const settleSent = (): void =>
    rebase(namesOf(sent).filter((field) => isSame(sent[field], server?.[field])));
  return {
    get: (): T | undefined => server,
    /** This was loaded. */
    see(loaded: T): void {
      server = loaded;
      settleSent();
    },
    /** This is there too by now. */
    know(values: Partial<T>): void {
      if (server === undefined) return;
      server = { ...server, ...values };
      settleSent();
      show(server);
    },
    /** From now on these are changed over what the server has now. */
    rebase,
    /** These are being sent. */
    sending: (changes: Partial<T>): void => void (sent = changes),
    hasBase: (field: keyof T): boolean => Object.hasOwn(base, field),
    /** Keeps the bases of these fields, and no others. */
    keep: (fields: readonly (keyof T)[]): void => kept.write(pick(base, fields)),
    /** Fields of these changes in which somebody else has saved something else. */
    clash: (mine: Partial<T>): (keyof T)[] =>
      server === undefined ? [] : clashing(base, server, mine, isSame),
    /** Whether nobody else has saved something in this field. */
    isAsBefore: (field: keyof T): boolean => isSame(base[field], server?.[field]),
    isBase: (field: keyof T, value: unknown): boolean => isSame(base[field], value),
    isThere: (field: keyof T, value: unknown): boolean => isSame(server?.[field], value),
  };
}
