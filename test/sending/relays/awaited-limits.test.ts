/** Mail that somebody waits for has little time. If it fails by that, it says nothing about campaigns. */
import { afterEach, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { stall } from "../../support/sending/smtp-script.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { post } from "../../support/server/transactional.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

test("a relay that takes longer to greet than a request may take does not stop campaigns", async () => {
  const clock = manualClock();
  const CONNECT = () => ({
    reply: "220 relay.example.org",
    and: "go on" as const,
    after: new Promise<void>((resolve) => void clock.setTimer(8_000, resolve)),
  });
  api = await startSending({ CONNECT }, { clock });
  expect((await driven(clock, post(api))).status).not.toBe(200);
  expect(api.sending.relayTroubles()).toEqual([]);
});

test("a relay that takes longer at the dot of confirmations than they may take does not stop campaigns", async () => {
  const clock = manualClock();
  api = await startSending(
    { DOT: ({ rcptTo }) => (rcptTo[0]?.startsWith("new-") ? stall : undefined) },
    { clock },
  );
  const { listId } = await makeAudience(api, 3);
  const campaign = await makeCampaign(api, listId);
  await api.call("PATCH", "/settings", { doubleOptIn: true });
  const form = await api.call("POST", "/forms", { name: "Stay in touch", listId });
  // As many lost in another way would hold the relay.
  for (let n = 0; n < 5; n++) {
    const body = JSON.stringify({ email: `new-${n}@example.com` });
    const submit = fetch(`${api.url}/api/forms/${form.body.data.id}/submit`, { method: "POST", body });
    expect((await driven(clock, submit)).ok).toBe(true);
  }
  await drivenUntil(
    clock,
    () => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'dot'") === 5,
  );
  expect((await driven(clock, send(api, campaign))).body.data.sent).toBe(3);
  const LOST =
    "SELECT count(*) AS n FROM deliveries WHERE state = 'uncertain' AND reason = 'CONNECTION_LOST'";
  await drivenUntil(clock, () => numberOf(api, LOST) === 5, 2_000);
  expect(api.sending.relayTroubles()).toEqual([]);
});
