import type { Value } from "#storage/postgres/engine/session.ts";

/** The values of a statement's `$1`, `$2`, …, collected while it is put together from parts. */
export class StatementValues {
  readonly all: Value[] = [];

  /** @returns how the statement names it, with its type: `$3::text` */
  add(value: Value, type: string): string {
    this.all.push(value);
    return `$${this.all.length}::${type}`;
  }
}
