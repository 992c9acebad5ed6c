import type { Page, PageRequest } from "#core/request/page.ts";
import type { Revision } from "#core/revision.ts";
import type { ApiKey } from "./api-key.ts";
import type { KeyScope } from "./scope.ts";

export type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: KeyScope;
  readonly hash: Uint8Array;
  readonly createdAt: number;
};

type LiveKey = {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly lastUsedAt: number | null;
};

export type KeyStore = {
  insert(workspaceId: string, key: KeyRow): Promise<void>;
  /** Newest first, including revoked ones. */
  list(workspaceId: string): Promise<ApiKey[]>;
  /** The same, a page at a time. */
  page(workspaceId: string, page: PageRequest): Promise<Page<ApiKey>>;
  /** A key that is already revoked keeps its time of revocation. Null: no such key in the workspace. */
  revoke(workspaceId: string, id: string, now: number): Promise<ApiKey | null>;
  /** The live key with this hash; null for an unknown or revoked one. */
  findLive(hash: Uint8Array): Promise<LiveKey | null>;
  /** Of revoked keys. */
  readonly revision: Revision;
  markUsed(id: string, now: number): Promise<void>;
};
