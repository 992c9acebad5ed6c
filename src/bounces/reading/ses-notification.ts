import { storedAddress } from "./report-address.ts";
import { isSofter, judgeFailure } from "./judgment.ts";
import { sesEntries, type SesEntry } from "./ses-event.ts";
import type { Report } from "#bounces/report.ts";
import { fieldsOf } from "#core/request/loose-json.ts";

/** Our messages have one recipient each; whoever wrote the text may name more. */
const RECIPIENTS_MAX = 20;

/**
 * Reads a notification of Amazon SES that an SNS topic sent by e-mail: the text is JSON, wrapped like any text,
 * with a footer. Empty for any other text.
 */
export const sesReports = (text: string): Report[] =>
  sesEntries(eventIn(text)).slice(0, RECIPIENTS_MAX).map(reportOf);

/** As in a provider's hook, a "hard" that quotes a softer reply counts as that reply. */
const reportOf = ({ kind, reason, recipient, status, diagnostic }: SesEntry): Report => ({
  ...(kind === "hard" && isSofter(status, diagnostic) ? judgeFailure(status, diagnostic) : { kind, reason }),
  status,
  words: diagnostic,
  recipients: storedAddress(recipient ?? ""),
});

/** The event in a text, alone or inside an SNS envelope. */
function eventIn(text: string): unknown {
  const start = text.indexOf("{");
  if (start === -1 || text.slice(0, start).trim() !== "") return null;
  const [json = ""] = text.slice(start).split(/\n--\n/, 1);
  const outer = parsed(json);
  const { Message: message } = fieldsOf(outer);
  return typeof message === "string" ? parsed(message) : outer;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json.slice(0, json.lastIndexOf("}") + 1).replaceAll("\n", ""));
  } catch {
    return null;
  }
}
