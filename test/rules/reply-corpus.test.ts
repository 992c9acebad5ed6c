import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import PostalMime from "postal-mime";
import type { Stage } from "#core/smtp-reply.ts";
import type { Meaning } from "#deliveries/reply/meaning.ts";
import { classifyReport } from "#deliveries/reply/report.ts";
import { BOUNCES } from "../support/corpora.ts";

/** Where a bounce mail stops speaking for itself and quotes the message that bounced. */
const QUOTED =
  /^(?:-{2,} ?(?:below this line|this is a copy|original message|the header of|included is|returned|unsent)|included is a copy|return-path:)/im;

type Verdict = { readonly hardbounce: boolean; readonly reason: string };
type Report = {
  readonly status: string;
  readonly diagnostic: string;
  readonly stage: Stage;
  readonly words: string;
};
type Mail = {
  readonly file: string;
  readonly verdicts: readonly Verdict[];
  readonly reports: readonly Report[];
  readonly standard: boolean;
};

/** RFC 3464: groups of fields divided by blank lines; folded lines belong to the field above. */
function failedGroups(report: string): Map<string, string>[] {
  return report
    .replace(/\r\n/g, "\n")
    .split(/\n[ \t]*\n/)
    .map((group) => {
      const lines = group.replace(/\n[ \t]+/g, " ").split("\n");
      return new Map(
        lines.map((line) => [
          line.split(":")[0]?.trim().toLowerCase() ?? "",
          line.slice(line.indexOf(":") + 1).trim(),
        ]),
      );
    })
    .filter((fields) => fields.get("action")?.toLowerCase().startsWith("failed"));
}

const AT_DOT = />>> DATA|(?:end of |reply to |after )data/i;
const AT_RCPT = />>> RCPT|\[RCPT_TO\]|in reply to RCPT|after RCPT/i;

/** What a report without machine-readable fields says: the lines with a reply in them, each once. */
function replyLines(text: string): string[] {
  const found = text
    .replace(/\n[ \t]+/g, " ")
    .split("\n")
    .flatMap(
      (line) =>
        /(?<![0-9.])[45][0-9]{2}[ :-] ?[^0-9].*|(?<![0-9.])[45]\.[0-9]\.[0-9]{1,3} .*/.exec(line)?.[0] ?? [],
    );
  return [...new Set(found)];
}

/** The human part about one recipient; all of it when there is only one. */
function spokenAbout(human: string, recipient: string, alone: boolean): string {
  const address = recipient.replace(/^.*;\s*/, "");
  return alone ? human : (human.split("\n").find((line) => address !== "" && line.includes(address)) ?? "");
}

async function readMail(file: string, verdicts: readonly Verdict[]): Promise<Mail> {
  const source = readFileSync(`${BOUNCES}/${file}`);
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true, attachmentEncoding: "utf8" });
  const raw = source.toString("latin1").replace(/\r\n/g, "\n");
  const human = (mail.text ?? raw.slice(raw.indexOf("\n\n"))).split(QUOTED)[0] ?? "";
  const machine = mail.attachments.filter((part) => part.mimeType === "message/delivery-status");
  if (machine.length === 0) {
    const stage: Stage = AT_RCPT.test(human) && !AT_DOT.test(human) ? "RCPT" : "DOT";
    const lines = replyLines(human);
    return {
      file,
      verdicts,
      standard: false,
      reports: (lines.length > 0 ? lines : [human]).map((diagnostic) => ({
        status: "",
        diagnostic,
        stage,
        words: "",
      })),
    };
  }
  const groups = machine.flatMap((part) =>
    failedGroups(typeof part.content === "string" ? part.content : ""),
  );
  const reports = groups.map((fields) => {
    const words = spokenAbout(human, fields.get("final-recipient") ?? "", groups.length === 1);
    return {
      status: fields.get("status") ?? "",
      diagnostic: fields.get("diagnostic-code") ?? words,
      words,
      stage: AT_DOT.test(human) ? ("DOT" as const) : ("RCPT" as const),
    };
  });
  return { file, verdicts, reports, standard: true };
}

async function readCorpus(): Promise<Mail[]> {
  const expected: Record<string, Verdict[]> = JSON.parse(readFileSync(`${BOUNCES}/expected.json`, "utf8"));
  return await Promise.all(Object.entries(expected).map(([file, verdicts]) => readMail(file, verdicts)));
}

const isStrike = (meaning: Meaning): boolean =>
  meaning.kind === "failed" && meaning.strike !== null && meaning.strike !== "expired";

/** Per mail, since verdicts name no recipient: never more hard bounces than the verdicts have. */
function measure(mails: readonly Mail[]) {
  const figures = {
    mails: mails.length,
    hardExpected: 0,
    hardFound: 0,
    strikeInstead: 0,
    missed: 0,
    missedIn: [] as string[],
    falseHardIn: [] as string[],
  };
  for (const { file, verdicts, reports } of mails) {
    const meanings = reports.map(({ status, diagnostic, stage, words }) =>
      classifyReport(status, diagnostic, stage, words),
    );
    const expected = verdicts.filter((verdict) => verdict.hardbounce).length;
    const hard = Math.min(meanings.filter((meaning) => meaning.kind === "bounced").length, verdicts.length);
    const found = Math.min(hard, expected);
    const struck = Math.min(meanings.filter(isStrike).length, expected - found);
    figures.hardExpected += expected;
    figures.hardFound += found;
    figures.strikeInstead += struck;
    figures.missed += expected - found - struck;
    if (expected > found + struck) figures.missedIn.push(file);
    if (hard > expected) figures.falseHardIn.push(file);
  }
  return figures;
}

/**
 * Rules are written by looking at the first half only. The second half shows whether they also fit mails that
 * nobody looked at. The name of a mail alone decides in which half it is.
 */
const isForDevelopment = ({ file }: Mail): boolean =>
  createHash("sha256").update(file).digest()[0]! % 2 === 0;

const mails = await readCorpus();

describe("284 real bounce mails", () => {
  /** A report without `Action: failed` (delayed) never changes a contact, whatever its words. */
  const standard = mails.filter((mail) => mail.standard && mail.reports.length > 0);
  const plain = mails.filter((mail) => !mail.standard);
  const halves = (part: readonly Mail[]) => ({
    development: measure(part.filter(isForDevelopment)),
    check: measure(part.filter((mail) => !isForDevelopment(mail))),
  });
  const [byReport, byWords] = [halves(standard), halves(plain)];

  test("every mail of the corpus was read", () => {
    console.log(
      Object.entries({ "reports by RFC 3464": byReport, "reports in plain words": byWords })
        .flatMap(([name, both]) =>
          Object.entries(both).map(([half, figures]) => `${name}, ${half} half: ${JSON.stringify(figures)}`),
        )
        .join("\n"),
    );
    expect(mails.length).toBe(284);
    expect(standard.length).toBeGreaterThan(130);
  });

  describe.each(["development", "check"] as const)("%s half", (half) => {
    test("nobody is suppressed who should not be", () => {
      expect(byReport[half].falseHardIn).toEqual([]);
      expect(byWords[half].falseHardIn).toEqual([]);
    });

    /**
     * If the table asks for a strike (5.2.1, 5.4.4, doubtful words), the strike is the right answer and no
     * miss.
     */
    test("at most 5 % of the dead addresses in standard reports get neither a hard bounce nor a strike", () => {
      expect(byReport[half].hardExpected).toBeGreaterThan(15);
      expect(byReport[half].missed / byReport[half].hardExpected).toBeLessThanOrEqual(0.05);
    });
  });
});
