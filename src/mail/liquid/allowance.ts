/**
 * What filling in a template may cost. It is counted in steps, not in time, so that a busy machine, or one that
 * stops for a moment, gets the same result as any other. A step is the work of liquidjs for one tag, one filter or
 * one operator: a condition in a loop may have thousands. The values that a filter reads count by their size.
 */
export type Allowance = {
  readonly stepsMax: number;
  /** Entries and characters that filters and ranges create. */
  readonly memoryMax: number;
};

/** For the event loop: few enough steps that nobody else waits. Ordinary letters need far less. */
export const LITTLE: Allowance = { stepsMax: 8_000, memoryMax: 64_000 };

/** For a thread or a command line. A letter that needs more is refused. */
export const FULL: Allowance = { stepsMax: 500_000, memoryMax: 4_000_000 };

/** Thrown if an allowance below `FULL` is too small. Nothing is wrong with the template: fill it in in a thread. */
export class NeedsThread extends Error {}

const CHARACTERS_A_STEP = 64;
/** For texts on a list: they are compared at most, which is quick. */
const ENTRY_CHARACTERS_A_STEP = 1_024;
/** The cost for filters that look up a member in each entry. */
const STEPS_AN_ENTRY = 4;
/** The cost of an entry in which nothing is looked up: it is compared, or put on a list. */
const STEPS_A_PLAIN_ENTRY = 0.25;
/** The cost of what is small: a branch, a name in a value, something that a filter is given, a character of the way to a member. */
const STEPS_A_LITTLE = 0.25;

/**
 * Counts what one rendering costs. liquidjs calls `check` before every tag, where it would otherwise check the
 * time; operators and filters call it too.
 */
export class Spending {
  #steps = 0;
  #memory = 0;

  constructor(private readonly allowance: Allowance) {}

  /** @throws NeedsThread, or an error for the author if the allowance is `FULL` */
  check(): void {
    this.#step(1);
  }

  /** Counts a member that is looked up. @throws as `check` does */
  look(): void {
    this.#step(1);
  }

  /** Counts the way to a member, which is read again for each entry of a list. @throws as `check` does */
  lookUp(list: unknown, way: string): void {
    this.#step((Array.isArray(list) ? list.length : 1) * way.length * STEPS_A_LITTLE);
  }

  /** Counts a list that is sorted: its texts are compared again and again. @throws as `check` does */
  sort(list: unknown): void {
    if (!Array.isArray(list)) return;
    const texts = (list as unknown[]).filter((entry) => typeof entry === "string");
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    this.#step((characters / CHARACTERS_A_STEP) * Math.ceil(Math.log2(texts.length + 1)));
  }

  /** Counts branches of a condition, names of a value, or what a filter is given. @throws as `check` does */
  parts(count: number): void {
    this.#step(count * STEPS_A_LITTLE);
  }

  /** Counts work of so many steps. @throws as `check` does */
  work(steps: number): void {
    this.#step(steps);
  }

  /** Counts a value that is read from end to end. @throws as `check` does */
  read(value: unknown): void {
    this.#walk(value, STEPS_AN_ENTRY);
  }

  /** Counts a value that is compared with another. @throws as `check` does */
  compare(value: unknown): void {
    this.#walk(value, STEPS_A_PLAIN_ENTRY);
  }

  /** Counts a value that becomes a list, if it is an object. @throws as `check` does */
  list(value: unknown): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    this.#step(Object.keys(value).length * STEPS_A_PLAIN_ENTRY);
  }

  /** Counts this many entries or characters that a filter creates. @throws as `check` does */
  make(count: number): void {
    if (count > 0) this.#memory += count;
    if (this.#memory > this.allowance.memoryMax) this.#refuse("its filters and ranges make too much");
  }

  #walk(value: unknown, stepsAnEntry: number): void {
    if (typeof value === "string") this.#step(value.length / CHARACTERS_A_STEP);
    if (!Array.isArray(value)) return;
    this.#step(value.length * stepsAnEntry);
    for (const entry of value as unknown[])
      if (Array.isArray(entry)) this.#walk(entry, stepsAnEntry);
      else if (typeof entry === "string") this.#step(entry.length / ENTRY_CHARACTERS_A_STEP);
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > this.allowance.stepsMax) this.#refuse("it takes more steps than a letter may");
  }

  #refuse(why: string): never {
    throw this.allowance === FULL ? new Error(why) : new NeedsThread(why);
  }
}
