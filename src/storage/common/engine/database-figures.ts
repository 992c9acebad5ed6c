/** What a monitor wants to know about a database. */
export type DatabaseFigures = {
  readonly queue: { readonly ready: number; readonly deferred: number; readonly held: number };
  /** When the oldest due work of a kind became due; null where none is. */
  readonly oldestDueAt: Readonly<Record<"messages" | "campaigns" | "automations", number | null>>;
  readonly databaseBytes: number;
  /** Null: it is not ours to look after. */
  readonly walBytes: number | null;
  /** How many processes send from it; null where there can be only one. */
  readonly nodes: number | null;
};
