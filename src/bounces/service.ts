import type { Clock } from "#core/time/clock.ts";
import { readReturnAddress, type ReturnAddress } from "#deliveries/return-address.ts";
import { lasting, type Work } from "#work/pool.ts";
import { inTries } from "#work/tries.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { ownAddresses } from "./addressee.ts";
import { judgeFailure } from "#bounces/reading/judgment.ts";
import {
  weightiest,
  type IncomingMail,
  type ProviderReport,
  type Taken,
  type ReportWay,
} from "./incoming.ts";
import { MAIL_BYTES_MAX } from "#bounces/reading/mail-parts.ts";
import { mailTaking } from "./mail-taking.ts";
import { messageMatching } from "./matching.ts";
import { NOTHING_READ, type MailReading } from "#bounces/reading/read-mail.ts";
import { oneLineOf } from "./report.ts";
import type { BounceStore } from "./store.ts";
import { reportTaking } from "./taking.ts";

/** Mails whose reading was refused for now. */
const REFUSED_MAX = 1_000;

type Parts = {
  readonly bounces: BounceStore;
  readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
  /** Opts a message's recipient out, as its unsubscribe link does. False: there is no such message. */
  optOut(message: number, reason: string | null): Promise<boolean>;
  readonly work: Pick<Work, "run">;
  /** The secret that signs the tokens in addresses and Message-IDs. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
};

/**
 * Reports of failed mail, complaints and opt-outs, however they come in. Nothing is ever sent in answer. `takeMail`
 * and `takeReport` resolve when the effect is durable. A second call with the same mail or report changes nothing.
 * They reject only if the database fails, or a mail cannot be read for now: then it must come again.
 */
export function bounceService(parts: Parts) {
  const { secret, work, clock } = parts;
  const taking = reportTaking(parts);
  const matching = messageMatching(parts);
  const addresses = ownAddresses(parts);
  const { takeFor, takeWithoutToken } = mailTaking({ ...parts, taking, matching, addresses });

  const tries = inTries<number | bigint>({ clock, keysMax: REFUSED_MAX });
  const read = ({ raw, workspaceIds }: IncomingMail): Promise<MailReading> =>
    tries(Bun.hash(raw), async (isLast) => {
      const done = await work.run(workspaceIds?.[0] ?? "", "report", raw.subarray(0, MAIL_BYTES_MAX));
      const reading = isLast ? done : lasting(done);
      return reading.ok ? reading.value : NOTHING_READ;
    });

  return {
    async takeMail(mail: IncomingMail): Promise<Taken> {
      // A mail that is for nobody here is not read.
      if (mail.envelopeRecipients.length > 0 && !(await addresses.isForAnybody(mail.envelopeRecipients)))
        return "unmatched";
      const reading = await read(mail);
      const targets = targetsOf(secret, mail, reading);
      if (targets.length > 0) {
        const taken: Taken[] = [];
        for (const target of targets) taken.push(await takeFor(mail, reading, target));
        return weightiest(taken);
      }
      return await takeWithoutToken(mail, reading);
    },

    /** An event of a provider, for the workspace whose hook was called. It cannot affect others' messages. */
    async takeReport(workspaceId: string, report: ProviderReport, way: ReportWay): Promise<Taken> {
      const message = await matching.byEvent(workspaceId, report);
      if (message === null) return "unmatched";
      const { kind, status, diagnostic } = report;
      const words = oneLineOf(diagnostic);
      if (kind === "unsubscribe")
        return (await parts.optOut(message.number, words || null)) ? "applied" : "unmatched";
      const judgment =
        kind === "failed" ? judgeFailure(status, diagnostic) : { kind, reason: kind.toUpperCase() };
      return await taking.apply(
        message,
        [{ ...judgment, status, words: words || status, recipients: [] }],
        way,
      );
    },

    addressee: addresses.addressee,
  };
}

/** Which of our addresses a mail was sent to. */
function targetsOf(secret: Uint8Array, mail: IncomingMail, { clues }: MailReading): ReturnAddress[] {
  const named = mail.envelopeRecipients.length > 0 ? mail.envelopeRecipients : clues.deliveredTo;
  const targets = new Map<string, ReturnAddress>();
  for (const address of named) {
    const target = readReturnAddress(secret, address);
    if (target !== null) targets.set(`${target.purpose} ${target.message}`, target);
  }
  return [...targets.values()];
}
