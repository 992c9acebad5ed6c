import { AppError } from "#core/errors/errors.ts";
import type { Value } from "#storage/postgres/engine/session.ts";

/** PostgreSQL counts a statement's values in 16 bits. */
const VALUES_MAX = 65_535;

/** The values of a statement's `$1`, `$2`, …, collected while it is put together from parts. */
export class StatementValues {
  readonly all: Value[] = [];
  /** How the statement names what it has: many conditions ask with the same values, such as the rules of the score. */
  readonly #names = new Map<string, string>();

  /**
   * @returns how the statement names it, with its type: `$3::text`
   * @throws AppError if there are more than a statement can have
   */
  add(value: Value, type: string): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    if (this.all.length === VALUES_MAX)
      throw new AppError(
        "VALIDATION_ERROR",
        "These rules are too long for one question to the database. Take out conditions, also of the segments that they name, or name fewer segments.",
      );
    this.all.push(value);
    const name = `$${this.all.length}::${type}`;
    this.#names.set(key, name);
    return name;
  }
}
