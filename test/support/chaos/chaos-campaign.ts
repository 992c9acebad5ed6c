import { SQL } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresServices, type World } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../common/silent-log.ts";
import { SENDER } from "../sending/sending.ts";

/** A campaign that no node has begun to send, in a database of its own. */
export type ChaosCampaign = {
  readonly workspaceId: string;
  readonly campaignId: string;
  /** Resolves when the opt-out is durable. */
  optOut(address: string): Promise<void>;
  /** Releases what was held because another PostgreSQL took over. */
  release(): Promise<void>;
  close(): Promise<void>;
};

const BY_LINK = { source: "unsubscribe", formId: null, clientAddress: null, userAgent: null } as const;

/** To `reader-1@example.com` and so on. */
export async function chaosCampaign(url: string, recipients: number): Promise<ChaosCampaign> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-chaos-"));
  const world: World = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
  const services = await openPostgresServices({ url, prepare: true, dataDir }, world);
  const { id: workspaceId } = await services.workspaces.create("Chaos");
  await services.workspaces.changeSettings(workspaceId, SENDER);
  const { id: listId } = await services.lists.create(workspaceId, { name: "Everybody" });
  await fill(url, listId, recipients);
  const draft = { name: "Chaos", subject: "Hello", body: "<p>Hello</p>", listId };
  const { id: campaignId } = await services.campaigns.create(workspaceId, draft);
  return {
    workspaceId,
    campaignId,
    async optOut(address) {
      await services.contacts.optOut({ workspaceId, address, contactId: null, origin: BY_LINK });
    },
    release: () => services.campaigns.releaseCampaign(workspaceId, campaignId),
    async close() {
      await services.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function fill(url: string, listId: string, recipients: number): Promise<void> {
  const sql = new SQL({ url, max: 1 });
  await sql.unsafe(
    `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, 'reader-' || i || '@example.com', '', '', 'SUBSCRIBED', 'reader-' || i, 0
     FROM generate_series(1, ${recipients}) AS i`,
  );
  await sql.unsafe(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT l.seq, c.status, c.seq, 0 FROM contacts AS c, lists AS l WHERE l.id = '${listId}'`,
  );
  await sql.close();
}
