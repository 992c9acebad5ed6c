/** The fields of a thing that is changed in several places. */

export type IsSame = (one: unknown, other: unknown) => boolean;

const ordered = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
const textOf = (value: unknown): string => JSON.stringify([value], ordered);

/** The server may give the members of an object in another order. */
export const isSame: IsSame = (one, other) => one === other || textOf(one) === textOf(other);

export const namesOf = <T extends object>(of: Partial<T>): (keyof T)[] => Object.keys(of) as (keyof T)[];

export const pick = <T extends object>(of: Partial<T>, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(of, name)).map((name) => [name, of[name]]),
  ) as Partial<T>;

export const without = <T extends object>(of: Partial<T>, names: readonly (keyof T)[]): Partial<T> =>
  pick(
    of,
    namesOf(of).filter((name) => !names.includes(name)),
  );

/**
 * Fields that were changed here and elsewhere, to different values.
 * @param base what the server had when they began to be changed here
 */
export const clashing = <T extends object>(
  base: Partial<T>,
  theirs: Partial<T>,
  mine: Partial<T>,
  same: IsSame = isSame,
): (keyof T)[] =>
  namesOf(mine).filter(
    (name) =>
      Object.hasOwn(theirs, name) && !same(base[name], theirs[name]) && !same(mine[name], theirs[name]),
  );
