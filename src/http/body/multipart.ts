/**
 * Reads `multipart/form-data` (RFC 7578) as it comes in: the one file in it is handed on piece by piece and
 * never kept in memory; the other parts are short texts.
 */
import type { BusboyFileStream } from "@fastify/busboy";
import type { Writable } from "node:stream";
import { AppError } from "#core/errors/errors.ts";
import type { RequestBody } from "./request-body.ts";

export type Upload = {
  /** As the client calls the file, without a directory. */
  readonly fileName: string;
  /** The other parts by name. Two `options` are refused; of others with one name, which no route reads, the first. */
  readonly fields: ReadonlyMap<string, string>;
};

/** What the file of a route is. */
export type UploadOf = {
  /** Names the body in the document. */
  readonly $id: string;
  readonly description: string;
  /** An example. `text` is all of a short file; null: it is not text, and examples name a file of the reader's. */
  readonly file: { readonly name: string; readonly type: string; readonly text: string | null };
};

/**
 * A part in one of these is not what it says. RFC 7578, section 4.7, has senders use none over HTTP, so nobody is asked to
 * read them; taken as it comes, its text would be kept as somebody's name.
 */
const isEncoded = (encoding: string): boolean => /^\s*(quoted-printable|base64)\b/.test(encoding);

const FIELD_BYTES_MAX = 1024 * 1024;
/**
 * More than any client sends: a file, options, and what the form of a page adds. Busboy's limits of fields and of
 * files pass over what is one too many in silence, and that might be `options`.
 */
const PARTS_MAX = 20;
/** In one turn of the event loop. Each part costs time, however short it is: a piece of 128 KB may be 14,000 parts. */
const WRITTEN_BYTES = 16 * 1024;

/**
 * @param take gets the pieces of the part `file`, one after the other: the next is read when it has resolved
 * @throws AppError VALIDATION_ERROR where it is no such body, or has no file; REQUEST_TIMEOUT; ClientGone; and
 * what `take` throws
 */
export async function readMultipart(
  body: RequestBody,
  contentType: string | null,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<Upload> {
  const parser = await parserFor(contentType);
  const fields = new Map<string, string>();
  const found: { fileName: string | null; failure: unknown } = { fileName: null, failure: null };
  let taking: Promise<void> = Promise.resolve();
  // After a failure nothing more is read: then the parser neither drains nor finishes.
  const ended = Promise.withResolvers<void>();
  const fail = (error: unknown): void => {
    found.failure ??= error;
    ended.resolve();
  };
  parser.on("finish", ended.resolve);
  parser.on("close", ended.resolve);
  parser.on("error", (error: unknown) => fail(error instanceof AppError ? error : notMultipart(error)));
  const takeAll = async (file: BusboyFileStream): Promise<void> => {
    for await (const piece of file as AsyncIterable<Uint8Array>) await take(piece);
  };
  parser.on("file", (name, file, fileName, encoding) => {
    file.on("error", (error: unknown) => fail(notMultipart(error)));
    if (name !== "file") return void file.resume();
    const refusal = refusalOf(name, encoding, found.fileName === null ? 0 : 1);
    if (refusal !== null) {
      fail(refusal);
      return void file.resume();
    }
    found.fileName = fileName ?? "";
    taking = takeAll(file).catch(fail);
  });
  // Busboy gives no name where a part has none, whatever its types say. What is thrown here would end the process.
  parser.on("field", (name: string | undefined, value, _nameCut, isCut, encoding) => {
    if (name === undefined) return;
    const refusal = isCut ? tooLong(name) : refusalOf(name, encoding, fields.has(name) ? 1 : 0);
    if (refusal !== null) fail(refusal);
    if (!fields.has(name)) fields.set(name, value);
  });
  parser.on("partsLimit", () => fail(invalidBody(`The body has more than ${PARTS_MAX} parts.`)));
  try {
    for await (const piece of body.upload())
      for (let from = 0; from < piece.length; from += WRITTEN_BYTES) {
        if (found.failure !== null) throw found.failure;
        const some = Buffer.from(piece.subarray(from, from + WRITTEN_BYTES));
        if (!parser.write(some)) await Promise.race([drained(parser), ended.promise]);
      }
    parser.end();
    await ended.promise;
    await taking;
  } finally {
    parser.destroy();
  }
  if (found.failure !== null) throw found.failure;
  if (found.fileName === null)
    throw invalidBody("There is no part `file` in the body: send the file under this name.");
  return { fileName: found.fileName, fields };
}

/** @param before how many parts of this name came before it */
function refusalOf(name: string, encoding: string, before: number): AppError | null {
  if (isEncoded(encoding)) return notAsItIs(name, encoding);
  if (before === 0) return null;
  if (name === "file") return invalidBody("There are two parts `file` in the body: send one file at a time.");
  return name === "options" ? invalidBody("There are two parts `options` in the body: send one.") : null;
}

async function parserFor(contentType: string | null) {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": contentType ?? "" },
      limits: { fieldSize: FIELD_BYTES_MAX, parts: PARTS_MAX },
      isPartAFile,
    });
  } catch (error) {
    throw notMultipart(error);
  }
}

/**
 * The route's names decide, not what a client adds: `FormData` calls a Blob "blob", so `options` often comes as a file,
 * and a `file` may come without a name.
 */
const isPartAFile = (
  name: string | undefined,
  type: string | undefined,
  fileName: string | undefined,
): boolean =>
  name === "file" || (name !== "options" && (fileName !== undefined || type === "application/octet-stream"));

const drained = (parser: Writable): Promise<void> =>
  new Promise((resolve) => void parser.once("drain", () => resolve()));

const invalidBody = (message: string, cause?: unknown): AppError =>
  new AppError("VALIDATION_ERROR", message, { cause });

const notMultipart = (cause: unknown): AppError =>
  invalidBody("The body is no whole multipart/form-data: send the file as its part `file`.", cause);

const tooLong = (name: string): AppError =>
  invalidBody(`The part \`${name.slice(0, 40)}\` is longer than ${FIELD_BYTES_MAX} bytes.`);

const notAsItIs = (name: string, encoding: string): AppError =>
  invalidBody(
    `The part \`${name.slice(0, 40)}\` has \`Content-Transfer-Encoding: ${encoding.trim().slice(0, 40)}\`: send it as it is, without this header.`,
  );
