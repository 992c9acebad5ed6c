import type { Stage } from "#core/smtp-reply.ts";
import { enhancedIn, judgeServerFailure } from "./judgment.ts";
import { NO_REASON } from "./proof.ts";
import { ADDRESS, storedAddress } from "./report-address.ts";
import { oneLineOf, reportAbout, type Report } from "#bounces/report.ts";
import { DAEMON } from "./server-mail.ts";

/** Typical subjects of failure reports, and first lines of those from old servers. */
const FAILED_SUBJECT =
  /undeliver|non[- ]?deliver|not (?:be )?delivered|delivery (?:status|fail|problem|error|report|has failed|notification)|fail(?:ure|ed) (?:notice|delivery|mail)|mail (?:delivery|system) (?:fail|error|problem)|returned (?:mail|to sender)|return(?:ing|ed) message|message (?:could not|not) (?:be )?(?:sent|deliver)|rejected (?:mail|message)|bounced? mail/i;
const FAILED_TEXT =
  /did not reach the following recipient|could not be (?:delivered|reached)|was not delivered to|wasn't able to deliver|unable to deliver|delivery (?:has )?failed|failed permanently|permanent(?: fatal)? error/i;

/** Words that say that delivery is still being tried. */
const DELAYED =
  /\b(?:message|delivery|mail)[\w\s-]{0,40}\bdelayed\b|will (?:keep trying|continue (?:to try|trying)|be (?:retried|attempted again))|(?:is|are) still (?:being|trying)|not yet been delivered|warning message only|do(?:es)? not need to resend|still in the queue|being retried/i;

/** Where a report's own words end and the returned mail begins. */
const RETURNED =
  /^[ \t>]{0,8}(?:[-=_*]{2,}[^\n]{0,40}(?:message|header|copy|below|original)|return-path:|received:|(?:original )?(?:message |mail )?headers? follow|included is a copy)/im;

/** The part of a line that begins with an SMTP reply or an enhanced status. */
const REPLY = /(?<![0-9.])(?:[45][0-9]{2}[ :-] ?[^0-9\s]|[45]\.[0-9]\.[0-9]{1,3}(?:[ :]|$)).*/;
const AT_DOT = /(?:end of |reply to |after )data\b|>>> (?:DATA|\.)/i;
const AT_RCPT =
  />>> ?rcpt|\[RCPT_TO\]|(?:reply to|after|response to) RCPT|RCPT TO response|does not like recipient/i;
/** A report says everything important at its beginning. */
const TEXT_MAX = 16 * 1024;
const LINES_MAX = 200;
const LINE_MAX = 1_000;

export type PlainMail = { readonly from: string; readonly subject: string; readonly text: string };

/** Whether a mail's subject says that it is about a failed mail. */
export const isFailureBySubject = ({ subject }: Pick<PlainMail, "subject">): boolean =>
  FAILED_SUBJECT.test(subject);

/** Whether a mail without a part for programs reports a failed mail. */
export function isAboutFailure({ from, subject, text: whole }: PlainMail): boolean {
  const text = whole.slice(0, TEXT_MAX);
  if (isFailureBySubject({ subject })) return true;
  return DAEMON.test(from) && [RETURNED, REPLY, FAILED_TEXT, DELAYED].some((sign) => sign.test(text));
}

/** A line of a report and its address: the one in the line, or the last one before it. */
type Line = { readonly text: string; readonly address: string | null; readonly namesIt: boolean };

/**
 * Reads a report that has only words, recipient by recipient. Lines with an SMTP reply count; if there are none,
 * all lines count. Empty: nothing is understood.
 */
export function plainReports(mail: PlainMail): Report[] {
  const text = spokenPart(mail.text.slice(0, TEXT_MAX));
  if (DELAYED.test(mail.subject) || DELAYED.test(text.slice(0, 4_000)))
    return [
      { kind: "delayed", reason: "DELAYED", status: "", words: oneLineOf(mail.subject), recipients: [] },
    ];
  const lines = linesOf(text);
  const replies = lines.flatMap((line) => {
    const reply = REPLY.exec(line.text)?.[0];
    return reply === undefined ? [] : [{ ...line, text: reply }];
  });
  // Words about an address count more than words about a host.
  const naming = replies.filter(({ namesIt }) => namesIt);
  const spoken = naming.length > 0 ? naming : replies.length > 0 ? replies : lines;
  // The words do not show at which command the other server refused. After the message itself, filters too answer
  // "user unknown".
  const stage = AT_RCPT.test(text) && !AT_DOT.test(text) ? "RCPT" : "DOT";
  const reports = spoken.map((line) => reportOf(line, stage));
  const telling = reports.filter(({ reason }) => !NO_REASON.has(reason));
  return byAddress(telling.length > 0 || replies.length === 0 ? telling : reports);
}

function reportOf({ text, address }: Line, stage: Stage): Report {
  return {
    ...judgeServerFailure("", text, stage),
    status: enhancedIn(text),
    words: oneLineOf(text),
    recipients: address === null ? [] : storedAddress(address),
  };
}

/** One report for each address, and one for all without an address. */
function byAddress(reports: readonly Report[]): Report[] {
  const addresses = new Set(reports.map(({ recipients }) => recipients[0] ?? ""));
  return [...addresses].flatMap((address) => {
    const own = reports.filter(({ recipients }) => (recipients[0] ?? "") === address);
    return reportAbout(own, address) ?? [];
  });
}

/** The text before the returned mail; all of it if it begins with the returned mail. */
function spokenPart(text: string): string {
  const at = text.search(RETURNED);
  const before = at === -1 ? text : text.slice(0, at);
  return before.trim() === "" ? text : before;
}

/** An indented line continues the line before it, unless it holds only an address. */
function linesOf(text: string): Line[] {
  let address: string | null = null;
  return text
    .replaceAll(/\n>?[ \t]+(?![ \t]|<?[^\s<>@]{1,64}@[^\s<>@]{1,253}>?:?[ \t]*(?:\n|$))/g, " ")
    .split("\n", LINES_MAX)
    .map((line) => line.slice(0, LINE_MAX).trim())
    .filter((line) => line !== "")
    .map((line) => {
      const own = ADDRESS.exec(line)?.[0] ?? null;
      address = own ?? address;
      return { text: line, address, namesIt: own !== null };
    });
}
