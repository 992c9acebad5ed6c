/** The real bounce mails as providers would post them: their judgment, and the reply that the mail quotes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import {
  corpus,
  expectGoodJudgment,
  messagesForCorpus,
  statusesAfter,
  type CorpusMail,
} from "../support/inbound/bounce-corpus.ts";
import { CORPUS_EVENTS, quoted, type Judgment } from "../support/inbound/corpus-events.ts";
import { ALL, KEYS, post, secretOf, signedBy } from "../support/inbound/hooks.ts";
import { numberOf, startSending, type SendingApi } from "../support/sending/sending.ts";
import { amazonStandIn } from "../support/inbound/sns.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending({}, { askAmazon: amazonStandIn().ask });
  await api.services.workspaces.changeSettings(api.workspaceId, { ...KEYS, autoPause: false });
});
afterAll(() => api.stop());

/** Full mailboxes and large messages pass, whatever a provider calls them. */
const PASSES: ReadonlySet<string> = new Set(["mailboxfull", "exceedlimit", "mesgtoobig"]);

/**
 * What a provider that is often wrong would say: dead is whoever is dead, and also whose mailbox is full or whose
 * message was too large, as long as it quotes a reply that says so. Null: it posts nothing about a mail that is no failure.
 */
function judgmentOf({ verdicts, reading }: CorpusMail): Judgment | null {
  const is = (...reasons: string[]) => verdicts.every(({ reason }) => reasons.includes(reason));
  if (is("vacation", "delivered")) return null;
  if (is("feedback")) return "complaint";
  const isQuoted = reading.reports.some(({ kind }) => kind !== "delayed");
  const isDead = verdicts.every(({ hardbounce, reason }) => hardbounce || (isQuoted && PASSES.has(reason)));
  return isDead ? "hard" : "soft";
}

const messageIdOf = (raw: string): string =>
  present(/^Message-ID:\s*(<[^>]+>)/im.exec(raw)?.[1], "Message-ID");

test.each([...ALL])(
  "%s: nobody is bounced falsely, and at most 1 in 20 dead addresses is missed",
  async (provider) => {
    const sent = await messagesForCorpus(api, provider);
    const secret = await secretOf(api);
    const kept = numberOf(api, "SELECT count(*) AS n FROM bounce_reports");
    let posted = 0;
    for (const [index, mail] of corpus.entries()) {
      const judgment = judgmentOf(mail);
      if (judgment === null) continue;
      const { email, raw } = present(sent[index], "message");
      const event = CORPUS_EVENTS[provider](judgment, quoted(mail, email, messageIdOf(raw)));
      const { status, body } = await post(api, provider, signedBy(provider, event), secret);
      // Mailgun goes on trying where it says "temporary", and that is no report.
      const reports = provider === "mailgun" && judgment === "soft" ? 0 : 1;
      expect([mail.file, status, body]).toEqual([mail.file, 200, { data: { reports } }]);
      posted += reports;
    }
    const found = statusesAfter(api, sent);
    expectGoodJudgment(found);
    const complaints = corpus
      .filter((mail) => judgmentOf(mail) === "complaint")
      .map(({ file }) => found[file]);
    expect(new Set(complaints)).toEqual(new Set(["UNSUBSCRIBED"]));
    // Each is on its person's timeline.
    expect(numberOf(api, "SELECT count(*) AS n FROM bounce_reports") - kept).toBe(posted);
  },
  60_000,
);
