import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { isWireFilename, isWireMediaType, type Attachment } from "#mail/mime/attachment-part.ts";

/** The limit for all attachments of a request together, decoded (docs/decisions.md "Transactional send"). */
const DECODED_BYTES_MAX = 2 * 1024 * 1024;
const COUNT_MAX = 50;
const ANY_FILE = "application/octet-stream";

/**
 * Reads `attachments`: an array of `{ filename, contentType, content }`, at most 2 MiB decoded in all.
 * `content` is base64 (RFC 4648, 4: padded, without spaces or line breaks, and with zero padding bits).
 * Without a `contentType` the file is of unknown type.
 */
export function parseAttachments(value: unknown): Result<Attachment[]> {
  if (!Array.isArray(value))
    return invalid("`attachments` must be an array of { filename, contentType, content }.");
  if (value.length > COUNT_MAX)
    return invalid(`There are ${value.length} attachments; a message takes at most ${COUNT_MAX}.`);
  const attachments: Attachment[] = [];
  let bytes = 0;
  for (const entry of value as unknown[]) {
    const attachment = parseAttachment(entry);
    if (!attachment.ok) return attachment;
    bytes += attachment.value.content.length;
    if (bytes > DECODED_BYTES_MAX)
      return invalid("The attachments are larger than 2 MiB together. Send less, or a link to the file.");
    attachments.push(attachment.value);
  }
  return accept(attachments);
}

function parseAttachment(entry: unknown): Result<Attachment> {
  const { filename, contentType, content } = membersOf(entry);
  if (typeof filename !== "string" || !isWireFilename(filename.trim()))
    return invalid(
      "Every attachment needs a `filename`: one line of at most 255 bytes, without a slash or backslash.",
    );
  const name = filename.trim();
  const type = contentType ?? ANY_FILE;
  if (typeof type !== "string" || !isWireMediaType(type.trim()))
    return invalid(
      `\`contentType\` of the attachment ${quoted(name)} must be a media type of a file, like application/pdf.`,
    );
  const bytes = typeof content === "string" ? decodeBase64(content) : null;
  if (bytes === null)
    return invalid(
      `\`content\` of the attachment ${quoted(name)} must be base64, padded and without line breaks.`,
    );
  return accept({ filename: name, contentType: type.trim(), content: bytes });
}

const membersOf = (entry: unknown): { filename?: unknown; contentType?: unknown; content?: unknown } =>
  typeof entry === "object" && entry !== null ? entry : {};

/** Null if the decoded bytes, encoded again, do not give the same text. */
function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}
