import type { Page, PageRequest } from "#core/request/page.ts";
import type { Media } from "./media.ts";

/** Media and their bytes. Every method is one transaction. */
export type MediaStore = {
  /** Returns the existing one if the workspace has the same token already; then nothing is written. */
  insert(workspaceId: string, media: Media, content: Uint8Array): Promise<Media>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Media>>;
  /** False: no such media. */
  delete(workspaceId: string, id: string): Promise<boolean>;
  /** Of any workspace, for its public address. `number` is never used again. */
  findPublic(token: string): Promise<PublicMedia | null>;
  /** All its bytes, in pieces; null where it has been deleted. */
  content(number: number): Promise<readonly Uint8Array[] | null>;
};

export type PublicMedia = Media & { readonly number: number };
