import { afterEach, beforeEach, expect, test } from "bun:test";
import { chain, enrollmentsOf, live, settled } from "../../support/automations/automations.ts";
import { NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";
import { drivenUntil, startSending, type SendingApi } from "../../support/sending/sending.ts";

let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop({ graceMs: 0 });
});

const set = (name: string, value?: string | number) => ({
  action: "set_field",
  field: `attributes.${name}`,
  ...(value === undefined ? {} : { value }),
});
const attributesOf = async (id: string): Promise<unknown> =>
  (await api.call("GET", `/contacts/${id}?include=attributes`)).body.data.attributes;

test("set_field sets and clears attributes, each step seeing what the one before wrote", async () => {
  const id = await live(
    api,
    chain(
      { trigger: "custom_event", eventName: "order_placed" },
      ["a", "action", set("plan", "{{ event.properties.plan | upcase }}")],
      ["b", "action", set("told", "{{ contact.attributes.plan }} for {{ contact.firstName }}")],
      ["c", "action", set("old")],
      ["d", "action", set("orders", 1)],
    ),
  );
  const ada = await person(api, "ada@example.com", {
    firstName: "Ada",
    attributes: { old: "x", kept: true },
  });
  await api.call("POST", "/events", {
    name: "order_placed",
    email: "ada@example.com",
    properties: { plan: "pro" },
  });
  await settled(api, clock);
  expect((await enrollmentsOf(api, id)).map(({ status }) => status)).toEqual(["COMPLETED"]);
  expect(await attributesOf(ada.id)).toEqual({ kept: true, plan: "PRO", told: "PRO for Ada", orders: 1 });
  const names = (await api.call("GET", "/attributes")).body.data.map(({ name }: any) => name);
  expect(names).toEqual(["kept", "orders", "plan", "told"]);
});

test("a value beyond a limit FAILS with a reason, and changes nothing", async () => {
  const id = await live(api, chain(NEW, ["a", "action", set("one_more", "x")]));
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, 1]));
  const ada = await person(api, "ada@example.com", { attributes });
  await settled(api, clock);
  const [run] = await enrollmentsOf(api, id);
  expect([run.status, run.errorMessage]).toEqual(["FAILED", expect.stringContaining("at most 100")]);
  expect(await attributesOf(ada.id)).toEqual(attributes);
});

test("mail fills in contact.attributes, escaped in HTML, raw in the subject", async () => {
  await live(
    api,
    chain(NEW, [
      "m",
      "action",
      {
        action: "send_email",
        subject: "Hello {{ contact.attributes.city }}",
        html: "<p>{{ contact.attributes.city }}, {{ contact.attributes.age | plus: 1 }}, {{ contact.attributes.colours | join: '/' }}[{{ contact.attributes.none }}]</p>",
      },
    ]),
  );
  await person(api, "ada@example.com", { attributes: { city: "A & B", age: 36, colours: ["red", "green"] } });
  await drivenUntil(clock, () => api.relay.accepted.length === 1);
  const { raw } = api.relay.accepted[0]!;
  expect(raw).toContain("Subject: Hello A & B");
  expect(raw).toContain("<p>A &amp; B, 37, red/green[]</p>");
});
