import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#core/time/clock.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { unwrap } from "#core/errors/errors.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { BOUNCES } from "../../support/common/corpora.ts";

const VICTIM = "grace@example.com";

/** Real bounces and complaints of others, rewritten so that they accuse our victim. */
function forgeries(): string[] {
  const mails = readdirSync(BOUNCES).filter((name) => name.endsWith(".eml"));
  return mails.map((name) =>
    readFileSync(join(BOUNCES, name), "latin1").replaceAll(/[\w.+-]+@[\w-]+\.[\w.-]+/g, VICTIM),
  );
}

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.call("POST", "/contacts", { email: VICTIM });
});
afterAll(() => api.stop());

async function standing() {
  const { body } = await api.call("GET", `/contacts?q=${encodeURIComponent(VICTIM)}`);
  const suppressed = await api.services.suppressions.find(api.workspaceId, VICTIM);
  return { status: body.data[0].status, suppressed };
}

describe("a forged bounce or complaint (A-06)", () => {
  test("sent as mail to the server of captured mail suppresses nobody", async () => {
    const captured = await openCapturedMail(join(api.dataDir, "captured"), systemClock);
    const server = await startCaptureServer(captured);
    const session = smtpSession(unwrap(parseRelayUrls(server.url))[0]!, systemClock);
    expect(await session.open()).toBeNull();
    let accepted = 0;
    for (const mail of forgeries()) {
      const offer = await session.offer({ from: "mailer@example.net", to: "bounces@example.org" }, mail);
      if (offer.ok && "reply" in (await offer.finish())) accepted++;
    }
    void session.close();
    await server.close();
    expect(forgeries().length).toBe(284);
    expect(accepted).toBe(forgeries().length);
    expect(await standing()).toEqual({ status: "SUBSCRIBED", suppressed: null });
  });

  test("posted to any public address suppresses nobody", async () => {
    const paths = [
      "/",
      "/bounces",
      "/api/v1/bounces",
      "/webhooks/ses",
      "/u/forged",
      "/c/forged/0",
      "/o/forged",
    ];
    for (const mail of forgeries().slice(0, 40)) {
      for (const path of paths) {
        const { status } = await fetch(api.url + path, { method: "POST", body: mail });
        expect([401, 404, 405]).toContain(status);
      }
    }
    expect(await standing()).toEqual({ status: "SUBSCRIBED", suppressed: null });
  });
});
