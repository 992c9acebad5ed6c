import { createHash, createHmac } from "node:crypto";
import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import { KeptBytes } from "#core/kept-bytes.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { storedText } from "#core/text/stored-text.ts";
import { readImage } from "./image.ts";
import type { Media } from "./media.ts";
import type { MediaStore, PublicMedia } from "./store.ts";

const BYTES_MAX = 5 * 1024 * 1024;
const NAME_CHARACTERS = 200;
const TOKEN_CHARACTERS = 32;
/** Files that were requested recently. All answers with one file share its memory. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;

/** A file that is being received. */
type Upload = {
  /** @throws AppError VALIDATION_ERROR as soon as the file is too large */
  write(piece: Uint8Array): Promise<void>;
  /**
   * Keeps the whole file. The same bytes are kept once.
   * @throws AppError VALIDATION_ERROR if it is not an image of a type that is accepted
   */
  keep(fileName: string): Promise<Media>;
};

type Parts = {
  readonly media: MediaStore;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly newId: NewId;
};

export type MediaService = ReturnType<typeof mediaService>;

export function mediaService(parts: Parts) {
  const { media } = parts;
  const contents = keptContents(media);
  return {
    receive: (workspaceId: string): Upload => receiving(parts, workspaceId),

    page: (workspaceId: string, request: PageRequest): Promise<Page<Media>> =>
      media.page(workspaceId, request),

    /** @throws AppError NOT_FOUND */
    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await media.delete(workspaceId, id))) throw notFound(`The media ${id}`);
    },

    findPublic: (token: string): Promise<PublicMedia | null> => media.findPublic(token),

    /** Its bytes; null where it was deleted meanwhile. */
    content: contents.of,
  };
}

function receiving({ media, secret, clock, newId }: Parts, workspaceId: string): Upload {
  const kept = new KeptBytes(BYTES_MAX);
  let size = 0;
  return {
    async write(piece) {
      size += piece.length;
      if (size > BYTES_MAX)
        throw new AppError(
          "VALIDATION_ERROR",
          "The file is larger than 5 MiB. Scale the image down: letters need far less.",
        );
      kept.add(piece);
    },
    async keep(fileName) {
      const file = kept.buffer();
      const facts = unwrap(readImage(file));
      const content = file.subarray(0, facts.bytes);
      const made = {
        ...facts,
        id: newId("med"),
        name: nameOf(fileName),
        token: tokenFor(secret, workspaceId, content),
        createdAt: clock.now(),
      };
      return await media.insert(workspaceId, made, content);
    },
  };
}

/**
 * Derived from the workspace and the bytes. So a file that was deleted and is uploaded again gets its old
 * address, and letters sent before show it again. The same bytes in another workspace have another address.
 */
function tokenFor(secret: Uint8Array, workspaceId: string, content: Uint8Array): string {
  const digest = createHash("sha256").update(content).digest();
  const mac = createHmac("sha256", secret).update(`media ${workspaceId} `).update(digest);
  return mac.digest("base64url").slice(0, TOKEN_CHARACTERS);
}

const nameOf = (fileName: string): string =>
  Array.from(storedText(fileName.replaceAll(/\p{Cc}/gu, " ")))
    .slice(0, NAME_CHARACTERS)
    .join("") || "image";

/**
 * Answers made of one Blob share its memory, however many slow readers there are; each answer made of bytes
 * would have a copy.
 */
function keptContents(media: Pick<MediaStore, "content">) {
  /** Least recently used first. */
  const kept = new Map<number, Blob>();
  return {
    async of({ number }: PublicMedia): Promise<Blob | null> {
      const pieces = kept.has(number) ? [] : await media.content(number);
      if (pieces === null) return null;
      const content = kept.get(number) ?? new Blob(pieces.map((piece) => new Uint8Array(piece)));
      kept.delete(number);
      kept.set(number, content);
      let bytes = 0;
      for (const { size } of kept.values()) bytes += size;
      for (const [oldest, { size }] of kept) {
        if (bytes <= KEPT_BYTES_MAX) break;
        bytes -= size;
        kept.delete(oldest);
      }
      return content;
    },
  };
}
