import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually } from "../../support/common/eventually.ts";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { rowsFrom } from "../../support/server/services.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending({
    RCPT: ({ rcptTo }) => (rcptTo.at(-1) === "dead@example.com" ? "550 5.1.1 No" : undefined),
  });
});
afterAll(() => api.stop({ graceMs: 0 }));

test("a second mail to those who got the first and did not open it goes to them alone", async () => {
  const people = ["opens@example.com", "quiet@example.com", "leaves@example.com", "dead@example.com"];
  const { listId } = await makeAudience(api, people);
  const first = await makeCampaign(api, listId);
  await send(api, first);
  const raw = api.relay.accepted.find(({ rcptTo }) => rcptTo.includes("opens@example.com"))!.raw;
  const body = raw.replaceAll("=\r\n", "");
  const [pixel] = /\/o\/[A-Za-z0-9_-]+/.exec(body)!;
  expect((await fetch(api.url + pixel)).status).toBe(200);
  const statOf = async () => (await api.call("GET", `/campaigns/${first}`)).body.data.stat;
  await eventually(
    () => rowsFrom(api, "SELECT 1 AS opened FROM deliveries WHERE opened_at IS NOT NULL").length > 0,
  );
  expect(await statOf()).toMatchObject({ sent: 3, opened: 1 });
  const { data } = (await api.call("GET", "/contacts?q=leaves")).body;
  await api.call("PATCH", `/contacts/${data[0].id}`, { status: "UNSUBSCRIBED" });
  await makeAudience(api, ["new@example.com"]);

  const rules = {
    all: [
      { field: "received", op: "equals", value: first },
      { field: "opened", op: "notEquals", value: first },
    ],
  };
  const segment = (await api.call("POST", "/segments", { name: "Did not open", rules })).body.data.id;
  const again = (await api.call("POST", `/campaigns/${first}/duplicate`)).body.data.id;
  await api.call("PATCH", `/campaigns/${again}/options`, { segmentId: segment });
  const check = (await api.call("POST", `/campaigns/${again}/check`)).body.data;
  expect(check).toMatchObject({ recipients: 1, skipped: {}, refusal: null });
  const before = api.relay.accepted.length;
  expect((await send(api, again)).body.data).toMatchObject({ sent: 1, complete: true });
  expect(api.relay.accepted.slice(before).map(({ rcptTo }) => rcptTo.join())).toEqual(["quiet@example.com"]);
});
