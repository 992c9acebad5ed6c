/** What a monitor needs to know about a database. */
export type DatabaseFigures = {
  readonly queue: { readonly ready: number; readonly deferred: number; readonly held: number };
  /** When the oldest due work of each kind became due; null if there is none. */
  readonly oldestDueAt: Readonly<Record<"messages" | "campaigns" | "automations", number | null>>;
  readonly databaseBytes: number;
  /** Null: this server does not manage the log. */
  readonly walBytes: number | null;
  /** How many processes send from the database; null if there can be only one. */
  readonly nodes: number | null;
};
