import { and, eq } from "drizzle-orm";
import type { HookTokenStore } from "#inbound/hooks/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { hookTokens } from "#storage/postgres/schema/schema.ts";

/** Removed with each new token: more than one, so that the table shrinks when fewer reports come. */
const FORGET_AT_ONCE = 10;

const FORGET = `DELETE FROM hook_tokens WHERE ctid = ANY(ARRAY(SELECT ctid FROM hook_tokens WHERE expires_at < $1
  ORDER BY expires_at LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED))`;

export function hookTokenStore({ read, write, seqOf }: PostgresDatabase): HookTokenStore {
  return {
    async isUsed(workspaceId, token) {
      const itself = and(eq(hookTokens.workspace, await seqOf(workspaceId)), eq(hookTokens.token, token));
      return (await read(({ orm }) => orm.$count(hookTokens, itself))) > 0;
    },

    async use(workspaceId, token, expiresAt, now) {
      const workspace = await seqOf(workspaceId);
      await write(async (tx) => {
        await tx.run(FORGET, [now]);
        await tx.orm.insert(hookTokens).values({ workspace, token, expiresAt }).onConflictDoNothing();
      });
    },
  };
}
