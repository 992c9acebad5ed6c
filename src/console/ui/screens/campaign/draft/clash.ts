import type { Draft } from "./draft-fields.ts";

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What was changed elsewhere since `before`. A body that was not loaded counts as unchanged. */
export const changedElsewhere = (before: Draft, theirs: Partial<Draft>): (keyof Draft)[] =>
  (Object.keys(theirs) as (keyof Draft)[]).filter((name) => !same(before[name], theirs[name]));

/** Fields that were changed here and elsewhere, to different values. */
export const clashing = (before: Draft, theirs: Partial<Draft>, mine: Partial<Draft>): (keyof Draft)[] =>
  changedElsewhere(before, theirs).filter(
    (name) => Object.hasOwn(mine, name) && !same(mine[name], theirs[name]),
  );

/** Not saved, because that would overwrite what somebody else, or another tab, has written meanwhile. */
export class Clash extends Error {
  override readonly name = "Clash";
  readonly fields: readonly (keyof Draft)[];
  readonly theirs: Partial<Draft>;
  constructor(message: string, fields: readonly (keyof Draft)[], theirs: Partial<Draft>) {
    super(message);
    this.fields = fields;
    this.theirs = theirs;
  }
}

export const without = (changes: Partial<Draft>, names: readonly (keyof Draft)[]): Partial<Draft> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => !names.some((one) => one === name)));
