import {
  AT_MESSAGE,
  AT_OPENING,
  NONE,
  PERMANENT,
  TELLING_TRANSIENT,
  TRANSIENT,
  VAGUE,
  bounced,
  dailyLimit,
  deferred,
  failed,
  full,
  greylisted,
  hostUnknown,
  relay,
  strike,
  type Row,
} from "./row.ts";

/** The fault is ours or the relay's: no address is judged. */
const RELAY_ROWS: readonly Row[] = [
  { enhanced: /^[45]\.7\.(?:26|27|30|31|32|40|509|515)$/, means: relay("config", "SENDER_UNAUTHENTICATED") },
  { text: "dailyLimit", means: dailyLimit },
  { code: PERMANENT, text: "limitReached", means: dailyLimit },
  { code: /^421$/, means: relay("rate", "SERVICE_BUSY") },
  { code: /^53[0458]$/, means: relay("config", "AUTHENTICATION") },
  { at: AT_OPENING, code: TRANSIENT, text: "rate", means: relay("rate", "THROTTLED") },
  { at: AT_OPENING, code: TRANSIENT, text: "tooFast", means: relay("rate", "THROTTLED") },
  { at: AT_OPENING, code: TRANSIENT, means: relay("down", "RELAY_UNAVAILABLE") },
  { at: ["AUTH"], code: PERMANENT, means: relay("config", "AUTHENTICATION") },
  { at: ["CONNECT"], code: /^50[0-4]$/, means: relay("config", "PROTOCOL") },
  { at: ["CONNECT"], code: PERMANENT, means: relay("block", "HOST_REFUSED") },
  { code: /^454$/, means: relay("rate", "THROTTLED") },
  { code: TRANSIENT, text: "limitReached", means: relay("rate", "RATE_LIMITED") },
  // 4.5.3: too many recipients of one message. 4.2.1: too much for one mailbox.
  {
    code: TRANSIENT,
    enhanced: /^(?!4\.(?:5\.3|2\.1)$)/,
    text: "tooFast",
    means: relay("rate", "RATE_LIMITED"),
  },
  { enhanced: /^[45]\.1\.[78]$/, means: relay("config", "SENDER_REFUSED") },
  { code: PERMANENT, text: "ours", means: relay("config", "SENDER_REFUSED") },
  { at: ["MAIL"], code: /^5/, enhanced: /^5\.(?:2\.3|3\.4)$/, means: failed("MESSAGE_TOO_LARGE") },
  { at: ["MAIL"], code: /^552$/, means: failed("MESSAGE_TOO_LARGE") },
  { at: ["RCPT"], code: PERMANENT, text: "login", means: relay("config", "AUTHENTICATION") },
  { at: ["MAIL"], code: PERMANENT, text: "blocked", means: relay("block", "SENDER_BLOCKED") },
  { at: ["MAIL"], code: PERMANENT, means: relay("config", "SENDER_REFUSED") },
];

/**
 * Replies that ask for another try. For a temporary reply, the enhanced code says more than the words: the
 * words count only if there is no code, or one that says "other". For a permanent reply, the softer of the
 * two counts: a false hard bounce cannot be undone.
 */
const SOFT_ROWS: readonly Row[] = [
  { enhanced: /^[45]\.2\.1$/, text: "rate", means: deferred("MAILBOX_BUSY") },
  { enhanced: /^4\.2\.1$/, means: deferred("MAILBOX_BUSY") },
  { enhanced: /^[45]\.4\.7$/, code: PERMANENT, means: strike("EXPIRED", "expired") },
  { text: "fullForGood", means: strike("ACCOUNT_DISABLED", "disabled") },
  { enhanced: /^[45]\.2\.2$/, means: full },
  { text: "tooLarge", code: PERMANENT, means: failed("MESSAGE_TOO_LARGE") },
  { code: TRANSIENT, enhanced: /^4\.3\.1$/, means: deferred("SYSTEM_FULL") },
  { text: "rate", means: relay("rate", "RATE_LIMITED") },
  { code: TRANSIENT, text: "greylist", means: greylisted },
  { code: TRANSIENT, enhanced: /^4\.7\.1$/, means: greylisted },
  { code: TRANSIENT, enhanced: /^4\.7\./, means: relay("rate", "RATE_LIMITED") },
  { code: TRANSIENT, enhanced: TELLING_TRANSIENT, means: deferred("TEMPORARY") },
  { text: "full", means: full },
  { text: "systemFull", means: deferred("SYSTEM_FULL") },
  { code: TRANSIENT, enhanced: NONE, text: "tryLater", means: greylisted },
  { code: TRANSIENT, means: deferred("TEMPORARY") },
  { text: "localTrouble", means: failed("REMOTE_SYSTEM") },
  { enhanced: /^4\./, means: deferred("TEMPORARY") },
];

/** Permanent replies whose enhanced code is clear enough. */
const CODE_ROWS: readonly Row[] = [
  { enhanced: /^5\.1\./, text: "blocked", means: failed("POLICY_BLOCK") },
  // Before every row that judges the recipient: "sender rejected: user unknown" is about our own address.
  { enhanced: /^(?!5\.7\.)/, text: "sender", means: relay("config", "SENDER_REFUSED") },
  { enhanced: /^(?!5\.7\.)/, text: "client", means: relay("config", "SENDER_REFUSED") },
  { enhanced: /^5\.1\.(?:1|10)$/, text: "userUnknown", means: bounced("USER_UNKNOWN") },
  // Some servers send it with any refusal. Where the words say something else, they are the softer of the two.
  { enhanced: /^5\.1\.1$/, text: "refusal", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  { enhanced: /^5\.1\.1$/, text: "relaying", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  { enhanced: /^5\.1\.1$/, text: "login", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  { enhanced: /^5\.1\.1$/, means: bounced("USER_UNKNOWN") },
  { enhanced: /^5\.1\.2$/, means: bounced("BAD_DOMAIN") },
  { enhanced: /^5\.1\.10$/, means: bounced("NO_MAIL_HERE") },
  { code: /^556$/, means: bounced("NO_MAIL_HERE") },
  { enhanced: /^5\.1\.3$/, means: failed("BAD_ADDRESS_SYNTAX") },
  { enhanced: /^5\.1\.4$/, means: failed("POLICY_BLOCK") },
  { enhanced: /^5\.1\.6$/, means: bounced("MOVED") },
  { enhanced: /^5\.2\.1$/, means: strike("ACCOUNT_DISABLED", "disabled") },
  { enhanced: /^5\.(?:2\.3|3\.4)$/, means: failed("MESSAGE_TOO_LARGE") },
  { enhanced: /^5\.4\.1$/, text: "accessDenied", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  { enhanced: /^5\.4\.(?:4|310)$/, text: "hostUnknown", means: hostUnknown },
  { enhanced: /^5\.4\./, means: deferred("NO_ROUTE") },
  { enhanced: /^5\.6\./, means: failed("CONTENT_REFUSED") },
  { enhanced: /^5\.7\.1[78]$/, means: bounced("OWNER_CHANGED") },
  { enhanced: /^5\.7\.13$/, means: strike("ACCOUNT_DISABLED", "disabled") },
  { code: /^525$/, means: strike("ACCOUNT_DISABLED", "disabled") },
  { enhanced: /^5\.7\./, at: ["RCPT"], text: "relaying", means: relay("config", "RELAYING_DENIED") },
  { enhanced: /^5\.7\./, text: "sender", means: relay("config", "SENDER_REFUSED") },
  { enhanced: /^5\.7\./, text: "blocked", means: failed("SPAM_BLOCK") },
  { enhanced: /^5\.7\./, means: failed("POLICY_BLOCK") },
];

/**
 * Permanent replies without such a code: the words decide. Before the message was sent, they can be believed.
 */
const TEXT_ROWS: readonly Row[] = [
  { at: ["RCPT"], text: "relaying", means: relay("config", "RELAYING_DENIED") },
  { text: "blocked", means: failed("SPAM_BLOCK") },
  { text: "relaying", means: failed("POLICY_BLOCK") },
  { text: "disabled", means: strike("ACCOUNT_DISABLED", "disabled") },
  { text: "noAccount", enhanced: VAGUE, means: bounced("USER_UNKNOWN") },
  { at: ["RCPT"], text: "notNamed", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  { at: ["RCPT"], text: "hostUnknown", means: hostUnknown },
  { at: ["RCPT"], text: "userUnknown", enhanced: VAGUE, means: bounced("USER_UNKNOWN") },
  { text: "userUnknown", means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
  {
    at: ["RCPT"],
    code: /^50[0-4]$|^553$/,
    text: "badSyntax",
    enhanced: NONE,
    means: failed("BAD_ADDRESS_SYNTAX"),
  },
  { enhanced: /^5\.5\./, means: relay("config", "PROTOCOL") },
  { code: /^50[0-4]$/, means: relay("config", "PROTOCOL") },
  { code: /^552$/, enhanced: NONE, at: ["RCPT"], means: full },
  { enhanced: /^5\.3\./, means: failed("REMOTE_SYSTEM") },
  { text: "refusal", means: failed("MESSAGE_REFUSED") },
  { at: AT_MESSAGE, enhanced: VAGUE, means: failed("MESSAGE_REFUSED") },
  { means: strike("UNKNOWN_PERMANENT", "unknown_permanent") },
];

/** 4xx and 5xx replies; the first match wins. The last row matches everything else. */
export const REPLY_TABLE: readonly Row[] = [...RELAY_ROWS, ...SOFT_ROWS, ...CODE_ROWS, ...TEXT_ROWS];
