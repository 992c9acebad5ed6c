/** What one node gave out, another knows: a load balancer may send each request elsewhere. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { VERSION } from "#version.ts";
import { BASE_URL, startApi, type TestApi } from "../../../support/server/api.ts";
import { authenticator } from "../../../support/server/authenticator.ts";
import { postgresPlace } from "../../../support/server/services.ts";
import { newCampaign, newList } from "../../../support/sending/campaigns.ts";
import { asked, PASSWORD, personWith, signedIn } from "../../../support/server/signed-in.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

describe.skipIf(await lacksPostgres())("two nodes behind a load balancer", () => {
  let one: TestApi;
  let other: TestApi;
  let otherDirectory = "";
  beforeAll(async () => {
    one = await startApi({ place: await postgresPlace("two nodes") });
    otherDirectory = mkdtempSync(join(tmpdir(), "postrider-test-"));
    other = await startApi({ home: { ...one, dataDir: otherDirectory } });
  });
  afterAll(async () => {
    await other.stop({ keep: true });
    rmSync(otherDirectory, { recursive: true });
    await one.stop();
  });

  test("list each other, and who of them answered; only for who owns every workspace", async () => {
    const ada = await signedIn(one);
    const listed = async (node: TestApi) => (await personWith(node, ada).call("GET", "/nodes")).body.data;
    const [here, there] = [await listed(one), await listed(other)];
    const shown = { name: expect.any(String), version: VERSION, state: "LIVE", slices: 0 };
    const times = { startedAt: expect.any(String), lastSeenAt: expect.any(String) };
    expect(here).toEqual(
      [true, false].map((isNewest) => ({
        ...shown,
        ...times,
        number: expect.any(Number),
        answered: !isNewest,
      })),
    );
    expect(there.map(({ answered }: { answered: boolean }) => answered)).toEqual([true, false]);
    expect(here[0].number).toBeGreaterThan(here[1].number);

    const third = await startApi({ home: { ...one, dataDir: otherDirectory, starts: 7 } });
    await third.stop({ keep: true });
    const after = await listed(one);
    expect(after.map(({ state }: { state: string }) => state)).toEqual(["ENDED", "LIVE", "LIVE"]);

    const editor = await signedIn(one, "editor");
    const refused = await editor.call("GET", "/nodes");
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect((await one.call("GET", "/nodes")).status).toBe(403);
  });

  test("say at /health how many they are", async () => {
    const counted = async (node: TestApi): Promise<number> => {
      const health = (await (await fetch(`${node.url}/health`)).json()) as { nodes: number };
      return health.nodes;
    };
    await eventually(async () => (await counted(one)) === 2 && (await counted(other)) === 2);
  });

  test("know the challenges that the other gave out, and which were used", async () => {
    const ada = await signedIn(one);
    const adaThere = personWith(other, ada);
    const phone = authenticator({ host: new URL(BASE_URL).hostname, origin: BASE_URL });
    // It does not count its signatures: nothing but the challenge tells a second use.
    const proposed = await ada.call("POST", "/session/passkeys/options", { password: PASSWORD });
    const credential = phone.create(proposed.body.data, { counter: 0 });
    const added = await adaThere.call("POST", "/session/passkeys", { name: "Phone", credential });
    expect(added.status).toBe(201);
    const again = await ada.call("POST", "/session/passkeys", { name: "Phone", credential });
    expect(again.status).toBe(422);

    const { data } = (await asked(one, "POST", "/session/passkey/options")).body;
    const use = { credential: phone.get(data, { counter: 0 }) };
    const both = await Promise.all([one, other].map((node) => asked(node, "POST", "/session/passkey", use)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test("show the letters that the other was given, and make room for them together", async () => {
    const look = async (node: TestApi, html: string): Promise<string> =>
      (await node.call("POST", "/letters/preview", { html })).body.data.path;
    const shown = (node: TestApi, path: string) => fetch(node.url + path);
    const small = await look(one, "<p>Grüße</p>");
    expect(await (await shown(other, small)).text()).toContain("<p>Grüße</p>");
    const whole = "x".repeat(1024 * 1024);
    const [second, third] = [await look(one, whole), await look(other, whole)];
    const statuses = await Promise.all([small, second, third].map((path) => shown(one, path)));
    expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200]);
    expect(await statuses[2]!.text()).toContain(whole);
  });

  test("say both why a send is refused, although only one of them makes its plan", async () => {
    await one.call("PATCH", "/settings", {
      mailingAddress: "1 Analytical Way",
      fromEmail: "ada@example.com",
    });
    const listId = await newList(one);
    await one.call("POST", "/contacts", { email: "ada@example.com", listIds: [listId] });
    const body = { excludeEmails: ["ada@example.com"] };
    for (let times = 1; times <= 4; times++) {
      const { id } = await newCampaign(one, { listId });
      const send = (node: TestApi) => node.call("POST", `/campaigns/${id}/send`, body);
      const [here, there] = await Promise.all([send(one), send(other)]);
      expect(here).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_ERROR" } } });
      expect(there.body).toEqual(here.body);
    }
  });
});
