/**
 * What is wrong with a part of JSON that a person wrote: a node of a flow, a rule of a segment. `path` is its place
 * (`data.amount`, `rules.all[1].op`); `message` is a whole sentence.
 */
export type Problem = { readonly path: string; readonly message: string };

/** The value of such a part, or everything that is wrong with it. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const read = <T>(value: T): Reading<T> => ({ ok: true, value });

export const unreadable = (path: string, message: string): { ok: false; problems: Problem[] } => ({
  ok: false,
  problems: [{ path, message }],
});

/** An object that is read. Only own members are looked at. */
export type Data = Readonly<Record<string, unknown>>;

/** A member that must be a non-empty string, trimmed. `path` is the place of `data`. */
export function readText(data: Data, member: string, path: string): Reading<string> {
  const value = data[member];
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? unreadable(`${path}.${member}`, `\`${member}\` is missing.`) : read(text);
}

/** All values, or all problems. */
export function readAll<T>(readings: readonly Reading<T>[]): Reading<T[]> {
  const problems = readings.flatMap((reading) => (reading.ok ? [] : reading.problems));
  return problems.length > 0
    ? { ok: false, problems }
    : read(readings.flatMap((reading) => (reading.ok ? [reading.value] : [])));
}

/** By name: how the data of one kind of node, trigger or action is read. */
export type Readers<Name extends string, T> = Readonly<Record<Name, (data: Data) => Reading<T>>>;

/** The reader for `name`, which may be any value; null where there is none. */
export function readerOf<Name extends string, T>(
  readers: Readers<Name, T>,
  name: unknown,
): Readers<Name, T>[Name] | null {
  return typeof name === "string" && Object.hasOwn(readers, name) ? readers[name as Name] : null;
}

/** The names that can be read, for a sentence: `a, b or c`. */
export function choiceOf(readers: object, shown: (name: string) => string = String): string {
  const names = Object.keys(readers).map((name) => shown(name));
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Makes another value of what was read. Problems stay. */
export const mapped = <T, U>(reading: Reading<T>, make: (value: T) => U): Reading<U> =>
  reading.ok ? read(make(reading.value)) : reading;

/** A number, or a string that is one: builders often store the text that was typed. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
