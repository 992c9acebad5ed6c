/** A relay that refuses one sender: whose mail waits, and whose does not. */
import { afterEach, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import {
  addressesMailed,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import type { Moment } from "../../support/sending/smtp-script.ts";
import { otherWorkspace } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const statesOf = (id: string): string[] => rowsOf(api, id).map(({ state }) => state);
const linesOf = (text: string): string[] => api.logLines.filter((line) => line.includes(text));

/** Some relays wait with their answer until they know the recipient. */
const STAGES = ["MAIL", "RCPT"] as const;

test.each(STAGES)(
  "a workspace whose sender is refused at %s loses nobody, and holds up no other",
  async (stage) => {
    const clock = manualClock();
    const REFUSED = "553 5.7.1 Sender address rejected: not owned by user";
    let [isRefused, refusals] = [true, 0];
    const isBad = ({ mailFrom }: Moment): boolean => isRefused && mailFrom.includes("@bad.example");
    api = await startSending(
      { [stage]: (moment: Moment) => (isBad(moment) ? (refusals++, REFUSED) : undefined) },
      { clock },
    );
    const bad = await otherWorkspace(api, "Bad");
    await api.services.workspaces.changeSettings(bad.workspaceId, { fromEmail: "news@bad.example" });
    const { listId } = await makeAudience(api, 3);
    /** Goes out at once, whatever becomes of the other workspace's mail. */
    const sendGood = async (): Promise<void> => {
      const id = await makeCampaign(api, listId);
      expect((await driven(clock, send(api, id))).body.data).toMatchObject({ sent: 3, complete: true });
    };
    await sendGood();
    const theirs = await makeCampaign(
      bad,
      (await makeAudience(bad, ["one@example.com", "two@example.com"])).listId,
    );
    expect((await driven(clock, send(bad, theirs))).body.data).toMatchObject({ sent: 0, remaining: 2 });
    expect((await reportOf(bad, theirs)).blocked).toContain(`config: ${REFUSED}`);
    // Each message is refused more often than a message that is at fault itself, with others accepted between.
    for (let pauses = 0; pauses < 6; pauses++) {
      await sendGood();
      const before = refusals;
      await drivenUntil(clock, () => refusals > before, 1_000);
    }
    expect(statesOf(theirs)).toEqual(["queued", "queued"]);
    expect(api.sending.relayTroubles()).toEqual([]);
    isRefused = false;
    await drivenUntil(clock, () => statesOf(theirs).every((state) => state === "sent"), 1_000);
    expect(rowsOf(api, theirs).map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(linesOf('"message":"relay ')).toHaveLength(2);
    expect(linesOf('"message":"relay refusing a sender"')).toHaveLength(1);
    expect(linesOf('"message":"relay takes a sender again"')).toHaveLength(1);
  },
);

test.each([
  "550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
  "554 Message rejected: Sending paused for this account. For more information, please check the inbox",
  "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
])("nobody fails if the relay refuses our account or sender after the dot: %s", async (says) => {
  const clock = manualClock();
  let [dots, isRefused] = [0, true];
  api = await startSending({ DOT: () => (dots++ >= 5 && isRefused ? says : undefined) }, { clock });
  const id = await makeCampaign(api, (await makeAudience(api, 60)).listId);
  await driven(clock, send(api, id));
  expect(statesOf(id).filter((state) => state !== "sent" && state !== "queued")).toEqual([]);
  expect((await reportOf(api, id)).blocked).toContain(says.slice(0, 40));
  isRefused = false;
  await drivenUntil(clock, () => statesOf(id).every((state) => state === "sent"), 1_000);
});

const numberIn = (table: string): number => numberOf(api, `SELECT count(*) AS n FROM ${table}`);

test("a relay that has suspended our account makes nobody bounce, however long that lasts", async () => {
  const clock = manualClock();
  const says = "552 Your account has been suspended. Please contact us to reactivate";
  let isSuspended = true;
  api = await startSending({ DOT: () => (isSuspended ? says : undefined) }, { clock });
  const { listId, addresses } = await makeAudience(api, 20);
  const first = await makeCampaign(api, listId);
  await driven(clock, send(api, first));
  expect(statesOf(first)).toEqual(addresses.map(() => "queued"));
  expect((await reportOf(api, first)).blocked).toContain("Your account has been suspended");
  const laterAt = clock.now() + 4 * DAY_MS;
  await drivenUntil(clock, () => clock.now() >= laterAt, 60_000);
  const second = await makeCampaign(api, listId);
  await driven(clock, send(api, second));
  expect([numberIn("suppressions"), numberIn("address_strikes")]).toEqual([0, 0]);
  isSuspended = false;
  await drivenUntil(clock, () => statesOf(second).every((state) => state === "sent"), 1_000);
  expect(statesOf(first)).not.toContain("bounced");
});

test("words that no table knows strike some people in a row, and the others wait", async () => {
  const clock = manualClock();
  const says = "550 Account disabled";
  let isSuspended = true;
  api = await startSending({ DOT: () => (isSuspended ? says : undefined) }, { clock });
  const { listId } = await makeAudience(api, 60);
  const first = await makeCampaign(api, listId);
  await driven(clock, send(api, first));
  // Ten, and as many as there are other connections.
  const struck = statesOf(first).filter((state) => state === "failed").length;
  expect(struck).toBeWithin(10, 20);
  expect(numberIn("address_strikes")).toBe(struck);
  expect((await reportOf(api, first)).blocked).toContain(`config: ${says}`);
  // A second strike after three days would be proof.
  const laterAt = clock.now() + 4 * DAY_MS;
  await drivenUntil(clock, () => clock.now() >= laterAt, 60_000);
  const second = await makeCampaign(api, listId);
  await driven(clock, send(api, second));
  expect([numberIn("suppressions"), numberIn("address_strikes")]).toEqual([0, struck]);
  isSuspended = false;
  await drivenUntil(clock, () => statesOf(second).every((state) => state === "sent"), 1_000);
  expect(numberIn("address_strikes")).toBe(0);
});

// What Postfix and Exim say of each recipient on a submission port, if our settings have no user.
test.each([
  ["554 5.7.1 <reader@example.com>: Recipient address rejected: Access denied", 20],
  ["550 Please authenticate first", 0],
])("a campaign is not over because the relay lets nobody in: %s", async (says, failedMost) => {
  const clock = manualClock();
  let isClosed = true;
  api = await startSending({ RCPT: () => (isClosed ? says : undefined) }, { clock });
  const id = await makeCampaign(api, (await makeAudience(api, 60)).listId);
  await driven(clock, send(api, id));
  const failed = statesOf(id).filter((state) => state === "failed").length;
  expect(failed).toBeLessThanOrEqual(failedMost);
  expect(statesOf(id).filter((state) => state === "queued")).toHaveLength(60 - failed);
  expect((await reportOf(api, id)).blocked).toContain("config: 55");
  isClosed = false;
  await drivenUntil(
    clock,
    () => statesOf(id).every((state) => state === "sent" || state === "failed"),
    1_000,
  );
  expect(statesOf(id).filter((state) => state === "sent")).toHaveLength(60 - failed);
  expect(numberIn("address_strikes")).toBe(0);
});

test("people beside each other whose accounts are disabled stop nothing", async () => {
  const clock = manualClock();
  const isGone = ({ rcptTo }: Moment): boolean => rcptTo.some((address) => address.includes("gone"));
  api = await startSending(
    { RCPT: (moment) => (isGone(moment) ? "550 5.2.1 Mailbox disabled" : undefined) },
    { clock },
  );
  const people = [0, 1, 2].flatMap((round) => [
    ...Array.from({ length: 8 }, (_, n) => `${round}-reader-${n}@example.com`),
    ...Array.from({ length: 10 }, (_, n) => `${round}-gone-${n}@example.com`),
  ]);
  // Over several connections, the ten of one round may come right after those of another.
  const smtpUrl = `${api.relay.url}?maxConnections=1`;
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl });
  const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
  const answer = await driven(clock, send(api, id));
  expect(answer.body.data).toEqual({ sent: 24, failed: 30, remaining: 0, complete: true });
  expect(linesOf('"message":"relay ')).toEqual([]);
});

test("nobody is bounced if the relay finds no mailbox for our sender", async () => {
  const clock = manualClock();
  const says =
    "550-Verification failed for <news@acme.example>\r\n550-No Such User Here\r\n550 Sender verify failed";
  let isRefused = true;
  api = await startSending({ RCPT: () => (isRefused ? says : undefined) }, { clock });
  const { listId, addresses } = await makeAudience(api, 8);
  const id = await makeCampaign(api, listId);
  const answer = await driven(clock, send(api, id));
  expect(answer.body.data).toMatchObject({ sent: 0, failed: 0, remaining: 8 });
  expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
  isRefused = false;
  await drivenUntil(clock, () => statesOf(id).every((state) => state === "sent"), 1_000);
  expect(addressesMailed(api)).toEqual(addresses.toSorted());
});

test("what a relay says about a recipient shows the address to nobody else", async () => {
  const clock = manualClock();
  api = await startSending(
    { RCPT: ({ rcptTo }: Moment) => `554 5.7.1 <${rcptTo[0]}>: Relay access denied` },
    { clock },
  );
  const other = await otherWorkspace(api, "Other");
  const id = await makeCampaign(api, (await makeAudience(api, ["o'secret-reader@example.com"])).listId);
  await driven(clock, send(api, id));
  const theirs = await makeCampaign(other, (await makeAudience(other, ["other@example.org"])).listId);
  await driven(clock, send(other, theirs));
  const { blocked } = await reportOf(other, theirs);
  expect(blocked).toContain("config: 554 5.7.1 <…>: Relay access denied");
  expect(await (await fetch(`${api.url}/health`)).text()).toContain("<…>: Relay access denied");
  expect(linesOf("relay refusing our settings")).toHaveLength(1);
  expect(linesOf("secret-reader")).toEqual([]);
});
