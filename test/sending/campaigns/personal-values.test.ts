import { afterEach, describe, expect, test } from "bun:test";
import type { Script } from "../../support/sending/scripted-smtp.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  numberOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { standingClock } from "../../support/sending/sending-state.ts";
import { decodedPart } from "../../support/sending/marketing-fixture.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";
import { HOUR } from "../../support/common/durations.ts";

const NOW = Date.UTC(2026, 10, 21, 10);
const clock = standingClock(NOW);

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const start = async (on: Script, connections: number): Promise<void> => {
  clock.at = NOW;
  api = await startSending(on, { clock, connections });
};

const rename = (firstName: string): Promise<void> =>
  writeTo(api, `UPDATE contacts SET first_name = '${firstName}'`);

async function personalCampaign(addresses: readonly string[], body: string): Promise<string> {
  const id = await makeCampaign(api, (await makeAudience(api, addresses)).listId, { body });
  expect((await api.call("PATCH", `/campaigns/${id}/options`, { personalize: true })).status).toBe(200);
  return id;
}

const sent = (): number => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'sent'");

const htmlTo = (address: string): string =>
  decodedPart(api.relay.accepted.find(({ rcptTo }) => rcptTo.includes(address))?.raw ?? "", 1);

describe("the values of a message", () => {
  test("are the contact's of its own moment, not of the moment when many rows were read", async () => {
    const addresses = Array.from({ length: 20 }, (_, n) => `reader-${n}@example.com`);
    await start(
      {
        DOT: ({ message }) => {
          if (message !== 5) return;
          clock.at += 2_000;
          return { reply: "250 2.0.0 Taken", and: "go on", after: rename("Later") };
        },
      },
      1,
    );
    await rename("Early");
    const id = await personalCampaign(addresses, "<p>Dear {{ contact.firstName }}.</p>");
    await rename("Early");
    await send(api, id);
    await eventually(() => sent() === 20);
    const said = api.relay.accepted.map(({ raw }) => /Dear (\w+)\./.exec(decodedPart(raw, 1))?.[1]);
    expect(said.slice(0, 4)).toEqual(Array(4).fill("Early"));
    // The next two were composed while the fifth was at its dot, or just before.
    expect(said.slice(7)).toEqual(Array(13).fill("Later"));
  });

  test("that make a link are stored anew at another attempt, also after a restart", async () => {
    const addresses = ["first@example.com", "second@example.com"];
    let refusals = 1;
    const on: Script = {
      DOT: ({ rcptTo }) =>
        rcptTo.includes("second@example.com") && refusals-- > 0 ? "451 4.3.0 later" : undefined,
    };
    await start(on, 1);
    const id = await personalCampaign(
      addresses,
      '<p>Hi <a href="https://shop.example.org/{{ contact.email }}/{{ contact.firstName }}">x</a></p>',
    );
    await rename("One");
    await send(api, id);
    await eventually(() => sent() === 1);
    const first = { url: "https://shop.example.org/first@example.com/One" };
    const stored = () => rowsFrom(api, "SELECT url FROM delivery_links ORDER BY delivery");
    await eventually(() => stored().length === 2);
    expect(stored()).toEqual([first, { url: "https://shop.example.org/second@example.com/One" }]);
    clock.at += HOUR;
    api = await api.restart();
    await rename("Two");
    await eventually(() => sent() === 2);
    expect(stored()).toEqual([first, { url: "https://shop.example.org/second@example.com/Two" }]);
    expect(htmlTo("second@example.com")).toContain("/c/");
  });
});
