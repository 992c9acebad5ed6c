import { email, firstName, lastName, none, tags, whereFilled, type Source } from "./source.ts";

/** Beside these nobody but Mailchimp writes an address. Google's forms too have `Email Address` and `First Name`. */
const MAILCHIMPS_OWN = ["TAGS", "OPTIN_TIME", "CONFIRM_TIME", "LEID", "EUID", "MEMBER_RATING"];

/**
 * It exports one file for each state: only that of people who left has `UNSUB_TIME`, of dead addresses
 * `CLEAN_TIME`. The headers tell which file it is, whatever else was renamed: merge fields stand under labels
 * that the account chose, such as `E-Mail-Adresse`, but the system columns have no other names. Where a cell
 * is empty, somebody may have joined two of the files, so the person may be a subscriber or may have left.
 */
export const mailchimp: Source = {
  name: "mailchimp",
  title: "mailchimp",
  isWrittenBy: (headers) =>
    headers.has("UNSUB_TIME") ||
    headers.has("CLEAN_TIME") ||
    (headers.has("LEID") && headers.has("EUID")) ||
    (headers.has("Email Address") &&
      ["First Name", "Last Name", ...MAILCHIMPS_OWN].some((own) => headers.has(own))),
  optInsToIgnore: (headers) => {
    const isIts = [...MAILCHIMPS_OWN, "UNSUB_TIME", "CLEAN_TIME"].some((own) => headers.has(own));
    return () => isIts;
  },
  fields: {
    "Email Address": email,
    "First Name": firstName,
    "Last Name": lastName,
    TAGS: tags,
    OPTIN_TIME: { kind: "consentAt" },
    OPTIN_IP: { kind: "consentIp" },
    CONFIRM_TIME: { kind: "confirmedAt" },
    CONFIRM_IP: { kind: "confirmedIp" },
    ...none("LAST_CHANGED", "LEID", "EUID", "GMTOFF", "DSTOFF"),
    ...none("UNSUB_CAMPAIGN_TITLE", "UNSUB_CAMPAIGN_ID", "UNSUB_REASON", "UNSUB_REASON_OTHER"),
    ...none("CLEAN_CAMPAIGN_TITLE", "CLEAN_CAMPAIGN_ID"),
  },
  standing: [
    {
      header: /^UNSUB_TIME$/,
      isForAll: true,
      mustBeFilled: true,
      standingOf: whereFilled("UNSUBSCRIBED"),
    },
    { header: /^CLEAN_TIME$/, isForAll: true, mustBeFilled: true, standingOf: whereFilled("BOUNCED") },
  ],
};
