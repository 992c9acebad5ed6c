import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";
import { INSIDE_WORDS, lockWrites, refuseWrites } from "../../support/server/refused-writes.ts";

let api: TestApi;
let listId: string;
beforeAll(async () => {
  api = await startApi();
  listId = await listOf(api, "Mathematicians");
});
afterAll(() => api.stop());

describe("an entry", () => {
  test("a PATCH that changes the address and opts out suppresses the old and the new address", async () => {
    const barbara = await person(api, "barbara@example.com");
    await api.call("PATCH", `/contacts/${barbara.id}`, {
      email: "liskov@example.com",
      status: "UNSUBSCRIBED",
    });
    expect(await suppressions(api)).toMatchObject({
      "barbara@example.com": "UNSUBSCRIBED",
      "liskov@example.com": "UNSUBSCRIBED",
    });
  });

  test("changing the address of an opted-out contact alone suppresses nothing new", async () => {
    const radia = await person(api, "radia@example.com", { status: "UNSUBSCRIBED" });
    const before = await suppressions(api);
    await api.call("PATCH", `/contacts/${radia.id}`, {
      email: "perlman@example.com",
      status: "UNSUBSCRIBED",
    });
    expect(await suppressions(api)).toEqual(before);
  });

  test("a PATCH looks up no suppression: a suppressed address's PENDING contact can be raised, and stays suppressed", async () => {
    const ken = await person(api, "ken@example.com", { status: "PENDING" });
    await api.services.suppressions.add(api.workspaceId, "ken@example.com", "COMPLAINT");
    const raised = await api.call("PATCH", `/contacts/${ken.id}`, { status: "SUBSCRIBED" });
    expect(raised.body.data.status).toBe("SUBSCRIBED");
    expect((await suppressions(api))["ken@example.com"]).toBe("COMPLAINT");
  });

  test("an entry's reason only ever gets stronger", async () => {
    const dennis = await person(api, "dennis@example.com", { status: "UNSUBSCRIBED" });
    const { createdAt } = (await api.services.suppressions.find(api.workspaceId, "dennis@example.com"))!;
    await api.services.suppressions.add(api.workspaceId, " Dennis@Example.com ", "MANUAL");
    await api.call("PATCH", `/contacts/${dennis.id}`, { consent: "declined" });
    const entry = await api.services.suppressions.find(api.workspaceId, "dennis@example.com");
    expect(entry).toEqual({ email: "dennis@example.com", reason: "MANUAL", source: "admin", createdAt });
  });

  test("removing an entry changes no status", async () => {
    const donald = await person(api, "donald@example.com", { status: "BOUNCED" });
    expect(await api.services.suppressions.remove(api.workspaceId, "donald@example.com")).toBe(true);
    expect(await api.services.suppressions.remove(api.workspaceId, "donald@example.com")).toBe(false);
    expect((await api.call("GET", `/contacts/${donald.id}`)).body.data.status).toBe("BOUNCED");
  });
});

describe("deleting", () => {
  for (const [status, reason] of Object.entries({ UNSUBSCRIBED: "UNSUBSCRIBED", BOUNCED: "HARD_BOUNCE" })) {
    test(`a ${status} contact leaves its address suppressed, whatever was removed before`, async () => {
      const email = `edsger.${status.toLowerCase()}@example.com`;
      const edsger = await person(api, email, { status });
      await api.services.suppressions.remove(api.workspaceId, email);
      expect((await api.call("DELETE", `/contacts/${edsger.id}`)).status).toBe(204);
      expect((await suppressions(api))[email]).toBe(reason);
      expect((await person(api, email)).status).toBe(status);
    });
  }

  test("a SUBSCRIBED or PENDING contact suppresses nothing", async () => {
    const before = await suppressions(api);
    for (const status of ["SUBSCRIBED", "PENDING"]) {
      const { id } = await person(api, `margaret.${status.toLowerCase()}@example.com`, { status });
      await api.call("DELETE", `/contacts/${id}`);
    }
    expect(await suppressions(api)).toEqual(before);
  });

  test.each([
    ["cannot be written", (held: TestApi) => refuseWrites(held, "suppressions")],
    ["waits for a lock in vain", lockWrites],
  ])("where the suppression %s, the answer is 500 and the contact stays", async (_, trouble) => {
    const frances = await person(api, "frances@example.com", { status: "BOUNCED" });
    await api.services.suppressions.remove(api.workspaceId, "frances@example.com");
    const end = await trouble(api);
    const answer = await api.call("DELETE", `/contacts/${frances.id}`);
    await end();
    expect(answer.status).toBe(500);
    expect(answer.body.error.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(answer.body)).not.toContain(INSIDE_WORDS);
    expect(api.logLines.join("")).toContain(answer.headers.get("x-request-id")!);
    expect((await api.call("GET", `/contacts/${frances.id}`)).body.data).toEqual(frances);
    expect((await api.call("DELETE", `/contacts/${frances.id}`)).status).toBe(204);
  });

  test("the consent log outlives the contact, with client address and user agent", async () => {
    const alan = await person(api, "alan@example.com", { consent: "explicit" });
    await api.call("DELETE", `/contacts/${alan.id}`);
    const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId));
    expect(entry).toMatchObject({
      email: "alan@example.com",
      contactId: alan.id,
      action: "GIVEN",
      source: "api",
      formId: null,
      clientAddress: "127.0.0.1",
    });
    expect(entry!.userAgent).toStartWith("Bun/");
  });
});

describe("a public unsubscribe", () => {
  const origin = {
    source: "unsubscribe",
    formId: null,
    clientAddress: "192.0.2.7",
    userAgent: null,
  } as const;
  const optOut = (address: string, contactId: string | null) =>
    api.services.contacts.optOut({ workspaceId: api.workspaceId, address, contactId, origin });

  test("opts out once: UNSUBSCRIBED, suppressed, off every list, one log entry", async () => {
    const email = "hedy@example.com";
    const { id } = await person(api, email);
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: id });
    const logBefore = await consentLog(api);
    expect(await optOut(email, id)).toBe(true);
    expect(await optOut(email, id)).toBe(false);
    expect((await api.call("GET", `/contacts/${id}`)).body.data.status).toBe("UNSUBSCRIBED");
    expect((await api.call("GET", `/contacts/${id}/lists`)).body.data).toEqual([]);
    expect((await suppressions(api))[email]).toBe("UNSUBSCRIBED");
    expect((await consentLog(api)).slice(logBefore.length)).toEqual([`WITHDRAWN ${email} unsubscribe`]);
  });

  test("counts also when the contact is gone", async () => {
    const { id } = await person(api, "emmy@example.com");
    await api.call("DELETE", `/contacts/${id}`);
    expect(await optOut("emmy@example.com", id)).toBe(true);
    expect(await optOut("emmy@example.com", id)).toBe(false);
    expect((await suppressions(api))["emmy@example.com"]).toBe("UNSUBSCRIBED");
    expect((await consentLog(api)).at(-1)).toBe("WITHDRAWN emmy@example.com unsubscribe");
    expect((await person(api, "emmy@example.com")).status).toBe("UNSUBSCRIBED");
  });

  test("follows a person to their new address, and suppresses both", async () => {
    const { id } = await person(api, "sofia@example.com");
    await api.call("PATCH", `/contacts/${id}`, { email: "kovalevskaya@example.com" });
    expect(await optOut("sofia@example.com", id)).toBe(true);
    expect((await api.call("GET", `/contacts/${id}`)).body.data.status).toBe("UNSUBSCRIBED");
    expect(await suppressions(api)).toMatchObject({
      "sofia@example.com": "UNSUBSCRIBED",
      "kovalevskaya@example.com": "UNSUBSCRIBED",
    });
  });
});

test("blocked domains are kept as lower-case A-labels, once", async () => {
  const { suppressions: service } = api.services;
  const { entry: first } = await service.blockDomain(api.workspaceId, " Bücher.Example ");
  expect(await service.blockDomain(api.workspaceId, "xn--bcher-kva.example")).toEqual({
    entry: first,
    isNew: false,
  });
  expect(await service.blockedDomains(api.workspaceId)).toEqual([first]);
  expect(first.domain).toBe("xn--bcher-kva.example");
  const refused = service.blockDomain(api.workspaceId, "no domain");
  expect(await refused.catch((error: Error) => error.message)).toContain("host name");
  expect(await service.unblockDomain(api.workspaceId, "BÜCHER.example")).toBe(true);
  expect(await service.unblockDomain(api.workspaceId, "bücher.example")).toBe(false);
});
