import { wordsOf } from "#deliveries/reply/text.ts";

/**
 * Words that prove nothing in a relay's own reply, because the relay will try again. In a report they do, because
 * then every server has given up. The patterns match lower-case text without addresses (`wordsOf`).
 */
type Proof = {
  /** The reason that a relay's reply with the same words gets (`deliveries/reply/table.ts`). */
  readonly reason: string;
  readonly status?: RegExp;
  readonly words?: RegExp;
  readonly means: string;
};

const NOBODY =
  /(?:user|recipient|mailbox|alias) unknown|(?:unknown|no such|invalid) (?:user|recipient|mailbox)/;

const PROOFS: readonly Proof[] = [
  // RFC 7505. Postfix says it without its code.
  { reason: "HOST_UNKNOWN", status: /^(?!4)/, words: /null ?mx/, means: "NO_MAIL_HERE" },
  // The domain does not exist. If only the name service did not answer, the words say "try again".
  { reason: "HOST_UNKNOWN", status: /^(?!4)/, words: /^(?!.*try again)/, means: "BAD_DOMAIN" },
  // Servers send 5.2.1 for any trouble with a mailbox: the words say which.
  { reason: "ACCOUNT_DISABLED", status: /^5\.2\.1$/, words: NOBODY, means: "USER_UNKNOWN" },
  // Every 5.1.x is about the address (RFC 3463, 3.2); Microsoft has its own numbers above 100.
  { reason: "UNKNOWN_PERMANENT", status: /^5\.1\./, words: NOBODY, means: "USER_UNKNOWN" },
  // Exchange Online refuses an address that is not in its directory in this way.
  {
    reason: "UNKNOWN_PERMANENT",
    status: /^5\.4\.1$/,
    words: /address rejected: access denied\.? (?:as 201806281|.{0,80}protection\.outlook\.com)/,
    means: "USER_UNKNOWN",
  },
  // Refused as a recipient without another reason: refusals by policy name the policy.
  {
    reason: "UNKNOWN_PERMANENT",
    words: /^(?:smtp; )?55[0-9] recipient address rejected\.?$/,
    means: "USER_UNKNOWN",
  },
  // Some servers answer 4.1.1 for days, and never take the mail.
  { reason: "TEMPORARY", status: /^4\.1\.1$/, words: NOBODY, means: "USER_UNKNOWN" },
  // RFC 7505. sendmail adds the code of a sender without MX.
  { reason: "SENDER_UNAUTHENTICATED", words: /host does not accept mail/, means: "NO_MAIL_HERE" },
  // A gateway's general 5.7.1 around a plain reply of the server behind it, which has no code of its own.
  {
    reason: "POLICY_BLOCK",
    status: /^5\.7\.1$/,
    words: /^(?:smtp; )?55[0-9] (?!5\.7)(?:unknown|no such|invalid) (?:user|recipient|mailbox)/,
    means: "USER_UNKNOWN",
  },
];

/** Phrases of some servers, also in other languages, for an unknown address; they may be anywhere. */
const CLEAR =
  /recipient name is not recognized|not listed in (?:the )?[\w ]{0,20}directory|(?:wasn.t|couldn.t be|could not be|was not) found(?: at the destination domain| in the directory|\. check)|(?:benutzer|empf.nger|adresse) (?:ist )?unbekannt|unbekannter? (?:benutzer|empf.nger)|(?:utilisateur|destinataire|adresse) inconnue?|adresse destinataire invalide|(?:usuario|destinatario) (?:desconocido|inexistente|no existe)|(?:utente|destinatario) sconosciuto|(?:usu.rio|destinat.rio) desconhecido|(?:пользователь|адресат|ящик) не (?:найден|существует)|нет такого (?:пользователя|адреса)|(?:ユーザー?|宛先|アドレス|ディレクトリ).{0,20}(?:見つかりません|存在しません|不明)|(?:用户|邮箱|收件人|帐号)不存在/;

/** `550 : user unknown`: only filters refuse without naming the address. */
const NAMES_NOBODY = /\b55[0-9]:? (?:<>)?:/;

/** The reason that the words of a report prove although its codes do not; null if they prove nothing. */
export function provenBy(reason: string, status: string, text: string): string | null {
  if (NAMES_NOBODY.test(text)) return null;
  const words = wordsOf(text);
  const proof = PROOFS.find(
    (row) => row.reason === reason && (row.status?.test(status) ?? true) && (row.words?.test(words) ?? true),
  );
  if (proof !== undefined) return proof.means;
  return NO_REASON.has(reason) && CLEAR.test(words) ? "USER_UNKNOWN" : null;
}

/** Reasons that say only that something failed. */
export const NO_REASON: ReadonlySet<string> = new Set([
  "UNKNOWN_PERMANENT",
  "MESSAGE_REFUSED",
  "PROTOCOL",
  "UNREADABLE_REPORT",
]);
