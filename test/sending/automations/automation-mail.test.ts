import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  automationOf,
  chain,
  enrollmentsOf,
  live,
  pass,
  settled,
} from "../../support/automations/automations.ts";
import { NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { headerOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { DAY } from "../../support/common/durations.ts";

let clock: ManualClock;
let api: SendingApi;
beforeEach(async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
});
afterEach(() => api.stop({ graceMs: 0 }));

const mail = (subject: string, html = "<p>Hello {{ contact.firstName }}</p>") => ({
  action: "send_email",
  subject,
  html,
});

describe("a welcome flow", () => {
  test("mails a new subscriber at once, and again after its wait; the run completes", async () => {
    const flow = chain(
      NEW,
      ["hello", "action", mail("Welcome, {{ contact.firstName }}")],
      ["day", "wait", { amount: 1, unit: "days" }],
      ["tips", "action", mail("Tips")],
      ["out", "end"],
    );
    const id = await live(api, flow);
    const ada = await person(api, "ada@example.com", { firstName: "Ada" });
    await settled(api, clock);
    expect(mailOf(api)).toEqual(["ada@example.com: Welcome, Ada"]);
    const [run] = await enrollmentsOf(api, id);
    expect([run.contactId, run.currentNodeId, run.status]).toEqual([ada.id, "day", "ACTIVE"]);
    expect((await automationOf(api, id)).activeEnrollments).toBe(1);

    await pass(api, clock, DAY - 120_000);
    expect(mailOf(api).length).toBe(1);
    await pass(api, clock, 120_000);
    expect(mailOf(api)).toEqual(["ada@example.com: Welcome, Ada", "ada@example.com: Tips"]);
    const [ended] = await enrollmentsOf(api, id, "&status=COMPLETED");
    expect([ended.currentNodeId, ended.errorMessage, ended.completedAt === null]).toEqual([
      "out",
      null,
      false,
    ]);
    expect((await automationOf(api, id)).activeEnrollments).toBe(0);
  });

  test("its mail has footer, one-click unsubscribe and a filled-in body, and no List-Id", async () => {
    await live(
      api,
      chain(NEW, [
        "hello",
        "action",
        mail(
          "Hi",
          '<p>{{ contact.firstName }}</p><a href="https://shop.example.org/{{ contact.firstName }}">x</a>',
        ),
      ]),
    );
    await person(api, "ada@example.com", { firstName: "Ada <3" });
    await person(api, "grace@example.org", { firstName: "Grace" });
    await settled(api, clock);
    const { raw } = api.relay.accepted.find((mailed) => headerOf(mailed.raw, "To") === "ada@example.com")!;
    expect(headerOf(raw, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(headerOf(raw, "List-Unsubscribe")).toContain("https://mail.example.org/u/");
    expect(headerOf(raw, "List-Id")).toBeUndefined();
    expect(raw).toContain("Ada &lt;3");
    expect(raw).toContain("Analytical Way");
    const targets = await Promise.all(
      api.relay.accepted.map(async ({ raw: each }) => {
        const path = /mail\.example\.org(\/c\/[\w-]+\/0)/.exec(each.replaceAll("=\r\n", ""))![1]!;
        const response = await fetch(`${api.url}${path}`, { redirect: "manual" });
        return response.headers.get("location");
      }),
    );
    expect(targets.map(String).toSorted()).toEqual([
      "https://shop.example.org/Ada%20%3C3",
      "https://shop.example.org/Grace",
    ]);
  });
});
