import { afterEach, describe, expect, test } from "bun:test";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import type { Moment } from "../../support/sending/smtp-script.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  addressesMailed,
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { trap } from "../../support/storage/traps.ts";

const ADA = "ada@example.com";
const GRACE = "grace@example.org";

let api: SendingApi;
afterEach(() => api.stop());

describe("one odd recipient", () => {
  for (const [name, stage] of [
    ["RCPT", "RCPT"],
    ["the dot", "DOT"],
  ] as const) {
    test(`whom the relay answers like a fault of ours at ${name} fails alone`, async () => {
      const clock = manualClock();
      const odd = ({ rcptTo }: Moment) => (rcptTo.includes(ADA) ? "554 5.5.1 Protocol error" : undefined);
      api = await startSending({ [stage]: odd }, { clock, connections: 2 });
      const people = [ADA, ...Array.from({ length: 30 }, (_, i) => `reader-${i}@example.org`)];
      const { listId } = await makeAudience(api, people);
      const id = await makeCampaign(api, listId);
      await driven(clock, send(api, id));
      await drivenUntil(clock, () => rowOf(api, id).status === "SENT", 100);
      expect(rowsOf(api, id).every(({ state }) => state === "sent" || state === "failed")).toBe(true);
      expect((await deliveriesOf(api, id))[ADA]).toMatchObject({
        state: "FAILED",
        reason: "REFUSED_BY_RELAY",
      });
      expect(await statusOf(api, id)).toBe("SENT");
      expect(addressesMailed(api)).toEqual(people.slice(1).toSorted());
      expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
    });
  }

  test("whose message cannot be composed fails alone, and nothing of it is offered", async () => {
    api = await startSending();
    const { listId } = await makeAudience(api, [ADA, GRACE]);
    const id = await makeCampaign(api, listId);
    // No address like this gets past the API; the ledger is the last to notice.
    await trap(api, {
      at: "AFTER INSERT ON deliveries",
      only: `new.address = '${ADA}'`,
      act: `UPDATE deliveries SET address = 'ada@exämple.com' WHERE seq = new.seq;
        UPDATE contacts SET email = 'ada@exämple.com' WHERE seq = new.contact`,
    });
    const answer = await send(api, id);
    expect(answer.body.data).toEqual({ sent: 1, failed: 1, remaining: 0, complete: true });
    expect((await deliveriesOf(api, id))["ada@exämple.com"]).toMatchObject({
      state: "FAILED",
      reason: "CANNOT_BE_COMPOSED",
    });
    expect(addressesMailed(api)).toEqual([GRACE]);
    expect(api.relay.transactions).toBe(1);
  });
});

describe("a broken relay", () => {
  test("that closes every connection behind the dot does not take a whole campaign with it", async () => {
    const clock = manualClock();
    let broken = true;
    api = await startSending({ DOT: () => (broken ? { and: "drop", kept: true } : undefined) }, { clock });
    const { listId } = await makeAudience(api, 200);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    await eventually(() => rowsOf(api, id).every(({ state }) => state !== "dot"));
    const lost = (await reportOf(api, id)).uncertain;
    // Five, and those that stood at their dots on the other connections.
    expect(lost).toBeWithin(5, 5 + 10);
    expect((await reportOf(api, id)).blocked).toContain("connections end at the dot");
    broken = false;
    await drivenUntil(
      clock,
      () => rowsOf(api, id).every(({ state }) => state === "sent" || state === "uncertain"),
      100,
    );
    expect(new Set(addressesMailed(api)).size).toBe(200);
    expect(addressesMailed(api)).toHaveLength(200);
    expect((await reportOf(api, id)).blocked).toBeNull();
  });
});
