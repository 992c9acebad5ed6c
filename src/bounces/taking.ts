import type { Clock } from "#core/time/clock.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { areProof, effectOf } from "./effect.ts";
import type { IncomingMail, Taken, Way } from "./incoming.ts";
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

  const apply = async (message: ReportedMessage, reports: readonly Report[], way: Way): Promise<Taken> => {
    const report = reportAbout(reports, message.address);
    // A test's message counts nowhere (docs/contract.md "Bounces and complaints").
    if (report === null || message.isTest) return "unmatched";
    const { timezone } = await parts.workspaces.settings(message.workspaceId);
    const at = clock.now();
    const isNew = await bounces.apply({ ...report, message: message.number, way, at }, ({ state, strikes }) =>
      effectOf(report.kind, state, areProof(strikes, at, timezone)),
    );
    return isNew ? "applied" : "known";
  };

  /** @param owner the workspace that it is about; null if only the mailbox shows it */
  const keep = async (mail: IncomingMail, reading: MailReading, owner: string | null): Promise<Taken> => {
    const { from, subject } = reading;
    const workspaceId = owner ?? mail.workspaceId;
    const raw = mail.raw.subarray(0, MAIL_BYTES_MAX);
    const { way } = mail;
    const isNew = await bounces.keep({ workspaceId, way, from, subject, raw, receivedAt: clock.now() });
    return isNew ? "kept" : "known";
  };

  return { apply, keep };
}
