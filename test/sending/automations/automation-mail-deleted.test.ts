import { expect, test } from "bun:test";
import { chain, live, settled } from "../../support/automations/automations.ts";
import { mail } from "../../support/automations/flows.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import { driven, drivenUntil, numberIn, startSending } from "../../support/sending/sending.ts";
import type { Script } from "../../support/sending/smtp-script.ts";
import { rowsFrom } from "../../support/server/services.ts";

test("mail of an automation to somebody who is deleted right before it is skipped, and has not failed", async () => {
  const clock = manualClock();
  const gate = Promise.withResolvers<void>();
  const DATA: Script["DATA"] = ({ message }) =>
    message === 1 ? { reply: "354 go on", and: "go on", after: gate.promise } : undefined;
  const api = await startSending({ DATA }, { clock, connections: 1 });
  try {
    const letter = mail("Hello", { html: "<p>Hello {{ contact.firstName }}</p>" });
    await live(
      api,
      chain({ trigger: "custom_event", eventName: "came" }, ["hello", "action", letter], ["out", "end"]),
    );
    const people = [];
    for (const name of ["ada", "grace", "mary"]) people.push(await person(api, `${name}@example.com`));
    // All rows are there before the first is read.
    await api.services.workspaces.changeSettings(api.workspaceId, { sending: false });
    for (const { id } of people) await api.call("POST", "/events", { name: "came", contactId: id });
    const rows = async (): Promise<number> => await numberIn(api, "SELECT count(*) FROM deliveries");
    await drivenUntil(clock, async () => (await rows()) === 3);
    await api.services.workspaces.changeSettings(api.workspaceId, { sending: true });
    // In steps so short that all three still count as checked just now.
    await driven(clock, api.relay.reached("DATA"), 1);
    await api.call("DELETE", `/contacts/${people[1]?.id}`);
    gate.resolve();
    await settled(api, clock);
    const found = rowsFrom(api, "SELECT state, reason FROM deliveries ORDER BY seq");
    expect(found.map(({ state, reason }) => [state, reason])).toEqual([
      ["sent", null],
      ["skipped", "CONTACT_GONE"],
      ["sent", null],
    ]);
    expect(mailOf(api)).toEqual(["ada@example.com: Hello", "mary@example.com: Hello"]);
  } finally {
    await api.stop({ graceMs: 0 });
  }
});
