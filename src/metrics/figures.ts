import type { DatabaseFigures } from "#core/database-figures.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Family, Labels } from "./exposition.ts";

export function figureFamilies(figures: DatabaseFigures, now: Instant): Family[] {
  const { queue, oldestDueAt, databaseBytes, walBytes, nodes } = figures;
  return [
    gauge("postrider_queue_messages", "Messages that are owed, by what they wait for.", "state", queue),
    gauge(
      "postrider_oldest_due_work_seconds",
      "For how long the oldest due work has been waiting; 0 where none is.",
      "work",
      Object.fromEntries(
        Object.entries(oldestDueAt).map(([work, at]) => [
          work,
          at === null ? 0 : Math.max(0, now - at) / 1000,
        ]),
      ),
    ),
    plain("postrider_database_bytes", "Size of the database.", databaseBytes),
    ...(walBytes === null
      ? []
      : [plain("postrider_database_wal_bytes", "Size of its write-ahead log.", walBytes)]),
    ...(nodes === null ? [] : [plain("postrider_nodes", "Processes that send from the database.", nodes)]),
  ];
}

/** Of all workspaces. */
export const slowedDomains = (n: number): Family =>
  plain(
    "postrider_slowed_domains",
    "Domains whose mail is slowed down because they say that it comes too fast.",
    n,
  );

export const plain = (name: string, help: string, value: number, labels: Labels = {}): Family => ({
  name,
  help,
  type: "gauge",
  samples: [{ value, labels }],
});

function gauge(name: string, help: string, label: string, values: Readonly<Record<string, number>>): Family {
  const samples = Object.entries(values).map(([of, value]) => ({ labels: { [label]: of }, value }));
  return { name, help, type: "gauge", samples };
}
