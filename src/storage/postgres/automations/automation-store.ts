import type { AutomationStore } from "#automations/store.ts";
import { accept } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { releaseMail } from "./automation-holds.ts";
import { automationPage, enrollmentPage } from "./automation-pages.ts";
import {
  findAutomation,
  flowOf,
  holdAutomation,
  knownListsOf,
  nodeFiguresOf,
  troublesOf,
  waitingMailOf,
} from "./automation-reads.ts";
import { changeAutomation, insertAutomation, removeAutomation } from "./automation-writes.ts";

export function automationStore(database: PostgresDatabase): AutomationStore {
  return { ...reads(database), ...writes(database) };
}

type Writes = Pick<AutomationStore, "insert" | "change" | "release" | "delete">;

function reads({ read, seqOf }: PostgresDatabase): Omit<AutomationStore, keyof Writes> {
  /** What `look` finds for an automation; null if the workspace has no such automation. */
  const ofOne = async <T>(
    workspaceId: string,
    id: string,
    look: (session: Session, automation: number, workspace: number) => Promise<T>,
  ): Promise<T | null> => {
    const workspace = await seqOf(workspaceId);
    return await read(async (session) => {
      const found = await findAutomation(session, workspace, id);
      return found && (await look(session, found.seq, workspace));
    });
  };

  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return (await read((session) => findAutomation(session, workspace, id)))?.automation ?? null;
    },

    flow: (workspaceId, id) => ofOne(workspaceId, id, flowOf),
    nodeFigures: (workspaceId, id) => ofOne(workspaceId, id, nodeFiguresOf),
    troubles: async (workspaceId, id) => (await ofOne(workspaceId, id, troublesOf)) ?? [],
    waitingMail: async (workspaceId, id) => (await ofOne(workspaceId, id, waitingMailOf)) ?? [],

    async page(workspaceId, status, request) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => automationPage(session, workspace, status, request));
    },

    enrollments: (workspaceId, id, filter, request) =>
      ofOne(workspaceId, id, (session, automation, workspace) =>
        enrollmentPage(session, { automation, workspace, ...filter }, request),
      ),

    async knownLists(workspaceId, ids) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => knownListsOf(session, workspace, ids));
    },
  };
}

function writes({ write, seqOf }: PostgresDatabase): Writes {
  return {
    async insert(workspaceId, automation) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        await insertAutomation(tx, workspace, automation);
        const made = await findAutomation(tx, workspace, automation.id);
        return present(made, "automation that was just made").automation;
      });
    },

    async change(workspaceId, id, decide, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await holdAutomation(tx, workspace, id);
        if (found === null) return null;
        const decided = decide(found.automation);
        if (!decided.ok) return decided;
        await changeAutomation(tx, workspace, found, decided.value, at);
        const changed = await findAutomation(tx, workspace, id);
        return accept(present(changed, "automation that was just changed").automation);
      });
    },

    async release(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await holdAutomation(tx, workspace, id);
        if (found === null) return "not found";
        const isLive = found.automation.status === "LIVE";
        return (await releaseMail(tx, found.seq, isLive)) ? "released" : "not held";
      });
    },

    async delete(workspaceId, id, at) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await holdAutomation(tx, workspace, id);
        if (found !== null) await removeAutomation(tx, found.seq, at);
        return found !== null;
      });
    },
  };
}
