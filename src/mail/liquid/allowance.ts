/**
 * What filling in a template may cost, counted in steps and never in time: on a machine that is busy, or stands still for a moment, a
 * template comes to the same end as on any other. A step is what liquidjs does for one tag, one or two microseconds; what a filter
 * reads counts by its size.
 */
export type Allowance = {
  readonly stepsMax: number;
  /** Entries and characters that filters and ranges make. */
  readonly memoryMax: number;
};

/** Some milliseconds: what may be done on the event loop. Ordinary letters need a tenth of it. */
export const LITTLE: Allowance = { stepsMax: 8_000, memoryMax: 64_000 };

/** Some seconds: what may be done in a thread, or on a command line. A letter that needs more cannot be made. */
export const FULL: Allowance = { stepsMax: 500_000, memoryMax: 4_000_000 };

/** Thrown where an allowance that is not `FULL` does not do. Nothing is wrong with the template: it is to be filled in in a thread. */
export class NeedsThread extends Error {}

const CHARACTERS_A_STEP = 64;
/** Filters that look a member up in each entry take this long. */
const STEPS_AN_ENTRY = 4;

/** Counts what one rendering costs. liquidjs asks it where it would look at the clock (`check`, before every tag). */
export class Spending {
  #steps = 0;
  #memory = 0;

  constructor(private readonly allowance: Allowance) {}

  /** @throws NeedsThread, or an error for the author where the allowance is `FULL` */
  check(): void {
    this.#step(1);
  }

  /** A value is looked at from end to end. @throws as `check` does */
  read(value: unknown): void {
    if (typeof value === "string") this.#step(value.length / CHARACTERS_A_STEP);
    else if (Array.isArray(value)) this.#step(value.length * STEPS_AN_ENTRY);
  }

  /** So many entries or characters are made. @throws as `check` does */
  make(count: number): void {
    if (count > 0) this.#memory += count;
    if (this.#memory > this.allowance.memoryMax) this.#refuse("its filters and ranges make too much");
  }

  #step(count: number): void {
    this.#steps += count;
    if (this.#steps > this.allowance.stepsMax) this.#refuse("it takes more steps than a letter may");
  }

  #refuse(why: string): never {
    throw this.allowance === FULL ? new Error(why) : new NeedsThread(why);
  }
}
