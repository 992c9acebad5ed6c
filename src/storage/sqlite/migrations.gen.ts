// Written by scripts/gen.ts from migrations/sqlite: run `bun run gen` after adding a file there.
import m0001 from "../../../migrations/sqlite/0001_initial.sql" with { type: "text" };

export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_initial", sql: m0001 },
];
