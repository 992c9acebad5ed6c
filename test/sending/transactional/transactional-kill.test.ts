import { afterEach, describe, expect, test } from "bun:test";
import type { Answer } from "../../support/server/api.ts";
import { startPostrider, type RunningServer } from "../../support/server/postrider.ts";
import { scriptedSmtp, type Script, type ServerStage } from "../../support/sending/scripted-smtp.ts";
import { addressesMailed, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { usageOf } from "../../support/sending/sending-state.ts";
import { startApi } from "../../support/server/api.ts";
import { isPostgres } from "../../support/server/services.ts";

let api: SendingApi;
const start = async (on: Script = {}, options: Parameters<typeof startSending>[1] = {}) =>
  (api = await startSending(on, options));
afterEach(() => api.stop({ graceMs: 0 }));

// On PostgreSQL it is a node that is killed: chaos.test.ts.
describe.skipIf(isPostgres)("a server that is killed in the middle of a request", () => {
  const STAGES: readonly ServerStage[] = ["CONNECT", "MAIL", "RCPT", "DATA", "BODY", "DOT"];

  test("mails nobody twice: the key stays closed, what was queued has failed, what stood at its dot is uncertain", async () => {
    let killAt: ServerStage | null = null;
    let server: RunningServer | null = null;
    const ended = () => server!.end("SIGKILL");
    const on = Object.fromEntries(
      STAGES.map((stage) => [
        stage,
        () => (stage === killAt ? { reply: "", and: "stall", kept: true, after: ended() } : undefined),
      ]),
    );
    const relay = scriptedSmtp({ on });
    api = await startSending({}, {});
    await api.stop({ keep: true });
    for (const stage of STAGES) {
      server = await startPostrider(api.dataDir, ["--smtp-url", relay.url]);
      killAt = stage;
      const address = `${stage.toLowerCase()}@example.com`;
      const ask = (): Promise<number | string> =>
        askOf(server!.url, { to: address, subject: "S", text: "T" }, stage);
      expect(await ask().catch(() => "cut off")).toBe("cut off");
      killAt = null;
      server = await startPostrider(api.dataDir, ["--smtp-url", relay.url]);
      expect(await ask()).toBe(409);
      await server.end("SIGKILL");
    }
    const mailed = addressesMailed({ relay });
    expect(mailed).toEqual(["dot@example.com"]);
    relay.stop();
    const after = await startApi({ home: api });
    const rows = after.services.database.sqlite
      .query<{ address: string; state: string; reason: string }, []>(
        "SELECT address, state, reason FROM deliveries ORDER BY seq",
      )
      .all();
    // On a busy machine the server has written its dot down before the first byte of the message was seen.
    const states = rows.map((row) =>
      row.address === "body@example.com" ? { ...row, state: "either" } : row,
    );
    expect(rows.find(({ address }) => address === "body@example.com")?.state).toBeOneOf([
      "failed",
      "uncertain",
    ]);
    const stateOf: { [stage in ServerStage]?: string } = { BODY: "either", DOT: "uncertain" };
    expect(states).toEqual(
      STAGES.map((stage) => ({
        address: `${stage.toLowerCase()}@example.com`,
        state: stateOf[stage] ?? "failed",
        reason: "SERVER_STOPPED",
      })),
    );
    // Only what is uncertain still counts.
    expect(Object.values(usageOf(after))).toEqual([rows.filter(({ state }) => state === "uncertain").length]);
    await after.stop();
    await start();
  });

  async function askOf(url: string, body: object, key: string): Promise<Answer["status"]> {
    const headers = { authorization: `Bearer ${api.key}`, "idempotency-key": key };
    const response = await fetch(`${url}/api/v1/send`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  }
});
