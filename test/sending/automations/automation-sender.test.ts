/** Mail that an automation or a form planned while the workspace's sender or its DKIM key was being changed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { chain, live } from "../../support/automations/automations.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { newForm } from "../../support/people/forms.ts";
import { writeTo } from "../../support/server/services.ts";
import { PEM, verdictsOn } from "../../support/sending/dkim.ts";
import {
  driven,
  drivenUntil,
  headerOf,
  numberOf,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
let clock: ManualClock;
let file = "";
let slowsDown = false;

const change = (settings: object) => api.services.workspaces.changeSettings(api.workspaceId, settings);

/** The sender is news@shop.example.org; example.org signs its mail. Who subscribes gets a letter. */
beforeEach(async () => {
  clock = manualClock();
  slowsDown = false;
  const tooFast = "454 4.7.0 Throttling failure: Maximum sending rate exceeded.";
  api = await startSending({ DATA: () => (slowsDown ? tooFast : undefined) }, { clock });
  file = `${api.dataDir}/key.pem`;
  writeFileSync(file, PEM);
  await change({ dkimDomain: "example.org", dkimSelector: "s1", dkimPrivateKeyFile: file });
  const welcome = { action: "send_email", subject: "Welcome", html: "<p>Hello {{ contact.email }}</p>" };
  await live(api, chain({ trigger: "new_subscriber" }, ["hello", "action", welcome], ["out", "end"]));
});
afterEach(() => api.stop({ graceMs: 0 }));

/** Somebody subscribes, and the letter is planned. */
async function join(email: string): Promise<void> {
  const planned = (): number => numberOf(api, "SELECT count(*) AS n FROM deliveries");
  const before = planned();
  await driven(clock, person(api, email));
  await drivenUntil(clock, () => planned() > before);
}
async function minutes(count: number): Promise<void> {
  const until = clock.now() + count * 60_000;
  await drivenUntil(clock, () => clock.now() >= until, 100);
}
/** Within ten minutes. */
async function mailed(count: number): Promise<void> {
  const until = clock.now() + 600_000;
  await drivenUntil(clock, () => api.relay.accepted.length === count || clock.now() >= until, 100);
}
const sendersOf = () =>
  api.relay.accepted.map(
    ({ mailFrom, rcptTo, raw }) => `${rcptTo[0]}: ${mailFrom}, ${headerOf(raw, "From")}`,
  );

test("goes out when the key's file is there again", async () => {
  rmSync(file);
  await join("ada@example.com");
  await minutes(10);
  expect(api.relay.transactions).toBe(0);
  writeFileSync(file, PEM);
  await mailed(1);
});

const problems = async (): Promise<{ nodeId: string; path: string; message: string }[]> => {
  const { body } = await driven(clock, api.call("GET", "/automations"));
  const path = `/automations/${body.data[0].id}/problems`;
  return (await driven(clock, api.call("GET", path))).body.data;
};

test("is a problem of its step while it waits, with how many there are and what to do; then it is none", async () => {
  await join("ada@example.com");
  await mailed(1);
  expect(await problems()).toEqual([]);
  await change({ dkimDomain: "new.example" });
  await join("grace@example.com");
  await join("alan@example.com");
  await minutes(3);
  const waits = { nodeId: "hello", path: "nodes[1].id" };
  expect(await problems()).toEqual([
    {
      ...waits,
      message:
        "Messages of this step that wait: 2. Mail from news@shop.example.org cannot be signed by new.example: " +
        "the DKIM domain must be shop.example.org or a domain above it. They go out when that is put right.",
    },
  ]);
  await change({ sending: false });
  await minutes(1);
  expect(await problems()).toMatchObject([{ ...waits, message: expect.stringContaining("turned off") }]);
  await change({ sending: true, dkimDomain: "example.org" });
  await mailed(3);
  expect(await problems()).toEqual([]);
});

test("is no problem while it waits for the end of the quiet hours", async () => {
  await change({ dkimDomain: "new.example" });
  await join("ada@example.com");
  await change({ dkimDomain: "example.org", quietHours: { fromMinute: 0, toMinute: 1439 } });
  await minutes(3);
  expect([api.relay.transactions, await problems()]).toEqual([0, []]);
});

test("is no problem while the relay limits the rate, which it takes again by itself", async () => {
  await change({ dkimDomain: "new.example" });
  await join("ada@example.com");
  await join("grace@example.com");
  slowsDown = true;
  await change({ dkimDomain: "example.org" });
  await drivenUntil(clock, () => api.sending.relayTroubles().length > 0, 100);
  expect(api.sending.relayTroubles()).toMatchObject([{ trouble: expect.stringMatching(/^rate: 454/) }]);
  expect(await problems()).toEqual([]);
  slowsDown = false;
  await mailed(2);
});

test("that a restored copy had queued is a problem until somebody releases it", async () => {
  rmSync(file);
  await join("ada@example.com");
  await writeTo(api, "UPDATE mailings SET held = 1");
  await minutes(1);
  expect(await problems()).toEqual([
    {
      nodeId: "hello",
      path: "nodes[1].id",
      message: expect.stringMatching(
        /^Messages of this step that are held: 1\. The database was restored .* `postrider automation release aut_\w+`\.$/,
      ),
    },
  ]);
});

test("goes out with today's sender when the workspace moved to another domain", async () => {
  // Between these two, the old sender's mail cannot be signed.
  await change({ dkimDomain: "new.example" });
  await join("ada@example.com");
  await minutes(10);
  expect(api.relay.transactions).toBe(0);
  await change({ fromEmail: "news@new.example", fromName: "The new shop" });
  await join("grace@example.com");
  await mailed(2);
  expect(sendersOf().toSorted()).toEqual([
    "ada@example.com: news@new.example, The new shop <news@new.example>",
    "grace@example.com: news@new.example, The new shop <news@new.example>",
  ]);
  for (const { raw } of api.relay.accepted)
    expect(await verdictsOn(raw, "new.example", "s1")).toEqual(["pass new.example"]);
});

test("keeps the sender that it was planned with while that can be signed", async () => {
  rmSync(file);
  await join("ada@example.com");
  await change({ fromEmail: "hello@example.org" });
  writeFileSync(file, PEM);
  await mailed(1);
  expect(sendersOf()).toEqual(["ada@example.com: news@shop.example.org, Ada's Shop <news@shop.example.org>"]);
});

test("also after a restart, and when the old domain came back", async () => {
  await change({ dkimDomain: "new.example" });
  await join("ada@example.com");
  api = await api.restart();
  await change({ fromEmail: "news@new.example", dkimDomain: "example.com" });
  await minutes(3);
  expect(api.relay.transactions).toBe(0);
  await change({ fromEmail: "news@shop.example.org", dkimDomain: "example.org" });
  await mailed(1);
  expect(sendersOf()).toEqual(["ada@example.com: news@shop.example.org, Ada's Shop <news@shop.example.org>"]);
});

test("so does a confirmation: who signed up meanwhile gets one", async () => {
  await change({ doubleOptIn: true, dkimDomain: "new.example" });
  const form = await driven(clock, newForm(api));
  const body = JSON.stringify({ email: "ada@example.com" });
  await driven(clock, fetch(`${api.url}/api/forms/${form.id}/submit`, { method: "POST", body }));
  await minutes(3);
  expect(api.relay.transactions).toBe(0);
  await change({ fromEmail: "news@new.example", fromName: "The new shop" });
  await mailed(1);
  expect(sendersOf()).toEqual(["ada@example.com: news@new.example, The new shop <news@new.example>"]);
  expect(await verdictsOn(api.relay.accepted[0]?.raw ?? "", "new.example", "s1")).toEqual([
    "pass new.example",
  ]);
});
