/** A server that is killed while images come in, or while a test of a campaign goes out. */
import { afterEach, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import { dice, killSeed } from "../../support/common/dice.ts";
import { png } from "../../support/server/images.ts";
import { startPostrider, type RunningServer } from "../../support/server/postrider.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { addressesMailed, makeAudience, makeCampaign, startSending } from "../../support/sending/sending.ts";

const KILLS = 8;
const seed = killSeed();

let server: RunningServer | null = null;
afterEach(async () => {
  await server?.end("SIGKILL");
  server = null;
});

/** A data directory with a campaign that was never sent. */
async function prepared() {
  const api = await startSending();
  const { listId } = await makeAudience(api, 5);
  const campaignId = await makeCampaign(api, listId);
  await api.stop({ keep: true });
  return { dataDir: api.dataDir, key: api.key, campaignId };
}

const asking =
  (url: string, key: string) => async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { "content-type": "application/json" }),
    };
    const init = { method, headers, ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}) };
    const answer = await fetch(`${url}/api/v1${path}`, init);
    return { status: answer.status, body: (await answer.json()) as any };
  };

/** Images of about 2 MB, each another. */
const IMAGES = Array.from({ length: KILLS }, (_, n) =>
  png(3, 2, [["tEXt", Buffer.alloc(2_000_000, `image ${n} `)]]),
);

function uploadOf(file: Buffer): FormData {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file)]), "image.png");
  return form;
}

test(`uploads: killed at random ${KILLS} times, every image is there whole or not at all, KILL_SEED=${seed}`, async () => {
  const { dataDir, key } = await prepared();
  const random = dice(seed).fraction;
  let kept = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    server = await startPostrider(dataDir);
    const ask = asking(server.url, key);
    const uploading = ask("POST", "/media", uploadOf(present(IMAGES[kill], "image"))).then(
      ({ status }) => status,
      () => 0,
    );
    await Bun.sleep(random() * 150);
    await server.end("SIGKILL");
    // What was answered is kept; what was not may be.
    if ((await uploading) === 201) kept++;
    server = await startPostrider(dataDir);
    const again = asking(server.url, key);
    const { body } = await again("GET", "/media?limit=100");
    expect(body.data.length).toBeGreaterThanOrEqual(kept);
    for (const { url, bytes } of body.data) {
      const served = await fetch(url.replace(/^https?:\/\/[^/]+/, server.url));
      const file = Buffer.from(await served.arrayBuffer());
      expect([served.status, file.length]).toEqual([200, bytes]);
      expect(IMAGES.some((one) => one.equals(file))).toBeTrue();
    }
    const next = await again("POST", "/media", uploadOf(present(IMAGES[kill], "image")));
    expect(next.status).toBe(201);
    kept = (await again("GET", "/media?limit=100")).body.data.length;
    expect(kept).toBe(kill + 1);
    await server.end("SIGTERM");
  }
});

test(`tests of a campaign: killed at random ${KILLS} times, nothing counts and no reader is mailed, KILL_SEED=${seed}`, async () => {
  const { dataDir, key, campaignId } = await prepared();
  const relay = scriptedSmtp();
  const random = dice(seed + 1).fraction;
  const start = async () => {
    server = await startPostrider(dataDir, ["--smtp-url", relay.url]);
    return { running: server, ask: asking(server.url, key) };
  };
  const STATS = "/stats?from=2026-01-01T00:00:00Z&to=2028-01-01T00:00:00Z&step=day";
  const counted = async (ask: ReturnType<typeof asking>) => [
    (await ask("GET", `/campaigns/${campaignId}`)).body,
    (await ask("GET", `/campaigns/${campaignId}/report`)).body,
    (await ask("GET", `/campaigns/${campaignId}/deliveries`)).body,
    (await ask("GET", STATS)).body.data.totals,
  ];
  const { running, ask } = await start();
  const before = await counted(ask);
  await running.end("SIGTERM");
  for (let kill = 0; kill < KILLS; kill++) {
    const one = await start();
    const to = Array.from({ length: 5 }, (_, n) => `tester-${kill}-${n}@example.net`);
    const testing = one.ask("POST", `/campaigns/${campaignId}/test`, { to }).catch(() => null);
    await Bun.sleep(random() * 60);
    await one.running.end("SIGKILL");
    await testing;
  }
  const last = await start();
  expect(await counted(last.ask)).toEqual(before);
  const answer = await last.ask("POST", `/campaigns/${campaignId}/test`, { to: "last@example.net" });
  expect([answer.status, answer.body.data?.sent]).toEqual([200, 1]);
  expect(await counted(last.ask)).toEqual(before);
  await last.running.end("SIGTERM");
  const mailed = addressesMailed({ relay });
  expect(mailed.filter((address) => !address.endsWith("@example.net"))).toEqual([]);
  expect(new Set(mailed).size).toBe(mailed.length);
  relay.stop();
});
