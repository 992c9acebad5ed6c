/** What the report and the log say about a relay whose connections end. */
import { afterEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { reset, type Script } from "../../support/sending/smtp-script.ts";
import {
  drivenUntil,
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { warningsOf } from "../../support/sending/sending-state.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const NO_REPLY = "OK, thank you";
const AT_DOT = "connections end at the dot, and nobody knows what became of the messages";
const BEFORE = "connections end in the middle of messages";

describe("connections end", () => {
  const ends: [name: string, script: Script, words: string][] = [
    ["by an answer to the dot that is none", { DOT: NO_REPLY }, `${AT_DOT}: the answer to the dot is none`],
    [
      "by an answer to MAIL that is none",
      { MAIL: NO_REPLY },
      `${BEFORE}: the relay's reply at MAIL does not fit`,
    ],
    ["by a reset at the dot", { DOT: reset }, `${AT_DOT}: read ECONNRESET`],
  ];
  test.each(ends)("%s", async (_, script, words) => {
    const clock = manualClock();
    api = await startSending(script, { clock });
    const id = await makeCampaign(api, (await makeAudience(api, 40)).listId);
    void send(api, id).catch(() => undefined);
    await drivenUntil(clock, () => warningsOf(api).length > 0);
    expect(warningsOf(api)[0]).toMatchObject({ detail: words });
    expect((await reportOf(api, id)).blocked).toEndWith(`: down: ${words}`);
  });
});
