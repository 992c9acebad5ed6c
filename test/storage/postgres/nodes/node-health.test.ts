/** What a load balancer and a monitor hear of a node that cannot show any more that it lives. */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { startApi, type TestApi } from "../../../support/server/api.ts";
import { postgresPlace } from "../../../support/server/services.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

describe.skipIf(await lacksPostgres())("the health of a node", () => {
  let api: TestApi;
  beforeAll(async () => {
    const node = ownNode(systemClock, { name: "test", version: "0", leaseMs: 1_000 });
    api = await startApi({ place: { ...(await postgresPlace("node health")), node } });
  });
  afterAll(() => api.stop());

  const health = async () => {
    const response = await fetch(`${api.url}/health`);
    return [response.status, ((await response.json()) as { status: string }).status] as const;
  };
  const isWritable = async (): Promise<boolean> =>
    (await (await fetch(`${api.url}/metrics`)).text()).includes("\npostrider_database_writable 1\n");

  test("is bad while its beat waits at the database beyond its lease, and good after it", async () => {
    const beside = new SQL({ url: api.place.url!, max: 1 });
    await eventually(async () => (await health())[0] === 200);
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM node_beats FOR UPDATE");
      await eventually(async () => (await health())[0] === 503);
      expect(await health()).toEqual([503, "database cannot be written"]);
      expect(await isWritable()).toBe(false);
    });
    await eventually(async () => (await health())[0] === 200);
    await eventually(isWritable);
    await beside.close();
  });
});
