/** The real bounce mails of `fixtures/bounces`, each about a message of its own. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { readMail, type MailReading } from "#bounces/reading/read-mail.ts";
import { reportAbout } from "#bounces/report.ts";
import { present } from "#core/present.ts";
import { BOUNCES } from "../common/corpora.ts";
import { sendTo, type SentMessage } from "./reports.ts";
import type { SendingApi } from "../sending/sending.ts";
import { rowsFrom } from "../server/services.ts";

export type CorpusMail = {
  readonly file: string;
  readonly raw: Buffer;
  readonly reading: MailReading;
  /** The verdicts of people about each recipient that the mail names. */
  readonly verdicts: readonly { readonly hardbounce: boolean; readonly reason: string }[];
};

export const corpus: readonly CorpusMail[] = await Promise.all(
  Object.entries(
    JSON.parse(readFileSync(`${BOUNCES}/expected.json`, "utf8")) as Record<string, CorpusMail["verdicts"]>,
  ).map(async ([file, verdicts]) => {
    const raw = readFileSync(`${BOUNCES}/${file}`);
    return { file, raw, reading: await readMail(raw), verdicts };
  }),
);

/** A message of its own for each mail, in the same order. */
export async function messagesForCorpus(api: SendingApi, name: string): Promise<SentMessage[]> {
  const addresses = corpus.map((_, index) => `${name}-${index}@example.com`);
  const { sent } = await sendTo(api, addresses);
  return addresses.map((address) => present(sent.get(address), "message"));
}

/** By file: the status of the person whose message the mail came back for. */
export function statusesAfter(api: SendingApi, sent: readonly SentMessage[]): Record<string, string> {
  const rows = rowsFrom<{ email: string; status: string }>(api, "SELECT email, status FROM contacts");
  const statuses = new Map(rows.map(({ email, status }) => [email, status]));
  return Object.fromEntries(
    corpus.map(({ file }, index) => [
      file,
      present(statuses.get(present(sent[index], "message").email), "contact"),
    ]),
  );
}

const STATUS: Readonly<Record<string, string | undefined>> = { hard: "BOUNCED", complaint: "UNSUBSCRIBED" };

/** By file: the rule's verdict about a mail for somebody whom it does not name. */
export const ruledStatuses = (): Record<string, string> =>
  Object.fromEntries(
    corpus.map(({ file, reading }) => {
      const { reports, clues } = reading;
      const kind = clues.isAboutReport ? undefined : reportAbout(reports, "nobody@example.com")?.kind;
      return [file, STATUS[kind ?? ""] ?? "SUBSCRIBED"];
    }),
  );

const isDead = ({ verdicts }: CorpusMail): boolean => verdicts.every(({ hardbounce }) => hardbounce);
const mayBeDead = ({ verdicts }: CorpusMail): boolean => verdicts.some(({ hardbounce }) => hardbounce);

const deadIn = (mails: readonly CorpusMail[]): number =>
  mails.flatMap(({ verdicts }) => verdicts).filter(({ hardbounce }) => hardbounce).length;

/**
 * Nobody becomes BOUNCED unless the mail says that they are dead, and at most 1 in 20 dead recipients is missed. A
 * mail about several recipients of whom only some are dead decides nothing about somebody whom it does not name;
 * whether it finds the dead ones is tested in `rules/bounces/bounce-corpus.test.ts`.
 */
export function expectGoodJudgment(found: Readonly<Record<string, string>>): void {
  const isBounced = ({ file }: CorpusMail): boolean => found[file] === "BOUNCED";
  const wrong = corpus.filter((mail) => isBounced(mail) && !mayBeDead(mail));
  expect(wrong.map(({ file }) => file)).toEqual([]);
  const missed = corpus.filter((mail) => isDead(mail) && !isBounced(mail));
  console.log(`${deadIn(missed)} of ${deadIn(corpus)} missed: ${missed.map(({ file }) => file).join(" ")}`);
  expect(deadIn(corpus)).toBeGreaterThan(80);
  expect(deadIn(missed)).toBeLessThanOrEqual(deadIn(corpus) / 20);
}

/** Mails about a failure from which nothing can be decided: a person has to see them. */
export const unreadable: readonly CorpusMail[] = corpus.filter(({ reading }) => reading.reports.length === 0);
