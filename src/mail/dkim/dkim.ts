import { createHash, type KeyObject } from "node:crypto";
import { bytesOf } from "#mail/mime/ascii.ts";
import { withFieldBefore, type FinishedMessage } from "#mail/mime/finished-message.ts";
import { signInPool, type SignText } from "./rsa-signature.ts";

/**
 * Signs a message: resolves with the same message, with a DKIM-Signature before its other fields. The message that
 * was passed in must not be used any more.
 * @param unsigned fields that the signature does not cover, in lower case: the relay replaces them, and that
 * would break it
 */
export type SignMessage = (
  message: FinishedMessage,
  unsigned?: readonly string[],
) => Promise<FinishedMessage>;

export type DkimIdentity = {
  /** `d=`: a host name in A-labels. */
  readonly domain: string;
  /** `s=` */
  readonly selector: string;
  /** RSA, see `parseDkimKey`. */
  readonly privateKey: KeyObject;
};

/** The fields we sign, if the message has them. RFC 8058, section 4, requires both List-Unsubscribe fields. */
const SIGNED = [
  "from",
  "to",
  "subject",
  "date",
  "message-id",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "reply-to",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "feedback-id",
];
/**
 * Named once more than the message has them, so that adding another one breaks the signature (RFC 6376, section
 * 8.15).
 */
const OVERSIGNED = new Set([
  "from",
  "to",
  "subject",
  "date",
  "content-type",
  "list-unsubscribe",
  "list-unsubscribe-post",
]);

const LINE_WANTED = 78;

/**
 * A signer for our own messages (RFC 6376; rsa-sha256, relaxed/relaxed, no `l=`). It relies on what `checkMessage`
 * guarantees: ASCII, CRLF line ends, no field twice. The RSA operation does not run on the event loop; the work
 * there is linear in the message. The same message always gets the same signature. This is our own code because no
 * library we know does the RSA operation off the event loop.
 */
export function dkimSigner(
  { domain, selector, privateKey }: DkimIdentity,
  signText: SignText = signInPool,
): SignMessage {
  const start = ["v=1;", "a=rsa-sha256;", "c=relaxed/relaxed;", `d=${domain};`, `s=${selector};`];
  const read = fieldReader();
  const tagsFor = tagFolder(start);
  return async (message, unsigned = []) => {
    const bytes = bytesOf(message.bytes);
    const headerEnd = bytes.indexOf("\r\n\r\n");
    const fields = read(bytes.toString("latin1", 0, headerEnd));
    let signed = "";
    let names = "";
    for (const name of SIGNED) {
      if (unsigned.includes(name)) continue;
      const field = fields.get(name);
      if (field !== undefined) {
        signed += `${field}\r\n`;
        names += `${name}:`;
      }
      if (OVERSIGNED.has(name)) names += `${name}:`;
    }
    const tags = tagsFor(names, hashOf(bytes.subarray(headerEnd + 4)));
    const signature = await signText(signed + tags.relaxed, privateKey);
    const field = `${tags.folded}\r\n ${signature.replaceAll(/.{76}(?!$)/g, "$&\r\n ")}\r\n`;
    return withFieldBefore(message, field);
  };
}

/** The hash of the body's relaxed form, in base64. Most bodies already have that form. */
function hashOf(body: Buffer): string {
  const relaxed = isRelaxed(body) ? body : Buffer.from(relaxedBody(body.toString("latin1")), "latin1");
  return createHash("sha256").update(relaxed).digest("base64");
}

/**
 * Reads each field into its relaxed form, keyed by its name in lower case. Most fields are the same as in the
 * previous message, and are not read again.
 */
function fieldReader(): (header: string) => ReadonlyMap<string, string> {
  let last: readonly Field[] = [];
  return (header) => {
    const before = last;
    last = header.split(/\r\n(?![\t ])/).map((raw, index) => {
      const known = before[index];
      if (known?.raw === raw) return known;
      const relaxed = relaxedField(raw);
      return { raw, name: relaxed.slice(0, relaxed.indexOf(":")), relaxed };
    });
    return new Map(last.map(({ name, relaxed }) => [name, relaxed]));
  };
}

type Field = { readonly raw: string; readonly name: string; readonly relaxed: string };

/** RFC 6376, section 3.4.2. */
function relaxedField(field: string): string {
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replaceAll("\r\n", "");
  return `${field.slice(0, colon).trim().toLowerCase()}:${value.replace(/[\t ]+/g, " ").trim()}`;
}

/** Whether `relaxedBody` would change nothing. Checks the bytes, which costs a tenth of converting them to text. */
const isRelaxed = (body: Buffer): boolean =>
  body.length > CRLF.length &&
  !body.includes(TAB) &&
  !body.includes(TWO_BLANKS) &&
  !body.includes(BLANK_AT_END) &&
  CRLF.equals(body.subarray(-2)) &&
  !CRLF.equals(body.subarray(-4, -2));

const TAB = 0x09;
const CRLF = Buffer.from("\r\n");
const TWO_BLANKS = Buffer.from("  ");
const BLANK_AT_END = Buffer.from(" \r\n");

/** RFC 6376, section 3.4.4. */
function relaxedBody(body: string): string {
  // Single spaces, by far the most common, stay: the pattern skips them.
  const lines = body.replace(/[\t ]{2,}|\t/g, " ").replaceAll(" \r\n", "\r\n");
  let end = lines.length;
  while (end > 0 && lines.startsWith("\r\n", end - 2)) end -= 2;
  return end === 0 ? "" : `${lines.slice(0, end)}\r\n`;
}

/** The `h=` tag in pieces; a line may be folded between two of them. */
const headerListOf = (names: readonly string[]): string[] =>
  names.map((name, index) => `${index === 0 ? "h=" : ""}${name}${index === names.length - 1 ? ";" : ":"}`);

/**
 * The field up to its empty `b=`: folded, as it is written, and relaxed, as it is signed. All body hashes have the
 * same length, so messages with the same fields have the same tags around the hash.
 */
function tagFolder(start: readonly string[]): (names: string, bodyHash: string) => Tags {
  let last = { names: "", folded: ["", ""], relaxed: ["", ""] };
  return (names, bodyHash) => {
    if (names !== last.names) {
      const list = headerListOf(names.split(":").slice(0, -1));
      const folded = foldTags([...start, `bh=${SOME_HASH};`, ...list, "b="]);
      last = { names, folded: folded.split(SOME_HASH), relaxed: relaxedField(folded).split(SOME_HASH) };
    }
    return { folded: last.folded.join(bodyHash), relaxed: last.relaxed.join(bodyHash) };
  };
}

type Tags = { readonly folded: string; readonly relaxed: string };

/** No tag contains it. */
const SOME_HASH = "?".repeat(44);

/**
 * The field up to its empty `b=`, without a line end. A long domain gets a line of its own, whatever its
 * length.
 */
function foldTags(pieces: readonly string[]): string {
  let folded = "DKIM-Signature:";
  let column = folded.length;
  for (const piece of pieces) {
    const isNew = column + 1 + piece.length > LINE_WANTED;
    folded += `${isNew ? "\r\n " : " "}${piece}`;
    column = (isNew ? 1 : column + 1) + piece.length;
  }
  return folded;
}
