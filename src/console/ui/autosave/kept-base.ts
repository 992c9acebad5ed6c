import { onThisDevice } from "./on-this-device.ts";

/**
 * What the server had in each field when somebody began to change it here, kept on this device beside the changes. Whoever
 * comes back to them can be told that somebody else has saved something there meanwhile.
 * @param name of the thing
 */
export function keptBase<T extends object>(name: string) {
  const kept = onThisDevice<T>(`${name}.base`);
  const of = (server: T, fields: readonly (keyof T)[]): Partial<T> =>
    Object.fromEntries(fields.map((field) => [field, server[field]])) as Partial<T>;
  return {
    read: kept.read,
    /** These are about to be changed here. */
    begin(server: T, fields: readonly (keyof T)[]): void {
      const before = kept.read();
      const fresh = fields.filter((field) => !Object.hasOwn(before, field));
      if (fresh.length > 0) kept.write({ ...before, ...of(server, fresh) });
    },
    /** From now on these, and no others, are changed over what the server has now. */
    settle(server: T, left: readonly (keyof T)[]): void {
      if (left.length > 0 || Object.keys(kept.read()).length > 0) kept.write(of(server, left));
    },
  };
}
