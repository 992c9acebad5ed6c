/** What is done to one webhook is done to no other, and each list has its own. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_000_000;
/** The webhook that is changed, its neighbours, and one of another workspace. */
const [CHANGED, OLDER, NEWER, GONE, FOREIGN] = ["wh_b", "wh_a", "wh_c", "wh_d", "wh_e"] as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`one of several webhooks on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let webhooks: OpenedEngine["stores"]["webhooks"];

    const others = async (): Promise<readonly unknown[]> => [
      ...(await opened.values(
        `SELECT id || ' ' || url || ' ' || events || ' ' || state || ' ' || secret || coalesce(old_secret, '') || ' ' ||
           failures || ' ' || coalesce(failing_since, 0) || ' ' || resume_at || coalesce(disabled_reason, '')
         FROM webhooks WHERE id <> '${CHANGED}' ORDER BY id`,
      )),
      ...(await opened.values(
        `SELECT w.id || d.state || d.tries FROM webhook_deliveries d JOIN webhooks w ON w.seq = d.webhook
         WHERE w.id <> '${CHANGED}' ORDER BY d.seq`,
      )),
    ];
    const owe = (id: string) => webhooks.owe("ws_one", id, { type: "webhook.test", data: {} }, NOW);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ webhooks } = opened.stores);
      for (const id of [OLDER, CHANGED, NEWER, GONE, FOREIGN]) {
        const content = { url: `https://${id}.example/`, events: ["*"], enabled: true };
        const workspace = id === FOREIGN ? "ws_two" : "ws_one";
        await webhooks.insert(workspace, { ...content, id, secret: `secret ${id}`, createdAt: 1 }, 100);
      }
      await webhooks.delete("ws_one", GONE);
      for (const id of [OLDER, CHANGED, NEWER]) await owe(id);
      await opened.run("UPDATE webhook_deliveries SET state = 'FAILED', tries = 3, next_attempt_at = NULL");
      await opened.run("UPDATE webhooks SET failures = 3, failing_since = 5, resume_at = 9");
    });
    afterAll(() => opened.close());

    test("a page has those of the workspace that are there, newest first", async () => {
      const { items, total } = await webhooks.page("ws_one", { limit: 10, before: null });
      expect([total, items.map(({ id }) => id)]).toEqual([3, [NEWER, CHANGED, OLDER]]);
      const troubled = await webhooks.troubled("ws_one");
      expect(troubled.map(({ id }) => id)).toEqual([OLDER, CHANGED, NEWER]);
    });

    test("whatever is done to one, the others stay as they are", async () => {
      const before = await others();
      const shown = (await webhooks.deliveries("ws_one", CHANGED, null, { limit: 5, before: null }))!;
      expect(shown.items).toHaveLength(1);
      const [own] = shown.items;
      for (const id of [OLDER, NEWER]) expect(await webhooks.replay("ws_one", id, own!.id, NOW)).toBeNull();
      expect(await webhooks.replay("ws_one", CHANGED, own!.id, NOW)).toMatchObject({ id: own!.id });
      await owe(CHANGED);
      await opened.run(
        `UPDATE webhooks SET disabled_reason = 'dead', state = 'DISABLED' WHERE id = '${CHANGED}'`,
      );
      await opened.run(`UPDATE webhooks SET resume_at = 9 WHERE id = '${CHANGED}'`);
      const there = { url: "https://new.example/", enabled: true, disabledReason: null };
      expect(await webhooks.change("ws_one", CHANGED, there)).toMatchObject(there);
      const well = `SELECT failures || ' ' || resume_at FROM webhooks WHERE id = '${CHANGED}' AND failing_since IS NULL`;
      expect(await opened.values(well)).toEqual(["0 0"]);
      await webhooks.rotate("ws_one", CHANGED, "another", NOW);
      expect(await webhooks.delete("ws_one", CHANGED)).toBe(true);
      const secrets = `SELECT secret || coalesce(old_secret, '') FROM webhooks WHERE id = '${CHANGED}'`;
      expect(await opened.values(secrets)).toEqual([""]);
      expect(await others()).toEqual(before);
      expect((await webhooks.page("ws_one", { limit: 10, before: null })).total).toBe(2);
    });
  });
}
