/**
 * What filling in a template may cost. It is counted in steps, not in time, so that a busy machine, or one that
 * stops for a moment, gets the same result as any other. A step is the work of liquidjs for one tag. The values
 * that a filter reads count by their size.
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
/** The cost for filters that look up a member in each entry. */
const STEPS_AN_ENTRY = 4;
/** The cost of an entry in which nothing is looked up: it is compared, or put on a list. */
const STEPS_A_PLAIN_ENTRY = 0.25;

/**
 * Counts what one rendering costs. liquidjs calls `check` before every tag, where it would otherwise check the
 * time.
 */
export class Spending {
  #steps = 0;
  #memory = 0;

  constructor(private readonly allowance: Allowance) {}

  /** @throws NeedsThread, or an error for the author if the allowance is `FULL` */
  check(): void {
    this.#step(1);
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
    for (const entry of value as unknown[]) if (Array.isArray(entry)) this.#walk(entry, stepsAnEntry);
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > this.allowance.stepsMax) this.#refuse("it takes more steps than a letter may");
  }

  #refuse(why: string): never {
    throw this.allowance === FULL ? new Error(why) : new NeedsThread(why);
  }
}
