import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chain, enrollmentsOf, live, pass, settled } from "../../support/automations/automations.ts";
import { edges, node, mail, NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { drivenUntil, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";
import { refusing, trap } from "../../support/storage/traps.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

/** A Monday, 09:00 UTC. */
let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const done = () => settled(api, clock);

describe("a run that cannot go on", () => {
  test.each([
    ["a node that is not there", { ...chain(NEW), edges: edges("in>gone") }, /"gone" is not in the flow/],
    ["an unknown type", chain(NEW, ["x", "dance"]), /"x" cannot run: The type "dance" is not known/],
    [
      "a list that is not there",
      chain(NEW, ["x", "action", { action: "add_to_list", listId: "list_no" }]),
      /no list "list_no"/,
    ],
    [
      "a template that cannot be read",
      chain(NEW, ["x", "action", mail("{{ a | nosuch }}")]),
      /"x" cannot run.*line 1/,
    ],
    [
      "a subject that comes out empty",
      chain(NEW, ["x", "action", mail("{{ contact.lastName }}")]),
      /subject is empty/,
    ],
    [
      "MJML that is none",
      chain(NEW, [
        "x",
        "action",
        { action: "send_email", subject: "Hi", mjml: "<mjml><mj-x></mj-x></mjml>" },
      ]),
      /MJML cannot be used/,
    ],
    [
      "MJML whose Liquid would be lost, so that both halves went out",
      chain(NEW, [
        "x",
        "action",
        {
          action: "send_email",
          subject: "Hi",
          mjml: "<mjml><mj-body><mj-section><mj-column><mj-carousel>{% if contact.tags %}<mj-carousel-image src='a.png' />{% else %}<mj-carousel-image src='b.png' />{% endif %}</mj-carousel></mj-column></mj-section></mj-body></mjml>",
        },
      ]),
      /"x" cannot run: The MJML cannot be used: line 1.*would be lost/,
    ],
    ["a wait of no length", chain(NEW, ["x", "wait", { amount: -1, unit: "days" }]), /`amount` must be/],
  ])("at %s is FAILED, with a message that names the step", async (_, flow, message) => {
    const id = await live(api, flow);
    await person(api, "ada@example.com");
    await done();
    const [run] = await enrollmentsOf(api, id, "&status=FAILED");
    expect(run.errorMessage).toMatch(message);
    expect(run.completedAt).not.toBeNull();
    expect(mailOf(api)).toEqual([]);
  });

  test("because its node was deleted while it waited there is FAILED, never started again", async () => {
    const id = await live(
      api,
      chain(NEW, ["wait", "wait", { amount: 1, unit: "hours" }], ["m", "action", mail("Hi")]),
    );
    await person(api, "ada@example.com");
    await done();
    await api.call("PATCH", `/automations/${id}`, { flowJson: chain(NEW, ["m", "action", mail("Hi")]) });
    await pass(api, clock, HOUR);
    const runs = await enrollmentsOf(api, id);
    expect(runs.map(({ status }) => status)).toEqual(["FAILED"]);
    expect(runs[0].errorMessage).toContain('"wait" is not in the flow');
    expect(mailOf(api)).toEqual([]);
  });

  test("in a loop without a wait stops after 100 steps", async () => {
    const flow = {
      nodes: [
        node("in", "trigger", NEW),
        node("a", "condition", { all: [{ field: "email", op: "exists" }] }),
      ],
      edges: edges("in>a", "a>a true"),
    };
    const id = await live(api, flow);
    await person(api, "ada@example.com");
    await done();
    expect((await enrollmentsOf(api, id))[0].errorMessage).toContain("100 steps");
  });

  test("in the service itself is tried three times and harms no other run", async () => {
    const id = await live(api, chain(NEW, ["t", "action", { action: "add_tag", tag: "x" }]));
    const release = await refusing(
      api,
      "BEFORE UPDATE OF tags ON contacts",
      "poison",
      "old.email = 'poison@example.com'",
    );
    for (const email of ["a@example.com", "poison@example.com", "b@example.com"]) await person(api, email);
    await done();
    expect((await enrollmentsOf(api, id)).map(({ status }) => status)).toEqual([
      "COMPLETED",
      "ACTIVE",
      "COMPLETED",
    ]);
    for (let i = 0; i < 3; i++) await pass(api, clock, 2 * MINUTE);
    const [, run] = await enrollmentsOf(api, id);
    expect([run.status, run.errorMessage]).toEqual(["FAILED", expect.stringContaining("poison")]);
    await release();
  });

  test("in the service itself undoes the step it happened in, and none before it in the same turn", async () => {
    const id = await live(
      api,
      chain(
        NEW,
        ["a", "action", { action: "add_tag", tag: "a" }],
        ["m", "action", mail("Hi")],
        ["b", "action", { action: "set_field", field: "lastName", value: "Poisoned" }],
        ["c", "action", { action: "add_tag", tag: "c" }],
      ),
    );
    const release = await refusing(
      api,
      "BEFORE UPDATE OF last_name ON contacts",
      "poison",
      "old.last_name <> new.last_name",
    );
    const ada = await person(api, "ada@example.com");
    await done();
    const tagsNow = async () => (await api.call("GET", `/contacts/${ada.id}`)).body.data.tags;
    const [run] = await enrollmentsOf(api, id);
    expect([run.status, run.currentNodeId, await tagsNow()]).toEqual(["ACTIVE", "b", ["a"]]);
    await release();
    await pass(api, clock, 2 * MINUTE);
    expect([(await enrollmentsOf(api, id))[0].status, await tagsNow()]).toEqual(["COMPLETED", ["a", "c"]]);
    expect(mailOf(api)).toEqual(["ada@example.com: Hi"]);
    expect(rowsFrom(api, "SELECT steps, attempts, problem FROM enrollments")).toEqual([
      { steps: 4, attempts: 0, problem: null },
    ]);
  });

  test("a turn of several steps that goes well writes its run once", async () => {
    await live(
      api,
      chain(
        NEW,
        ["a", "action", { action: "add_tag", tag: "a" }],
        ["b", "action", { action: "add_tag", tag: "b" }],
        ["w", "wait", { amount: 1, unit: "hours" }],
      ),
    );
    await writeTo(api, "CREATE TABLE written (steps int)");
    await trap(api, { at: "AFTER UPDATE ON enrollments", act: "INSERT INTO written VALUES (new.steps)" });
    await person(api, "ada@example.com");
    await done();
    expect(rowsFrom(api, "SELECT steps FROM written")).toEqual([{ steps: 3 }]);
  });
});

describe("mail whose links cannot be written for a moment", () => {
  const LINKED = mail("News", { html: '<p><a href="https://shop.example.org/">The shop</a></p>' });
  const refuseLinks = () => refusing(api, "BEFORE INSERT ON mailing_links", "no room");
  const rows = () =>
    rowsFrom<{ state: string; reason: string | null }>(api, "SELECT state, reason FROM deliveries");

  test("stays owed, is tried again after a pause, and goes out once", async () => {
    const release = await refuseLinks();
    await live(api, chain(NEW, ["m", "action", LINKED]));
    await person(api, "ada@example.com");
    await drivenUntil(clock, () => rows()[0]?.reason === "COMPOSING_FAILED");
    await pass(api, clock, 30_000);
    expect([rows(), mailOf(api)]).toEqual([[{ state: "queued", reason: "COMPOSING_FAILED" }], []]);
    // No try a second: the pause is that of a refused message.
    expect(api.logLines.filter((line) => line.includes("could not be composed yet"))).toHaveLength(1);
    await release();
    await drivenUntil(clock, () => rows()[0]?.state === "sent");
    expect(mailOf(api)).toEqual(["ada@example.com: News"]);
  });

  test("has failed after a day of it", async () => {
    await refuseLinks();
    await live(api, chain(NEW, ["m", "action", LINKED]));
    await person(api, "ada@example.com");
    await drivenUntil(clock, () => rows()[0]?.reason === "COMPOSING_FAILED");
    await drivenUntil(clock, () => rows()[0]?.state === "failed", 600_000);
    expect([rows(), mailOf(api)]).toEqual([[{ state: "failed", reason: "COMPOSING_FAILED" }], []]);
  });
});
