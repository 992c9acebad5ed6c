/** Who signs in, in the stores of an engine: members, their accounts and sessions, and what the audit log says of them. */
import { afterAll, beforeAll, beforeEach } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import type { Account, NewSession } from "#sessions/store.ts";
import type { Role } from "#users/role.ts";
import type { Engine, OpenedEngine } from "../storage/engines.ts";

export const NOW = 1_800_000_000_000;

let made = 0;
/** An id, and bytes, that no other test has. */
export const newId = (kind: string): string => `${kind}_${++made}`;
export const newBytes = (name: string): Buffer => Buffer.from(`${name} ${++made}`);

export const newKey = () =>
  ({ id: newId("key"), name: "k", prefix: "p", scope: "full", hash: newBytes("key"), createdAt: 1 }) as const;

export const newSession = (now = NOW, stays = true): NewSession => ({
  id: newId("ses"),
  hash: newBytes("session"),
  stays,
  now,
});

export const newLink = () => ({ hash: newBytes("link"), expiresAt: NOW + DAY_MS });

/** What somebody sends with a link. `known`: the account that was checked. */
export const welcome = (email: string, passwordHash: string | null, known: Account | null = null) => ({
  email,
  newUserId: newId("usr"),
  known,
  passwordHash,
  totpStep: null,
});

export const member = (email: string, role: Role) => ({ id: newId("usr"), email, role, now: NOW });

/** Call it once in a `describe`: its tests share a database, and each has a workspace of its own. */
export function peopleOn(engine: Engine) {
  let opened: OpenedEngine;
  let home = "";
  const account = async (email: string): Promise<Account> => (await opened.stores.sessions.account(email))!;
  const newWorkspace = async (): Promise<string> => {
    const id = newId("ws");
    await opened.stores.workspaces.create({ id, createdAt: NOW }, {}, newKey());
    return id;
  };

  beforeAll(async () => {
    opened = await engine.open();
  });
  beforeEach(async () => {
    home = await newWorkspace();
  });
  afterAll(() => opened.close());

  return {
    get opened() {
      return opened;
    },
    get stores() {
      return opened.stores;
    },
    /** The workspace of the test that runs. */
    get home() {
      return home;
    },
    newWorkspace,
    account,
    async join(email: string, role: Role = "editor") {
      const joined = await opened.stores.users.join(home, member(email, role), "hash");
      if (joined === "has-password") throw new Error(`${email} has a password already`);
      return joined;
    },
    /** Signs in, as whoever adds codes or a passkey has. */
    async signedIn(email: string) {
      const open = newSession();
      await opened.stores.sessions.open(await account(email), open, null, null);
      return { userId: (await account(email)).id, sessionId: open.id };
    },
    /** The entries of the audit log, the oldest first: who, what, and to what. */
    async told(workspaceId: string | null = home): Promise<string[]> {
      const entries: string[] = [];
      for await (const { who, what, target } of opened.stores.audit.entries(workspaceId))
        entries.push(`${who} ${what} ${target ?? "-"}`);
      return entries.toReversed();
    },
  };
}
