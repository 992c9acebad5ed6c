import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { manyRows } from "#storage/sqlite/engine/writes/bulk-insert.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { webhooks } from "#storage/sqlite/schema/schema.ts";
import { messagesOfWrite } from "#storage/common/webhooks/contact-outbox.ts";
import { asksFor, type EventType } from "#webhooks/event-type.ts";

/** Makes a `nonce`, in SQL. */
export const NEW_NONCE = "lower(hex(randomblob(8)))";

const LISTENING = "SELECT seq, events FROM webhooks WHERE workspace = ? AND state IN ('ENABLED', 'HELD')";

type ListenerRow = Row<typeof webhooks, "seq" | "events">;
type Listener = { readonly webhook: number; readonly events: readonly string[] };

/** The messages for the webhooks of a transaction's workspaces. Nothing is written before `book`. */
export type Outbox = {
  /** Whether there are webhooks at all: if not, nothing needs to be compared or read for them. */
  listens(workspace: number): boolean;
  /** @param data the current JSON; read only if a webhook wants it, and then at once */
  add(workspace: number, type: EventType, at: number, data: () => string): void;
  /** How many rows `book` would write now. */
  readonly size: number;
  /** Call it in the same transaction: writes one row for each message of each webhook. */
  book(): void;
};

/**
 * The outbox of webhooks: each event is written in the transaction of its cause, as rows that `src/webhooks/job.ts`
 * delivers later. So nothing is sent that was undone, and nothing that happened is lost. In a workspace without
 * webhooks this costs one look-up per transaction.
 */
export const outboxWrites = oncePerDatabase((sqlite): (() => Outbox) => {
  const listening = sqlite.query<ListenerRow, [number]>(LISTENING);
  const insert = manyRows(
    sqlite,
    `(?, ?, ?, ?, ?, ${NEW_NONCE})`,
    (rows) =>
      `INSERT INTO webhook_deliveries (webhook, type, data, created_at, next_attempt_at, nonce) VALUES ${rows}`,
  );

  return () => {
    const listeners = new Map<number, readonly Listener[]>();
    const owed: (string | number)[][] = [];
    const listenersOf = (workspace: number): readonly Listener[] => {
      const known = listeners.get(workspace);
      if (known !== undefined) return known;
      const found = listening
        .all(workspace)
        .map(({ seq, events }) => ({ webhook: seq, events: JSON.parse(events) as string[] }));
      listeners.set(workspace, found);
      return found;
    };
    return {
      listens: (workspace) => listenersOf(workspace).length > 0,

      add(workspace, type, at, data) {
        let text: string | null = null;
        for (const { webhook, events } of listenersOf(workspace))
          if (asksFor(events, type)) owed.push([webhook, type, (text ??= data()), at, at]);
      },
      get size() {
        return owed.length;
      },
      book() {
        insert(owed, (statement, values) => void statement.run(...values));
        owed.length = 0;
      },
    };
  };
});

/** `ContactStore.rowsForWebhooks`, by the number of the workspace. */
export const rowsForWebhooks = oncePerDatabase((sqlite) => {
  const listening = sqlite.query<ListenerRow, [number]>(LISTENING);
  return (workspace: number): number =>
    messagesOfWrite(listening.all(workspace).map(({ events }) => JSON.parse(events) as string[]));
});
