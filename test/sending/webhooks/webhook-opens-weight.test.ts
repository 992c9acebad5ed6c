import { expect, test } from "bun:test";
import { rowsFrom, needsSqlite } from "../../support/server/services.ts";
import { sendTo } from "../../support/inbound/reports.ts";
import { startSending } from "../../support/sending/sending.ts";
import { decodedPart } from "../../support/sending/marketing-fixture.ts";
import { longestWrite } from "../../support/storage/longest-write.ts";

/** The most that a workspace may have. */
const WEBHOOKS = 50;
const PEOPLE = 60;

test.skipIf(needsSqlite("only with it a write holds up the server"))(
  "with all webhooks that there may be, few opens are written together, and each is told once",
  async () => {
    const api = await startSending();
    try {
      for (let n = 0; n < WEBHOOKS; n++)
        await api.call("POST", "/webhooks", {
          url: "https://shop.example.org/hook",
          events: ["email.opened"],
        });
      const { sent } = await sendTo(
        api,
        Array.from({ length: PEOPLE }, (_, n) => `reader-${n}@example.com`),
      );
      const longest = longestWrite(api);
      const { tracking } = api.services;
      for (const { raw } of sent.values()) {
        const [, token = ""] = /\/o\/([\w-]+)/.exec(decodedPart(raw, 1)) ?? [];
        expect(tracking.open(token, false)).toBe(true);
      }
      await tracking.drain();
      expect(longest.rows).toBeGreaterThan(WEBHOOKS);
      expect(longest.rows).toBeLessThan(4_000);
      const [{ told, opened }] = rowsFrom(
        api,
        `SELECT (SELECT count(*) FROM webhook_deliveries WHERE type = 'email.opened') AS told,
           (SELECT sum(opened) FROM mailings) AS opened`,
      );
      expect([Number(opened), Number(told)]).toEqual([PEOPLE, PEOPLE * WEBHOOKS]);
    } finally {
      await api.stop();
    }
  },
);
