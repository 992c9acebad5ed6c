import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { plainReports } from "#bounces/reading/plain-report.ts";
import { readMail } from "#bounces/reading/read-mail.ts";
import { reportAbout } from "#bounces/report.ts";
import { BOUNCES } from "../../support/common/corpora.ts";
import { costMs } from "../../support/common/cpu-time.ts";

type Verdict = { readonly hardbounce: boolean; readonly reason: string };
type Mail = {
  readonly file: string;
  readonly verdicts: readonly Verdict[];
  readonly reading: Awaited<ReturnType<typeof readMail>>;
};

const expected: Record<string, Verdict[]> = JSON.parse(readFileSync(`${BOUNCES}/expected.json`, "utf8"));
const mails: Mail[] = await Promise.all(
  Object.entries(expected).map(async ([file, verdicts]) => {
    return { file, verdicts, reading: await readMail(readFileSync(`${BOUNCES}/${file}`)) };
  }),
);

/** What the mail means for an address that it does not name: as if it had been forwarded. */
const kindOf = ({ reading }: Mail) => reportAbout(reading.reports, "")?.kind;
const ofReason = (...reasons: string[]) =>
  mails.filter(({ verdicts }) => verdicts.every(({ reason }) => reasons.includes(reason)));

/** Per recipient. The verdicts name none, so a mail never finds more than it has. */
function found({ verdicts, reading }: Mail): number {
  const hard = reading.reports.filter(({ kind }) => kind === "hard").length;
  // One report may stand for several recipients of whom it says the same.
  const isAll = hard > 0 && hard === reading.reports.length;
  const dead = verdicts.filter(({ hardbounce }) => hardbounce).length;
  return isAll ? dead : Math.min(hard, dead);
}

/**
 * Rules are written by looking at all of these mails. Which half a mail is in follows from its name alone, so both
 * halves show whether a rule fits by chance.
 */
const isFirstHalf = ({ file }: Mail): boolean => createHash("sha256").update(file).digest()[0]! % 2 === 0;

describe("284 real bounces, complaints and automatic replies", () => {
  test("all are read", () => {
    expect(mails).toHaveLength(284);
  });

  test("nobody is judged dead whom the mail does not say to be", () => {
    const wrong = mails.filter(
      (mail) => kindOf(mail) === "hard" && !mail.verdicts.some(({ hardbounce }) => hardbounce),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test("where a mail names several, an address that it does not name is judged by the softest", () => {
    const mixed = mails.filter(
      ({ verdicts, reading }) =>
        new Set(verdicts.map(({ hardbounce }) => hardbounce)).size > 1 &&
        new Set(reading.reports.map(({ kind }) => kind)).size > 1,
    );
    expect(mixed.length).toBeGreaterThan(3);
    expect(mixed.filter((mail) => kindOf(mail) === "hard")).toEqual([]);
  });

  test.each([
    ["all", () => true, Math.floor],
    ["the first half", isFirstHalf, Math.ceil],
    ["the second half", (mail: Mail) => !isFirstHalf(mail), Math.ceil],
  ])("of %s: at most 1 in 20 dead addresses is not seen", (_, isWanted, rounded) => {
    const wanted = mails.filter(isWanted);
    const dead = wanted.flatMap(({ verdicts }) => verdicts).filter(({ hardbounce }) => hardbounce).length;
    const seen = wanted.reduce((sum, mail) => sum + found(mail), 0);
    const missed = wanted.filter((mail) => {
      const hard = mail.verdicts.filter(({ hardbounce }) => hardbounce).length;
      return found(mail) < hard;
    });
    console.log(
      `${seen} of ${dead} dead addresses seen; missed: ${missed.map(({ file }) => file).join(" ")}`,
    );
    expect(dead).toBeGreaterThan(40);
    expect(dead - seen).toBeLessThanOrEqual(rounded(dead / 20));
  });

  test("complaints are complaints, and reports about signatures are none", () => {
    expect(mails.filter((mail) => kindOf(mail) === "complaint").map(({ file }) => file)).toEqual(
      expect.arrayContaining(["arf-01.eml", "arf-02.eml"]),
    );
    for (const mail of mails.filter((each) => kindOf(each) === "complaint"))
      expect(mail.verdicts.map(({ reason }) => reason)).toEqual(["feedback"]);
    const forensic = mails.filter(({ file }) => file === "arf-18.eml" || file === "arf-19.eml");
    expect(forensic.map(kindOf)).toEqual(["delivered", "delivered"]);
  });

  test("automatic replies are automatic replies, and nothing else is", () => {
    const replies = mails.filter(({ reading }) => reading.isAutoReply);
    expect(replies.map(({ file }) => file)).toEqual(ofReason("vacation").map(({ file }) => file));
  });

  test("only automatic replies, and the one report that a person forwards, may be a person's mail", () => {
    const persons = mails.filter(({ reading }) => reading.mayBePersons && !reading.isAutoReply);
    expect(persons.map(({ file }) => file)).toEqual(["lhost-sendmail-14.eml"]);
  });

  test("every mail about a failure is one, understood or not", () => {
    const unseen = mails.filter(({ reading }) => !reading.isReport && !reading.isAutoReply);
    console.log(`no report: ${unseen.map(({ file }) => file).join(" ")}`);
    expect(unseen.map(({ file }) => file)).toEqual([]);
  });
});

test("an indented line continues the one before it, quoted or not, and a long one is read in linear time", async () => {
  const report = (text: string) =>
    plainReports({ from: "mailer-daemon@a.example", subject: "Undelivered", text });
  for (const indent of [" ", "\t ", "> ", ">\t  "])
    expect(report(`ada@a.example\n550 5.1.1 No\n${indent}such user`).map(({ words }) => words)).toEqual([
      "5.1.1 No such user",
    ]);
  const long = `\n>${" ".repeat(16_000)}<ada@a.example>\n550 5.1.1 No such user`;
  expect(report(long)).toHaveLength(1);
  expect(await costMs(() => report(long))).toBeLessThan(150);
});
