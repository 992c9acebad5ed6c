/** Several relays: the next takes over from one that is in trouble, and while that one is tried again. */
import { afterEach, expect, test } from "bun:test";
import { manualClock } from "../support/common/manual-clock.ts";
import { freePort } from "../support/server/postrider.ts";
import { scriptedSmtp } from "../support/sending/scripted-smtp.ts";
import { stall } from "../support/sending/smtp-script.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../support/sending/sending.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const sentOf = (id: string): number => rowsOf(api, id).filter(({ state }) => state === "sent").length;

test("a first relay that says nothing holds up one message while it is tried again, and no other", async () => {
  const clock = manualClock();
  const mute = scriptedSmtp({ on: { CONNECT: stall } });
  api = await startSending({}, { clock });
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: `${mute.url} ${api.relay.url}` });
  const { listId, addresses } = await makeAudience(api, 12);
  const [first, second] = [await makeCampaign(api, listId), await makeCampaign(api, listId)];
  void send(api, first);
  await drivenUntil(clock, () => sentOf(first) === 12, 2_000);
  const pauseIsOverAt = clock.now() + 60_000;
  await drivenUntil(clock, () => clock.now() >= pauseIsOverAt, 5_000);
  expect(mute.open).toBe(0);
  void send(api, second);
  await drivenUntil(clock, () => sentOf(second) >= 11);
  // Without an answer for two minutes, the trial is over; it is still going on.
  expect(mute.open).toBe(1);
  expect(sentOf(second)).toBe(11);
  await drivenUntil(clock, () => sentOf(second) === 12, 2_000);
  const mailed = api.relay.accepted.flatMap(({ rcptTo }) => rcptTo);
  expect(mailed.toSorted()).toEqual([...addresses, ...addresses].toSorted());
  mute.stop();
});

test("a relay that no workspace has any more is no trouble", async () => {
  const clock = manualClock();
  api = await startSending({}, { clock });
  const away = `smtp://127.0.0.1:${freePort()}`;
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: away });
  const id = await makeCampaign(api, (await makeAudience(api, 2)).listId);
  await driven(clock, send(api, id));
  expect(api.sending.relayTroubles()).toMatchObject([{ trouble: expect.stringMatching(/^down: /) }]);
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl: api.relay.url });
  await drivenUntil(clock, () => rowsOf(api, id).every(({ state }) => state === "sent"), 1_000);
  expect(api.sending.relayTroubles()).toEqual([]);
});
