import type { Clock } from "#core/time/clock.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { areEnoughSoftReports, effectOf } from "./effect.ts";
import { weightiest, type IncomingMail, type Taken, type ReportWay } from "./incoming.ts";
import { MAIL_BYTES_MAX } from "#bounces/reading/mail-parts.ts";
import type { MailReading } from "#bounces/reading/read-mail.ts";
import { reportAbout, type Report } from "./report.ts";
import type { BounceStore, ReportedMessage } from "./store.ts";

/** Writes what a report means for its message, or stores a mail that could not be read. */
export function reportTaking(parts: {
  readonly bounces: Pick<BounceStore, "apply" | "keep">;
  readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
  readonly clock: Clock;
}) {
  const { bounces, clock } = parts;

  const apply = async (
    message: ReportedMessage,
    reports: readonly Report[],
    way: ReportWay,
  ): Promise<Taken> => {
    const report = reportAbout(reports, message.address);
    // A test's message counts nowhere (docs/contract.md "Bounces and complaints").
    if (report === null || message.isTest) return "unmatched";
    const { timezone } = await parts.workspaces.settings(message.workspaceId);
    const at = clock.now();
    const isNew = await bounces.apply({ ...report, message: message.number, way, at }, ({ state, strikes }) =>
      effectOf(report.kind, state, areEnoughSoftReports(strikes, at, timezone)),
    );
    return isNew ? "applied" : "known";
  };

  /** @param owners the workspaces that it is kept for; null is none of them */
  const keep = async (
    { raw: whole, way }: IncomingMail,
    { from, subject }: MailReading,
    owners: readonly (string | null)[],
  ): Promise<Taken> => {
    const raw = whole.subarray(0, MAIL_BYTES_MAX);
    const taken: Taken[] = [];
    for (const workspaceId of owners) {
      const isNew = await bounces.keep({ workspaceId, way, from, subject, raw, receivedAt: clock.now() });
      taken.push(isNew ? "kept" : "known");
    }
    return weightiest(taken);
  };

  return { apply, keep };
}
