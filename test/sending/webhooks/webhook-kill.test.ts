import { expect, test } from "bun:test";
import { dice, killSeed } from "../../support/common/dice.ts";
import { eventually } from "../../support/common/eventually.ts";
import { dataOf } from "../../support/server/data-of.ts";
import {
  postrider,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";
import { verify } from "../../support/webhooks/webhooks.ts";
import { webhookTarget } from "../../support/webhooks/webhook-target.ts";

const PEOPLE = 400;
const AT_ONCE = 20;
const KILLS = 8;
const seed = killSeed();
const chance = dice(seed);

/** Posts every address until it was answered, even if the server is killed meanwhile; goes on while `goesOn`. */
async function postAll(urlOf: () => string, key: string, goesOn: () => boolean): Promise<void> {
  const waiting = Array.from({ length: PEOPLE }, (_, i) => i);
  let more = PEOPLE;
  const next = (): number | undefined => waiting.shift() ?? (goesOn() ? more++ : undefined);
  const postSome = async (): Promise<void> => {
    for (let i = next(); i !== undefined; i = next()) {
      const init = { method: "POST", headers: { authorization: `Bearer ${key}` } };
      const body = JSON.stringify({ email: `reader-${i}@example.com` });
      const answer = await fetch(`${urlOf()}/api/v1/contacts`, { ...init, body }).catch(() => null);
      if (answer === null) waiting.push(i);
      await Bun.sleep(answer === null ? 20 : 5);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, postSome));
}

test(`a server that is killed tells of everything that happened, and of nothing else, each under one id, KILL_SEED=${seed}`, async () => {
  const { path: dataDir, remove } = temporaryDirectory();
  const target = webhookTarget();
  target.answers = [async () => (await Bun.sleep(chance.fraction() * 20), new Response("ok"))];
  let server: RunningServer = await startPostrider(dataDir);
  const key = /API key\s+(pr_\S{43})/.exec(server.out())![1]!;
  expect((await postrider(dataDir, ["settings", "set", "allowPrivateWebhooks=on"])).code).toBe(0);
  const url = `http://127.0.0.1:${target.port}/hook`;
  const made = await fetch(`${server.url}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ url, events: ["contact.created"] }),
  });
  const { secret } = ((await made.json()) as any).data;
  let kills = 0;
  const posting = postAll(
    () => server.url,
    key,
    () => kills < KILLS,
  );
  for (; kills < KILLS; kills++) {
    await Bun.sleep(chance.fraction() * 200);
    await server.end("SIGKILL");
    server = await startPostrider(dataDir);
  }
  await posting;
  const database = await dataOf(dataDir);
  await eventually(() => database.count("webhook_deliveries WHERE state = 'PENDING'") === 0);
  await server.end("SIGKILL");

  const bodies = new Map<string, Set<string>>();
  for (const message of target.received) {
    verify(secret, message);
    const id = message.headers.get("webhook-id")!;
    bodies.set(id, (bodies.get(id) ?? new Set()).add(message.body));
  }
  const told = [...bodies.values()].map(([body]) => String(JSON.parse(body!).data.contact.email));
  const contacts = database.rows<{ email: string }>("SELECT email FROM contacts");
  console.log(
    `webhooks under kills: ${JSON.stringify({ kills, contacts: contacts.length, received: target.received.length })}`,
  );
  expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(told.toSorted()).toEqual(contacts.map(({ email }) => email).toSorted());
  await database.close();
  target.stop();
  remove();
});
