import type { Instant } from "./time/clock.ts";

/** What a monitor needs to know about a database, read at the time of the request. Storage counts, and `/metrics` shows. */
export type DatabaseFigures = {
  /**
   * Owed messages: ready to be sent now, waiting for their next attempt, or waiting for a person (`campaign
   * release`, a paused automation).
   */
  readonly queue: { readonly ready: number; readonly deferred: number; readonly held: number };
  /** For each kind of work, since when the oldest is due; null if none is. */
  readonly oldestDueAt: Readonly<Record<"messages" | "campaigns" | "automations", Instant | null>>;
  readonly databaseBytes: number;
  /** Null: the database has no write-ahead log that we look after. */
  readonly walBytes: number | null;
  /** How many processes send from the database; null where there can be only one. */
  readonly nodes: number | null;
};
