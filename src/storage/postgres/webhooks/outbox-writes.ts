import type { Soon } from "#core/time/soon.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { webhooks } from "#storage/postgres/schema/schema.ts";
import { asksFor, type EventType } from "#webhooks/event-type.ts";

type Listener = { readonly webhook: number; readonly events: readonly string[] };
type Owed = {
  readonly webhook: number;
  readonly type: EventType;
  readonly at: number;
  readonly data: string;
};

/** The messages for the webhooks of a transaction's workspaces. Nothing is written before `book`. */
export type Outbox = {
  /** Whether there are webhooks at all: if not, nothing needs to be compared or read for them. */
  listens(workspace: number): Promise<boolean>;
  /** @param data the current JSON; read only if a webhook wants it, and then at once */
  add(workspace: number, type: EventType, at: number, data: () => Soon<string>): Promise<void>;
  /** Call it in the same transaction: writes one row for each message of each webhook. */
  book(): Promise<void>;
};

const LISTENING = "SELECT seq, events FROM webhooks WHERE workspace = $1 AND state IN ('ENABLED', 'HELD')";

/** Makes a `nonce`, in SQL: 16 digits of 64 random bits, as in SQLite. */
export const NEW_NONCE = `(substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 4))`;

const INSERT = `INSERT INTO webhook_deliveries (webhook, type, data, created_at, next_attempt_at, nonce)
  SELECT webhook, type, data, at, at, ${NEW_NONCE}
  FROM unnest($1::int8[], $2::text[], $3::text[], $4::int8[]) WITH ORDINALITY AS owed (webhook, type, data, at, n) ORDER BY n`;

/**
 * The outbox of webhooks: each event is written in the transaction of its cause, as rows that `src/webhooks/job.ts`
 * delivers later. In a workspace without webhooks this costs one look-up per transaction.
 */
export function outboxWrites(tx: Session): Outbox {
  const listeners = new Map<number, Promise<readonly Listener[]>>();
  const owed: Owed[] = [];

  const find = async (workspace: number): Promise<readonly Listener[]> => {
    const found = await tx.rows<Row<typeof webhooks, "seq" | "events">>(LISTENING, [workspace]);
    return found.map(({ seq, events }) => ({ webhook: seq, events: JSON.parse(events) as string[] }));
  };
  const listenersOf = (workspace: number): Promise<readonly Listener[]> => {
    const known = listeners.get(workspace) ?? find(workspace);
    listeners.set(workspace, known);
    return known;
  };

  return {
    listens: async (workspace) => (await listenersOf(workspace)).length > 0,

    async add(workspace, type, at, data) {
      const asking = (await listenersOf(workspace)).filter(({ events }) => asksFor(events, type));
      if (asking.length === 0) return;
      const text = await data();
      for (const { webhook } of asking) owed.push({ webhook, type, at, data: text });
    },

    async book() {
      if (owed.length === 0) return;
      const rows = owed.splice(0);
      const column = <K extends keyof Owed>(name: K): Owed[K][] => rows.map((one) => one[name]);
      await tx.run(INSERT, [column("webhook"), column("type"), column("data"), column("at")]);
      tx.brings("webhook messages");
    },
  };
}
