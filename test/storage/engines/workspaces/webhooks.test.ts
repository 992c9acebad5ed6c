import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Attempt, DeliveryState } from "#webhooks/delivery.ts";
import { WELL, type Health } from "#webhooks/calls/health.ts";
import type { MadeAttempt } from "#webhooks/store.ts";
import type { Verdict } from "#webhooks/calls/verdict.ts";
import { newList } from "../../../support/people/lists.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { DAY } from "../../../support/common/durations.ts";

const NOW = 1_000_000;
const ANSWER: Attempt = { at: NOW, status: 200, answer: 'a "b"\n{c}\\ \0', error: null, durationMs: 5 };
const WELL_DONE: Verdict = {
  state: "DELIVERED",
  nextAttemptAt: null,
  firstTriedAt: NOW,
  health: WELL,
  disabledReason: null,
};
const FIRST_PAGE = { limit: 50, before: null };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`webhooks on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let heard = 0;
    let made = 0;

    const insert = (workspaceId = "ws_one", max = 100) => {
      const content = { url: `https://one.example/${++made}`, events: ["*"], enabled: true };
      const webhook = { ...content, id: `wh_${made}`, secret: "s1", createdAt: made };
      return stores.webhooks.insert(workspaceId, webhook, max);
    };
    const owe = async (id: string, at = NOW) => {
      const owed = await stores.webhooks.owe("ws_one", id, { type: "webhook.test", data: { a: 1 } }, at);
      if (owed === null || owed === "disabled") throw new Error(`not owed: ${owed}`);
      return owed;
    };
    const numberOf = async (id: string): Promise<number> =>
      Number((await opened.values(`SELECT seq FROM webhooks WHERE id = '${id}'`))[0]);
    const dueOf = async (id: string, now = NOW) =>
      (await stores.outbox.dueEndpoints(now)).find((endpoint) => endpoint.url.endsWith(`/${id.slice(3)}`));
    const madeFor = (endpoint: number, delivery: number, attempt = ANSWER): MadeAttempt => {
      return { endpoint, delivery, attempt, askedPauseMs: 0, jitter: 0.5 };
    };
    const total = async (id: string, state: DeliveryState | null) =>
      (await stores.webhooks.deliveries("ws_one", id, state, FIRST_PAGE))!.total;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ stores } = opened);
      await stores.ledger.join(1, false);
      stores.outbox.onOwed(() => void heard++);
    });
    afterAll(() => opened.close());

    test("a webhook is made, found, changed, given a new secret and deleted", async () => {
      const webhook = (await insert())!;
      const { id } = webhook;
      expect(webhook).toMatchObject({ events: ["*"], enabled: true, disabledReason: null });
      expect(await stores.webhooks.find("ws_one", id)).toEqual(webhook);
      expect(await stores.webhooks.find("ws_two", id)).toBeNull();
      await opened.run(
        `UPDATE webhooks SET failures = 3, failing_since = 5, resume_at = 9 WHERE id = '${id}'`,
      );
      expect(await stores.webhooks.troubled("ws_one")).toMatchObject([{ id, failingSince: 5 }]);
      expect(await stores.webhooks.change("ws_one", id, { events: ["email.sent"] })).toMatchObject({
        events: ["email.sent"],
      });
      expect(await stores.webhooks.troubled("ws_one")).toHaveLength(1);
      expect(await stores.webhooks.change("ws_one", id, { enabled: false })).toMatchObject({
        enabled: false,
      });
      expect(await stores.webhooks.troubled("ws_one")).toEqual([]);
      expect(await stores.webhooks.change("ws_two", id, { enabled: true })).toBeNull();
      await stores.webhooks.change("ws_one", id, { enabled: true });
      await stores.webhooks.rotate("ws_one", id, "s2", NOW);
      await owe(id);
      expect((await dueOf(id))!.secrets).toEqual(["s2", "s1"]);
      await stores.webhooks.rotate("ws_one", id, "s3", NOW + 10);
      await stores.webhooks.rotate("ws_one", id, "s4", NOW + 20);
      expect((await dueOf(id, NOW + DAY - 1))!.secrets).toEqual(["s4", "s3", "s2", "s1"]);
      expect((await dueOf(id, NOW + DAY))!.secrets).toEqual(["s4", "s3", "s2"]);
      await stores.webhooks.rotate("ws_one", id, "s5", NOW + DAY + 10);
      expect((await dueOf(id, NOW + DAY + 10))!.secrets).toEqual(["s5", "s4", "s3"]);
      expect((await dueOf(id, NOW + 2 * DAY + 10))!.secrets).toEqual(["s5"]);
      expect(await stores.webhooks.delete("ws_two", id)).toBe(false);
      expect(await stores.webhooks.delete("ws_one", id)).toBe(true);
      expect(await stores.webhooks.delete("ws_one", id)).toBe(false);
      expect(await stores.webhooks.find("ws_one", id)).toBeNull();
      expect(await dueOf(id)).toBeUndefined();
    });

    test("a workspace has no more than it may, also where many are made at once", async () => {
      const all = await Promise.all(Array.from({ length: 12 }, () => insert("ws_two", 3)));
      expect(all.filter((one) => one !== null)).toHaveLength(3);
      const page = await stores.webhooks.page("ws_two", { limit: 2, before: null });
      expect([page.items.length, page.total]).toEqual([2, 3]);
      const rest = await stores.webhooks.page("ws_two", { limit: 2, before: page.nextPosition });
      expect(rest.items).toHaveLength(1);
    });

    test("what is owed is heard of, read in its order, and shown in the log", async () => {
      const { id } = (await insert())!;
      const before = heard;
      const [later, sooner] = [await owe(id, NOW + 2), await owe(id, NOW)];
      expect(heard).toBe(before + 2);
      expect(later).toMatchObject({ state: "PENDING", attempts: [], nextAttemptAt: NOW + 2 });
      expect(await dueOf(id, NOW - 1)).toBeUndefined();
      expect(await dueOf(id, NOW + 2)).toMatchObject({ workspaceId: "ws_one", health: WELL, dueAt: NOW });
      const number = await numberOf(id);
      const due = await stores.outbox.due(number, NOW + 2, 10, new Set());
      expect(due.map((one) => one.id)).toEqual([sooner.id, later.id]);
      expect(JSON.parse(due[0]!.body)).toMatchObject({ type: "webhook.test", data: { a: 1 } });
      const rest = await stores.outbox.due(number, NOW + 2, 1, new Set([due[0]!.number]));
      expect(rest.map((one) => one.id)).toEqual([later.id]);
      const log = (await stores.webhooks.deliveries("ws_one", id, null, FIRST_PAGE))!;
      expect(log.items).toEqual([sooner, later]);
      expect(await stores.webhooks.deliveries("ws_two", id, null, FIRST_PAGE)).toBeNull();
    });

    test("what happened is owed to who asked for it, and heard of", async () => {
      const { id } = (await insert())!;
      const before = heard;
      await stores.lists.insert("ws_one", newList("list_hooked", { name: "L" }));
      expect(heard).toBe(before);
      const form = { name: "", fields: [], style: {}, successMessage: "", listId: null };
      await stores.forms.insert("ws_one", { ...form, id: "form_hooked", createdAt: 1 });
      const fresh = { id: "con_hooked", createdAt: 1 };
      const email = "hooked@example.com";
      await stores.signups.submit(
        {
          formId: "form_hooked",
          email,
          setsAttributes: false,
          fresh,
          cap: { since: 0, until: 1 },
          letter: null,
          at: 1,
        },
        () => ({ kind: "leftAlone" }),
      );
      expect(heard).toBe(before + 1);
      const log = (await stores.webhooks.deliveries("ws_one", id, null, FIRST_PAGE))!;
      expect(log.items.map(({ type }) => type)).toEqual(["form.submitted"]);
    });

    test("an attempt is kept with its answer, its delivery and its endpoint's health", async () => {
      const { id } = (await insert())!;
      await owe(id);
      const endpoint = await numberOf(id);
      const [due] = await stores.outbox.due(endpoint, NOW, 1, new Set());
      const failing: Health = { failures: 1, failingSince: NOW, resumeAt: NOW + 7 };
      const retry: Verdict = {
        state: "PENDING",
        nextAttemptAt: NOW + 9,
        firstTriedAt: NOW,
        health: failing,
        disabledReason: null,
      };
      const settle = (verdict: Verdict) =>
        stores.outbox.settle(madeFor(endpoint, due!.number), (input) => {
          expect(input).toMatchObject({ status: 200, begunAt: NOW, now: NOW + 5, jitter: 0.5 });
          return verdict;
        });
      expect(await settle(retry)).toEqual(failing);
      expect(await dueOf(id, NOW + 6)).toBeUndefined();
      expect(await dueOf(id, NOW + 9)).toMatchObject({ health: failing });
      expect(await settle({ ...WELL_DONE, disabledReason: "why" })).toBeNull();
      expect(await stores.webhooks.find("ws_one", id)).toMatchObject({
        enabled: false,
        disabledReason: "why",
      });
      const { items } = (await stores.webhooks.deliveries("ws_one", id, "DELIVERED", FIRST_PAGE))!;
      expect(items).toMatchObject([{ state: "DELIVERED", attempts: [ANSWER, ANSWER], nextAttemptAt: null }]);
      expect([await total(id, null), await total(id, "DELIVERED"), await total(id, "PENDING")]).toEqual([
        1, 1, 0,
      ]);
      expect(await stores.outbox.settle(madeFor(endpoint, 99_999), () => WELL_DONE)).toBeNull();
    });

    test("attempts of one endpoint that end at once are all counted", async () => {
      const { id } = (await insert())!;
      const endpoint = await numberOf(id);
      for (let n = 0; n < 12; n++) await owe(id);
      const due = await stores.outbox.due(endpoint, NOW, 20, new Set());
      const fails = ({ failures }: Health): Verdict => {
        const health = { failures: failures + 1, failingSince: NOW, resumeAt: 0 };
        return { state: "PENDING", nextAttemptAt: NOW + 1, firstTriedAt: NOW, health, disabledReason: null };
      };
      await Promise.all(
        due.map(({ number }) =>
          stores.outbox.settle(madeFor(endpoint, number), ({ health }) => fails(health)),
        ),
      );
      expect((await dueOf(id, NOW + 1))!.health.failures).toBe(12);
    });

    test("a delivery is owed again when a person asks for it, unless the webhook is disabled", async () => {
      const { id } = (await insert())!;
      const owed = await owe(id);
      const endpoint = await numberOf(id);
      const [due] = await stores.outbox.due(endpoint, NOW, 1, new Set());
      await stores.outbox.settle(madeFor(endpoint, due!.number), () => WELL_DONE);
      const replay = (delivery: string) => stores.webhooks.replay("ws_one", id, delivery, NOW + 50);
      expect(await replay(owed.id)).toMatchObject({ id: owed.id, state: "PENDING", nextAttemptAt: NOW + 50 });
      expect(await replay(`${owed.id.slice(0, -1)}${owed.id.endsWith("0") ? "1" : "0"}`)).toBeNull();
      expect(await replay("nothing")).toBeNull();
      await stores.webhooks.change("ws_one", id, { enabled: false });
      expect(await replay(owed.id)).toBe("disabled");
      const asked = await stores.webhooks.owe("ws_one", id, { type: "webhook.test", data: {} }, NOW);
      expect(asked).toBe("disabled");
    });

    test("old deliveries are removed a few at a time, and those of deleted webhooks", async () => {
      const { id } = (await insert())!;
      for (let n = 0; n < 5; n++) await owe(id, NOW + n);
      await stores.webhooks.delete("ws_one", id);
      const clear = async (before: number): Promise<void> => {
        while (await stores.outbox.clear(before, 2));
      };
      await Promise.all([clear(NOW), clear(NOW)]);
      await clear(NOW);
      const webhook = await opened.values(`SELECT seq FROM webhooks WHERE id = '${id}'`);
      expect(webhook).toEqual([]);
      await clear(NOW + 1_000);
      await opened.run("UPDATE webhooks SET state = 'DISABLED'");
      await clear(NOW + 1_000);
      expect((await opened.values("SELECT count(*) FROM webhook_deliveries")).map(Number)).toEqual([0]);
      expect(await stores.outbox.clear(NOW + 1_000, 2)).toBe(false);
    });

    test("what is owed to an enabled webhook is not removed, however old it looks", async () => {
      const { id } = (await insert())!;
      await owe(id);
      expect(await stores.outbox.clear(NOW + 1_000, 2)).toBe(false);
      expect(await total(id, "PENDING")).toBe(1);
      await stores.webhooks.change("ws_one", id, { enabled: false });
      expect(await stores.outbox.clear(NOW + 1_000, 2)).toBe(true);
      expect(await total(id, null)).toBe(0);
    });

    test("what was made while the clock was ahead keeps no later one for longer, nor is it kept longer itself", async () => {
      const { id } = (await insert())!;
      const [ahead, aheadOwed] = [NOW + 365 * DAY, NOW + 366 * DAY];
      for (let n = 0; n < 9; n++) await owe(id, n === 4 ? aheadOwed : ahead + n);
      for (let n = 0; n < 9; n++) await owe(id, NOW + n);
      await opened.run(
        `UPDATE webhook_deliveries SET next_attempt_at = NULL, state = 'DELIVERED' WHERE created_at <> ${aheadOwed}`,
      );
      // As after a removal.
      await opened.run(
        `DELETE FROM webhook_deliveries WHERE created_at IN (${ahead + 7}, ${ahead + 8}, ${NOW})`,
      );
      const clearBefore = async (before: number): Promise<number[]> => {
        while (await stores.outbox.clear(before, 3));
        const left = await opened.values("SELECT created_at FROM webhook_deliveries ORDER BY seq");
        return left.map(Number);
      };
      const rights = Array.from({ length: 8 }, (_, n) => NOW + n + 1);
      const aheads = Array.from({ length: 7 }, (_, n) => (n === 4 ? aheadOwed : ahead + n));
      expect(await clearBefore(NOW - 14 * DAY)).toEqual([...aheads, ...rights]);
      expect(await clearBefore(NOW + 1)).toEqual([...aheads, ...rights]);
      expect(await clearBefore(NOW + 4)).toEqual([aheadOwed, ...rights.slice(3)]);
      await stores.webhooks.change("ws_one", id, { enabled: false });
      expect(await clearBefore(NOW + 100)).toEqual([]);
    });

    test("one that only a clock that was ahead gave up is enabled again, and every other stays disabled", async () => {
      const [aheadOf, ahead] = [new Map<string, string>(), "Nothing could be delivered for three days."];
      for (const [name, reason, failingSince] of [
        ["hours", ahead, NOW - DAY],
        ["future", ahead, NOW + 9 * DAY],
        ["three days", ahead, NOW - 3 * DAY],
        ["clocks of servers differ", ahead, NOW - 3 * DAY + 60_000],
        ["gone", "It answered 410 Gone.", NOW - DAY],
        ["by a person", null, NOW - DAY],
      ] as const) {
        const { id } = (await insert())!;
        aheadOf.set(id, name);
        await owe(id);
        await opened.run(
          `UPDATE webhooks SET state = 'DISABLED', disabled_reason = ${reason === null ? "NULL" : `'${reason}'`},
             failures = 9, failing_since = ${failingSince}, resume_at = ${NOW + DAY} WHERE id = '${id}'`,
        );
      }
      await stores.outbox.drawIn(NOW);
      const enabled: string[] = [];
      for (const [id, name] of aheadOf)
        if ((await stores.webhooks.find("ws_one", id))?.enabled === true) {
          enabled.push(name);
          expect(await stores.webhooks.find("ws_one", id)).toMatchObject({ disabledReason: null });
          expect((await dueOf(id))?.health).toMatchObject({ failures: 9, resumeAt: 0 });
        }
      expect(enabled).toEqual(["hours", "future"]);
    });

    test("and its messages that only that clock gave up are owed again, but none that was tried for three days", async () => {
      const { id } = (await insert())!;
      const failed = async (firstTriedAt: number) => {
        const owed = await owe(id, NOW - 5 * DAY);
        await opened.run(
          `UPDATE webhook_deliveries SET state = 'FAILED', next_attempt_at = NULL, tries = 3,
             first_tried_at = ${firstTriedAt}
           WHERE seq = (SELECT max(seq) FROM webhook_deliveries)`,
        );
        return owed.id;
      };
      const owed = [await failed(NOW - DAY), await failed(NOW + 4 * DAY)];
      await failed(NOW - 3 * DAY);
      await opened.run(
        `UPDATE webhooks SET state = 'DISABLED', disabled_reason = 'Nothing could be delivered for three days.',
           failures = 9, failing_since = ${NOW - DAY} WHERE id = '${id}'`,
      );
      await stores.outbox.drawIn(NOW);
      const { items } = (await stores.webhooks.deliveries("ws_one", id, "PENDING", FIRST_PAGE))!;
      expect(items.map((one) => [one.id, one.nextAttemptAt])).toEqual(
        owed.toReversed().map((one) => [one, NOW]),
      );
      expect(await total(id, "FAILED")).toBe(1);
    });

    test("what is put off for longer than any pause is due now, and what waits for its time stays", async () => {
      const ids: string[] = [];
      for (const until of [NOW + DAY, NOW + 365 * DAY]) {
        const { id } = (await insert())!;
        for (let n = 0; n < 2; n++) await owe(id, NOW - 1);
        await opened.run(
          `UPDATE webhooks SET failures = 1, failing_since = ${until}, resume_at = ${until} WHERE id = '${id}'`,
        );
        await opened.run(
          `UPDATE webhook_deliveries SET next_attempt_at = ${until}, first_tried_at = ${until}
           WHERE webhook = (SELECT seq FROM webhooks WHERE id = '${id}')`,
        );
        ids.push(id);
      }
      await stores.outbox.drawIn(NOW);
      expect(await dueOf(ids[0]!)).toBeUndefined();
      const drawnIn = (await dueOf(ids[1]!))!;
      expect(drawnIn).toMatchObject({ dueAt: NOW, health: { failures: 1, failingSince: NOW, resumeAt: 0 } });
      expect(await stores.outbox.due(drawnIn.number, NOW, 9, new Set())).toHaveLength(2);
      expect((await dueOf(ids[0]!, NOW + DAY))!.dueAt).toBe(NOW + DAY);
    });
  });
}
