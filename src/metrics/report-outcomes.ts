import type { Taken } from "#bounces/incoming.ts";
import { present } from "#core/present.ts";
import type { Taking } from "#inbound/taking.ts";
import type { Family } from "./exposition.ts";

/** In the order of `Taken`, which explains them. */
const OUTCOMES: readonly Taken[] = ["applied", "known", "unmatched", "kept", "elsewhere", "ordinary"];

export type ReportOutcomes = {
  /** The same service; what becomes of each report is counted. */
  watch<T extends Taking>(reports: T): T;
  family(): Family;
};

/**
 * Reports of bounces, complaints and opt-outs, by what became of them, since this process started. Most that are
 * `unmatched` mean that the hook or the mailbox gets reports about mail of another application, or that a provider does
 * not say which mail it means: nobody else is told of these.
 */
export function reportOutcomes(): ReportOutcomes {
  const counts = new Map<Taken, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  const counted = async (taking: Promise<Taken>): Promise<Taken> => {
    const taken = await taking;
    counts.set(taken, present(counts.get(taken), "count") + 1);
    return taken;
  };
  return {
    watch: (reports) => ({
      ...reports,
      takeMail: async (mail) => await counted(reports.takeMail(mail)),
      takeReport: async (workspaceId, report, way) =>
        await counted(reports.takeReport(workspaceId, report, way)),
    }),
    family: () => ({
      name: "postrider_reports_total",
      help: "Reports of bounces, complaints and opt-outs, by what became of them, since this server started.",
      type: "counter",
      samples: [...counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    }),
  };
}
