import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chain, enrollmentsOf, live, pass, settled } from "../../support/automations/automations.ts";
import { edges, node, mail, NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { consentLog, contactOf, listOf, person, suppressions } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { drivenUntil, numberIn, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { HOUR } from "../../support/common/durations.ts";

/** A Monday, 09:00 UTC. */
let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const record = (name: string, email: string, more: object = {}) =>
  api.call("POST", "/events", { name, email, ...more });
const done = () => settled(api, clock);

describe("what a run does", () => {
  test("add_tag, remove_tag, set_field, add_to_list, remove_from_list", async () => {
    const [joined, left] = [await listOf(api, "Joined"), await listOf(api, "Left")];
    await live(
      api,
      chain(
        { trigger: "tag_added", tag: "go" },
        ["a", "action", { action: "add_tag", tag: "new" }],
        ["b", "action", { action: "remove_tag", tag: "go" }],
        ["c", "action", { action: "set_field", field: "firstName", value: "Ada" }],
        ["d", "action", { action: "add_to_list", listId: joined }],
        ["e", "action", { action: "remove_from_list", listId: left }],
      ),
    );
    const { id } = await person(api, "ada@example.com", { lastName: "Lovelace" });
    await api.call("POST", `/lists/${left}/contacts`, { contactId: id });
    await api.call("PATCH", `/contacts/${id}`, { tags: ["old", "go"] });
    await done();
    const { tags, firstName, lastName } = (await api.call("GET", `/contacts/${id}`)).body.data;
    expect([tags, firstName, lastName]).toEqual([["old", "new"], "Ada", "Lovelace"]);
    expect((await api.call("GET", `/contacts/${id}/lists`)).body.data.map(({ name }: any) => name)).toEqual([
      "Joined",
    ]);
    expect((await api.call("GET", "/contacts?q=ADA L")).body.pagination.total).toBe(0);
    expect((await api.call("GET", "/contacts?tag=new")).body.pagination.total).toBe(1);
  });

  test("unsubscribe opts out, is logged, suppresses and takes off every list; mail behind it is skipped, the run goes on", async () => {
    const id = await live(
      api,
      chain(
        { trigger: "tag_added", tag: "bye" },
        ["a", "action", { action: "unsubscribe" }],
        ["b", "action", mail("Never")],
        ["c", "action", { action: "add_tag", tag: "out" }],
      ),
    );
    const list = await listOf(api, "News");
    const ada = await person(api, "ada@example.com");
    await api.call("POST", `/lists/${list}/contacts`, { contactId: ada.id });
    await api.call("PATCH", `/contacts/${ada.id}`, { tags: ["bye"] });
    await done();
    const contact = await contactOf(api, "ada@example.com");
    expect([contact.status, contact.tags]).toEqual(["UNSUBSCRIBED", ["bye", "out"]]);
    expect(await suppressions(api)).toEqual({ "ada@example.com": "UNSUBSCRIBED" });
    expect(await consentLog(api)).toEqual(["WITHDRAWN ada@example.com admin"]);
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(0);
    expect(mailOf(api)).toEqual([]);
    expect((await enrollmentsOf(api, id))[0].status).toBe("COMPLETED");
  });

  test.each([
    [
      "PENDING",
      async () => {
        await record("go", "ada@example.com");
      },
    ],
    [
      "suppressed",
      async () => {
        await person(api, "ada@example.com");
        await api.services.suppressions.add(api.workspaceId, "ada@example.com", "COMPLAINT");
        await record("go", "ada@example.com");
      },
    ],
  ] as const)("nobody who is %s is mailed, and their run goes on", async (_, make) => {
    const id = await live(
      api,
      chain({ trigger: "custom_event", eventName: "go" }, ["m", "action", mail("Hi")], ["out", "end"]),
    );
    await make();
    await done();
    expect(mailOf(api)).toEqual([]);
    expect(await numberIn(api, "SELECT count(*) FROM deliveries")).toBe(0);
    expect(
      (await enrollmentsOf(api, id)).map(({ status, currentNodeId }) => [status, currentNodeId]),
    ).toEqual([["COMPLETED", "out"]]);
  });

  test("the event that started it fills the mail in, subject on one line", async () => {
    await live(
      api,
      chain({ trigger: "custom_event", eventName: "paid" }, [
        "m",
        "action",
        mail(
          "Thanks for {{ event.properties.plan }} ({{ event.valueCents }} {{ event.currency }}){{ unknown.name }}",
        ),
      ]),
    );
    await person(api, "ada@example.com");
    await record("paid", "ada@example.com", {
      value: 9.9,
      currency: "eur",
      properties: { plan: "Pro\r\nBcc: x@y.z" },
    });
    await done();
    expect(mailOf(api)).toEqual(["ada@example.com: Thanks for Pro Bcc: x@y.z (990 EUR)"]);
  });

  test("MJML is compiled once and filled in per contact", async () => {
    const mjml =
      "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ contact.firstName }}</mj-text></mj-column></mj-section></mj-body></mjml>";
    await live(api, chain(NEW, ["m", "action", { action: "send_email", subject: "Hi", mjml }]));
    await person(api, "ada@example.com", { firstName: "Ada" });
    await person(api, "grace@example.org", { firstName: "Grace" });
    await done();
    expect(api.relay.accepted.map(({ raw }) => /Dear (\w+)/.exec(raw)![1]!).toSorted()).toEqual([
      "Ada",
      "Grace",
    ]);
  });

  test("an event's mail reaches one contact once for each event, the same address twice", async () => {
    await live(
      api,
      chain({ trigger: "custom_event", eventName: "paid" }, [
        "m",
        "action",
        mail("{{ event.properties.no }}"),
      ]),
    );
    await person(api, "ada@example.com");
    for (const no of [1, 2]) {
      await record("paid", "ada@example.com", { properties: { no } });
      await done();
    }
    expect(mailOf(api)).toEqual(["ada@example.com: 1", "ada@example.com: 2"]);
  });
});

describe("conditions", () => {
  const branches = (tests: object) => ({
    nodes: [
      node("in", "trigger", { trigger: "custom_event", eventName: "go" }),
      node("if", "condition", tests as never),
      node("yes", "action", { action: "add_tag", tag: "yes" }),
      node("no", "action", { action: "add_tag", tag: "no" }),
    ],
    edges: edges("in>if", "if>yes true", "if>no false"),
  });

  test("every field, both ways, over the facts the database has", async () => {
    const list = await listOf(api, "News");
    await api.services.scoring.add(api.workspaceId, { event: "paid", minValueCents: 500, points: 7 });
    const ada = await person(api, "ada@example.com", { firstName: "Ada", tags: ["vip"] });
    await api.call("POST", `/lists/${list}/contacts`, { contactId: ada.id });
    await record("paid", "ada@example.com", { valueCents: 900 });
    await record("paid", "ada@example.com", { valueCents: 100 });
    const table: readonly (readonly [object, boolean])[] = [
      [{ field: "status", op: "equals", value: "subscribed" }, true],
      [{ field: "email", op: "contains", value: "@EXAMPLE.com" }, true],
      [{ field: "firstName", op: "exists" }, true],
      [{ field: "lastName", op: "exists" }, false],
      [{ field: "tag", op: "equals", value: "vip" }, true],
      [{ field: "tag", op: "equals", value: "VIP" }, false],
      [{ field: "list", op: "contains", value: list }, true],
      [{ field: "list", op: "notEquals", value: list }, false],
      [{ field: "score", op: "equals", value: 7 }, true],
      [{ field: "score", op: "greaterThan", value: 7 }, false],
      [{ field: "event", op: "exists", value: "Paid", withinDays: 1 }, true],
      [{ field: "event", op: "exists", value: "refunded" }, false],
      [{ field: "trigger.cart.total", op: "lessThan", value: 10 }, true],
      [{ field: "trigger.cart.none", op: "exists" }, false],
    ];
    for (const [entry] of table) await live(api, branches({ all: [entry] }));
    await record("go", "ada@example.com", { properties: { cart: { total: 9.5 } } });
    await done();
    const nodes = await api.place.values(api.services, "SELECT node FROM enrollments ORDER BY automation");
    expect(nodes.map((at, index) => [table[index]![0], at])).toEqual(
      table.map(([entry, holds]) => [entry, holds ? "yes" : "no"]),
    );
  });

  test("opened and clicked look at this automation's mail of that node", async () => {
    const flow = {
      nodes: [
        node("in", "trigger", NEW),
        node("m", "action", mail("Hi", { html: '<a href="https://example.org/x">x</a>' })),
        node("wait", "wait", { amount: 1, unit: "hours" }),
        node("opened", "condition", { all: [{ field: "opened", op: "equals", value: "m" }] }),
        node("clicked", "condition", { all: [{ field: "clicked", op: "equals", value: "m" }] }),
        node("both", "end"),
        node("only", "end"),
        node("none", "end"),
      ],
      edges: edges(
        "in>m",
        "m>wait",
        "wait>opened",
        "opened>clicked true",
        "opened>none false",
        "clicked>both true",
        "clicked>only false",
      ),
    };
    const id = await live(api, flow);
    for (const email of ["click@example.com", "open@example.com", "none@example.com"])
      await person(api, email);
    await done();
    const linkOf = (email: string, kind: string) => {
      const { raw } = api.relay.accepted.find(({ rcptTo }) => rcptTo.includes(email))!;
      return new RegExp(`mail\\.example\\.org(/${kind}/[\\w/-]+)`).exec(raw.replaceAll("=\r\n", ""))![1]!;
    };
    const browser = {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
      redirect: "manual",
    } as const;
    await fetch(api.url + linkOf("click@example.com", "c"), browser);
    await fetch(api.url + linkOf("open@example.com", "o"), browser);
    await drivenUntil(
      clock,
      async () =>
        (await numberIn(api, "SELECT count(*) FROM deliveries WHERE opened_at > 0 OR clicked_at > 0")) === 2,
    );
    await pass(api, clock, HOUR);
    expect((await enrollmentsOf(api, id)).map(({ currentNodeId }) => currentNodeId)).toEqual([
      "none",
      "only",
      "both",
    ]);
  });

  test("a missing branch ends the run, COMPLETED", async () => {
    const flow = branches({ all: [{ field: "tag", op: "equals", value: "vip" }] });
    const id = await live(api, { ...flow, edges: edges("in>if", "if>yes true") });
    await record("go", "ada@example.com");
    await done();
    expect(
      (await enrollmentsOf(api, id)).map(({ status, currentNodeId }) => [status, currentNodeId]),
    ).toEqual([["COMPLETED", "if"]]);
  });
});
