import type { Instant } from "#core/time/clock.ts";
import type { ImageFacts } from "./image.ts";

/** An image that letters show. `token` names it in its public address. */
export type Media = ImageFacts & {
  readonly id: string;
  /** As the file was called. */
  readonly name: string;
  readonly token: string;
  readonly createdAt: Instant;
};

const EXTENSIONS: Readonly<Record<Media["type"], string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** The last part of its public address. Mail programs and proxies judge a file by the ending of its name. */
export const fileNameOf = ({ token, type }: Pick<Media, "token" | "type">): string =>
  `${token}.${EXTENSIONS[type]}`;

/** The token in such a name; null if the name is not one of ours. */
export function tokenOf(fileName: string): string | null {
  return /^([\w-]{32})\.(?:png|jpg|gif|webp)$/.exec(fileName)?.[1] ?? null;
}
