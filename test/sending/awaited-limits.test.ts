/** Mail that a caller waits for has little time. If it fails by that, it says nothing about campaigns. */
import { afterEach, expect, test } from "bun:test";
import { manualClock } from "../support/common/manual-clock.ts";
import { driven, startSending, type SendingApi } from "../support/sending/sending.ts";
import { post } from "../support/server/transactional.ts";

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
