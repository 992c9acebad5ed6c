import type { Access } from "#core/request/access.ts";
import type { Clock } from "#core/time/clock.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Random } from "#core/random.ts";
import { Remembered } from "#core/remembered.ts";
import { bearerKey, keyHash, keyPrefix, keyText, type ApiKey } from "./api-key.ts";
import { checkScope, type KeyScope } from "./scope.ts";
import type { KeyRow, KeyStore } from "./store.ts";

/** `lastUsedAt` is written at the first use, then at most this often (docs/decisions.md "Keys"). */
const USE_RECORDED_EVERY_MS = 60_000;
/** More keys than are in use at once on any installation. */
const KNOWN_MAX = 1_000;

/** A live key that was looked up. `lastUsedAt` is updated with every recorded use. */
type KnownKey = { readonly id: string; readonly access: Access; lastUsedAt: number | null };

export type KeyService = ReturnType<typeof keyService>;

export function keyService(parts: { keys: KeyStore; clock: Clock; random: Random; newId: NewId }) {
  const { keys, clock, random, newId } = parts;

  /** A new key's row and its full text. The text is shown only this once. */
  const mint = (name: string, scope: KeyScope): { row: KeyRow; key: string } => {
    const key = keyText(random.bytes(32));
    const row = {
      id: newId("key"),
      name,
      prefix: keyPrefix(key),
      scope,
      hash: keyHash(key),
      createdAt: clock.now(),
    };
    return { row, key };
  };

  /** By the full text of the key. */
  const known = new Remembered<KnownKey>(KNOWN_MAX);

  const lookUp = async (key: string, revision: number): Promise<KnownKey | null> => {
    const live = await keys.findLive(keyHash(key));
    if (live === null) return null;
    const { workspaceId, id, name, scope, lastUsedAt } = live;
    const refusal: Access["refusal"] = (method, path) => checkScope(scope, method, path);
    const access: Access = { workspaceId, who: `key ${name}`, refusal };
    return known.add(key, { id, access, lastUsedAt }, revision);
  };

  /** Records the key's use and returns what it opens. */
  const accessOf = (key: KnownKey): Access => {
    const now = clock.now();
    // A time in the future was written while the clock was ahead. It is written over too: until that time nobody would
    // see whether the key is in use.
    if (key.lastUsedAt === null || Math.abs(now - key.lastUsedAt) >= USE_RECORDED_EVERY_MS) {
      key.lastUsedAt = now;
      // The request does not wait for this write, and does not fail with it.
      keys.markUsed(key.id, now).catch(() => undefined);
    }
    return key.access;
  };

  return {
    mint,

    async create(
      workspaceId: string,
      name: string,
      scope: KeyScope = "full",
    ): Promise<ApiKey & { key: string }> {
      const { row, key } = mint(name, scope);
      await keys.insert(workspaceId, row);
      const { hash: _hash, ...shown } = row;
      return { ...shown, lastUsedAt: null, revokedAt: null, key };
    },

    list: (workspaceId: string): Promise<ApiKey[]> => keys.list(workspaceId),

    page: (workspaceId: string, page: PageRequest): Promise<Page<ApiKey>> => keys.page(workspaceId, page),

    revoke: (workspaceId: string, id: string): Promise<ApiKey | null> =>
      keys.revoke(workspaceId, id, clock.now()),

    /** What an Authorization header opens, or null. Synchronous for a key that is known already. */
    authenticate(authorization: string | null): Access | null | Promise<Access | null> {
      const key = bearerKey(authorization);
      if (key === null) return null;
      const revision = keys.revision();
      const remembered = known.get(key, revision);
      if (remembered) return accessOf(remembered);
      return lookUp(key, revision).then((live) => live && accessOf(live));
    },
  };
}
