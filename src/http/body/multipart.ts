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
  /** The other parts by name; of two with one name the first. */
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

const FIELD_BYTES_MAX = 1024 * 1024;
const FIELDS_MAX = 20;

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
  parser.on("file", (name, file, fileName) => {
    file.on("error", (error: unknown) => fail(notMultipart(error)));
    if (name !== "file" || found.fileName !== null) return void file.resume();
    found.fileName = fileName ?? "";
    taking = takeAll(file).catch(fail);
  });
  parser.on("field", (name, value, _nameCut, isCut) => {
    if (isCut) fail(tooLong(name));
    if (!fields.has(name)) fields.set(name, value);
  });
  try {
    for await (const piece of body.upload()) {
      if (found.failure !== null) throw found.failure;
      if (!parser.write(Buffer.from(piece))) await Promise.race([drained(parser), ended.promise]);
    }
    parser.end();
    await ended.promise;
    await taking;
  } finally {
    parser.destroy();
  }
  if (found.failure !== null) throw found.failure;
  if (found.fileName === null)
    throw new AppError(
      "VALIDATION_ERROR",
      "There is no part `file` in the body: send the file under this name.",
    );
  return { fileName: found.fileName, fields };
}

async function parserFor(contentType: string | null) {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": contentType ?? "" },
      limits: { fields: FIELDS_MAX, fieldSize: FIELD_BYTES_MAX, files: 1 },
    });
  } catch (error) {
    throw notMultipart(error);
  }
}

const drained = (parser: Writable): Promise<void> =>
  new Promise((resolve) => void parser.once("drain", () => resolve()));

const notMultipart = (cause: unknown): AppError =>
  new AppError(
    "VALIDATION_ERROR",
    "The body is no whole multipart/form-data: send the file as the part `file`, and options as the part `options`.",
    { cause },
  );

const tooLong = (name: string): AppError =>
  new AppError(
    "VALIDATION_ERROR",
    `The part \`${name.slice(0, 40)}\` is longer than ${FIELD_BYTES_MAX} bytes.`,
  );
