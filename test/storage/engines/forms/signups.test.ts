import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { planConfirmation, planSignup } from "#forms/signup/signup-plan.ts";
import { capPeriod } from "#forms/signup/confirmation.ts";
import type { Signup } from "#forms/store.ts";
import { decideSubmission } from "#forms/signup/submit-rate.ts";
import { newList } from "../../../support/people/lists.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { HOUR } from "../../../support/common/durations.ts";

const ORIGIN = { source: "form", formId: "form_1", clientAddress: null, userAgent: null } as const;
const CONTENT = { workspaceName: "W", from: { name: "N", address: "n@sender.example" }, replyTo: null };
const LETTER = { sourceId: "form_1:abc", content: CONTENT };
const AT = 10 * HOUR;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`signups on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let made = 0;

    type Over = Partial<Signup> & { doubleOptIn?: boolean; attributes?: Record<string, string> };
    const submit = (email: string, { doubleOptIn = true, attributes = {}, ...over }: Over = {}) => {
      const signup: Signup = {
        formId: "form_1",
        email,
        setsAttributes: Object.keys(attributes).length > 0,
        fresh: { id: `con_${++made}`, createdAt: AT },
        cap: { since: AT - HOUR, until: AT + HOUR },
        letter: LETTER,
        at: AT,
        ...over,
      };
      const submission = { email, firstName: "A", lastName: undefined, attributes };
      return stores.signups.submit(signup, (found) =>
        planSignup(found, { submission, doubleOptIn, origin: ORIGIN, at: signup.at }),
      );
    };
    const confirm = (message: number) =>
      stores.signups.confirm(
        message,
        (found) => planConfirmation(found, { ...ORIGIN, source: "confirmation" }, AT + 1),
        { id: `con_${++made}`, createdAt: AT + 1 },
      );
    const optOut = (address: string) =>
      stores.contacts.optOut(
        { workspaceId: "ws_one", address, contactId: null, origin: { ...ORIGIN, formId: null }, at: AT },
        decideOnOptOut,
      );
    const messagesTo = async (address: string): Promise<number[]> =>
      (
        await opened.values(
          `SELECT delivery FROM confirmations WHERE address = '${address}' ORDER BY delivery`,
        )
      ).map(Number);
    const entriesOf = async (email: string): Promise<string[]> => {
      const log = await stores.contacts.consentLog(
        "ws_one",
        { email, contactId: null },
        { limit: 50, before: null },
      );
      return log.items.map(({ action, source }) => `${action} ${source}`);
    };
    const joined = async (list = "list_1"): Promise<string[]> => {
      const filter = { status: null, tag: null, q: null };
      const page = await stores.lists.contacts("ws_one", list, filter, { limit: 100, before: null });
      return page!.items.map(({ email, status }) => `${email} ${status}`);
    };

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ stores } = opened);
      await stores.lists.insert("ws_one", newList("list_1", { name: "One" }));
      const form = { name: "Join", fields: ["email"], style: {}, successMessage: "" };
      await stores.forms.insert("ws_one", { ...form, id: "form_1", listId: "list_1", createdAt: 1 });
      await stores.forms.insert("ws_one", { ...form, id: "form_2", listId: null, createdAt: 1 });
    });
    afterAll(() => opened.close());

    test("a sign-up writes the person, their place on the list and the mail that asks them", async () => {
      expect(await submit("asked@example.com", { attributes: { city: "Rome" } })).toMatchObject({
        kind: "joined",
        sendConfirmation: true,
      });
      expect(await joined()).toContain("asked@example.com PENDING");
      const [message] = await messagesTo("asked@example.com");
      const row = await opened.values(
        `SELECT address || ' ' || state FROM deliveries WHERE seq = ${message}`,
      );
      expect(row).toEqual(["asked@example.com queued"]);
      const [mailing] = await opened.values(`SELECT mailing FROM deliveries WHERE seq = ${message}`);
      expect(await stores.signups.letterContent(Number(mailing))).toEqual(CONTENT);
      expect(await stores.signups.confirmation(message!)).toMatchObject({
        workspaceId: "ws_one",
        formId: "form_1",
        address: "asked@example.com",
        contact: { firstName: "A", status: "PENDING", attributes: { city: "Rome" } },
        suppression: null,
        createdAt: AT,
        confirmedAt: null,
        voidedAt: null,
        returns: false,
      });
      expect(await submit("nobody@example.com", { formId: "form_none" })).toBeNull();
      expect(await stores.signups.confirmation(9_999)).toBeNull();
      expect(await confirm(9_999)).toBeNull();
    });

    test("a mailbox gets ten confirmations, though all that lead to it are submitted together", async () => {
      const all = Array.from({ length: 40 }, (_, i) => `together+${i}@example.com`);
      await Promise.all(all.map((email) => submit(email)));
      const mails = await opened.values(
        "SELECT count(*) FROM confirmations WHERE address LIKE 'together+%@example.com'",
      );
      expect(mails.map(Number)).toEqual([10]);
    });

    test("without double opt-in they are subscribed at once; without a sender no mail is written", async () => {
      await submit("atonce@example.com", { doubleOptIn: false });
      expect(await joined()).toContain("atonce@example.com SUBSCRIBED");
      await submit("nomail@example.com", { letter: null });
      expect(await messagesTo("nomail@example.com")).toEqual([]);
    });

    test("an address gets one mail for a form, and other forms' mails count too", async () => {
      await submit("capped@example.com");
      expect(await submit("capped@example.com")).toMatchObject({ sendConfirmation: false });
      expect(await submit("capped@example.com", { formId: "form_2" })).toMatchObject({
        sendConfirmation: true,
      });
      expect(await submit("capped@example.com", { cap: capPeriod(AT + 25 * HOUR) })).toMatchObject({
        sendConfirmation: true,
      });
    });

    test("a mail that was made while the clock was ahead does not keep an address from another", async () => {
      const signUp = (at: number) => submit("ahead@example.com", { at, cap: capPeriod(at) });
      expect(await signUp(AT + 365 * 24 * HOUR)).toMatchObject({ sendConfirmation: true });
      expect(await signUp(AT)).toMatchObject({ sendConfirmation: true });
      // Somebody else's request began a moment earlier, and comes later to the database.
      expect(await signUp(AT - 5)).toMatchObject({ sendConfirmation: false });
    });

    test("who is asked many times at once gets one contact and one mail", async () => {
      for (const email of ["same1@example.com", "same2@example.com", "same3@example.com"]) {
        const plans = await Promise.all(Array.from({ length: 8 }, () => submit(email)));
        expect(
          plans.filter((plan) => plan && "sendConfirmation" in plan && plan.sendConfirmation),
        ).toHaveLength(1);
        expect(await messagesTo(email)).toHaveLength(1);
      }
    });

    test("many at once share the mailing of their letter", async () => {
      const letter = { sourceId: "form_1:new", content: CONTENT };
      await Promise.all(Array.from({ length: 10 }, (_, n) => submit(`share${n}@example.com`, { letter })));
      const counted = await opened.values(
        `SELECT count(*) FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing
         WHERE m.source_id = 'form_1:new' GROUP BY m.seq`,
      );
      expect(counted.map(Number)).toEqual([10]);
    });

    test("a mailing that is held gets a second one beside it", async () => {
      const letter = { sourceId: "form_1:held", content: CONTENT };
      await submit("held1@example.com", { letter });
      await opened.run("UPDATE mailings SET held = 1 WHERE source_id = 'form_1:held'");
      await submit("held2@example.com", { letter });
      await submit("held3@example.com", { letter });
      const sources = await opened.values(
        `SELECT m.source_id FROM confirmations AS c JOIN deliveries AS d ON d.seq = c.delivery
         JOIN mailings AS m ON m.seq = d.mailing WHERE c.address LIKE 'held%' ORDER BY c.delivery`,
      );
      expect(sources).toEqual(["form_1:held", `form_1:held:${AT}`, `form_1:held:${AT}`]);
    });

    test("the link subscribes once, however often it is opened at once", async () => {
      await submit("clicks@example.com");
      const [message] = await messagesTo("clicks@example.com");
      const found = await Promise.all(Array.from({ length: 8 }, () => confirm(message!)));
      for (const one of found)
        expect(one).toMatchObject({ contact: { status: "SUBSCRIBED" }, confirmedAt: AT + 1 });
      expect(await entriesOf("clicks@example.com")).toEqual(["GIVEN confirmation"]);
      expect(await joined()).toContain("clicks@example.com SUBSCRIBED");
    });

    test("who left is asked, and comes back with the link, with or without a contact", async () => {
      for (const isKnown of [true, false]) {
        const email = `back-${isKnown}@example.com`;
        if (isKnown) await submit(email, { doubleOptIn: false });
        await optOut(email);
        const plans = await Promise.all(Array.from({ length: 6 }, () => submit(email)));
        expect(plans.every((plan) => plan?.kind === "mayReturn")).toBe(true);
        const messages = await messagesTo(email);
        expect(messages).toHaveLength(1);
        expect(await joined()).not.toContain(`${email} SUBSCRIBED`);
        const found = await Promise.all([confirm(messages[0]!), confirm(messages[0]!)]);
        for (const one of found)
          expect(one).toMatchObject({ contact: { status: "SUBSCRIBED" }, suppression: null });
        expect(await joined()).toContain(`${email} SUBSCRIBED`);
        expect((await entriesOf(email)).filter((entry) => entry === "GIVEN confirmation")).toHaveLength(1);
      }
    });

    test("who opts out while the link is clicked is out, or came back before", async () => {
      for (let round = 0; round < 6; round++) {
        const email = `out${round}@example.com`;
        await submit(email);
        const [message] = await messagesTo(email);
        await Promise.all(
          round % 2 === 0 ? [confirm(message!), optOut(email)] : [optOut(email), confirm(message!)],
        );
        expect(await stores.signups.confirmation(message!)).toMatchObject({
          contact: { status: "UNSUBSCRIBED" },
          suppression: "UNSUBSCRIBED",
          voidedAt: AT,
        });
      }
    });

    test("a blocked domain and a bounce write nothing", async () => {
      await stores.suppressions.blockDomain("ws_one", { domain: "blocked.example", createdAt: 1 });
      expect(await submit("a@blocked.example")).toEqual({ kind: "domainBlocked" });
      const bounce = { email: "b@example.com", reason: "HARD_BOUNCE", source: "api", createdAt: 1 } as const;
      await stores.suppressions.add("ws_one", bounce, (_, asked) => asked);
      expect(await submit("b@example.com")).toEqual({ kind: "bounced" });
      expect([...(await messagesTo("a@blocked.example")), ...(await messagesTo("b@example.com"))]).toEqual(
        [],
      );
    });

    test("a client submits five times in ten minutes, also at once, and then again", async () => {
      const admit = (client: string, now: number) =>
        stores.signups.admit(client, { since: now - 600_000, now }, (earlier) =>
          decideSubmission(earlier, now),
        );
      // SQLite writes in the order of the calls; here, those that came at once may be written in any.
      const spread = engine.name === "SQLite" ? 0 : 1;
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => admit("1.2.3.4", AT - n * spread)),
      );
      expect(answers.filter(({ admitted }) => admitted)).toHaveLength(5);
      expect(await admit("1.2.3.4", AT + 60_000)).toEqual({ admitted: false, retryAfterS: 540 });
      expect(await admit("5.6.7.8", AT)).toEqual({ admitted: true });
      expect(await admit("1.2.3.4", AT + 600_000)).toEqual({ admitted: true });
      expect((await opened.values("SELECT count(*) FROM form_submissions")).map(Number)).toEqual([1]);
    });

    test("after a rush, each submission forgets some of what no longer counts", async () => {
      const admit = (client: string, now: number) =>
        stores.signups.admit(client, { since: now - 600_000, now }, (earlier) =>
          decideSubmission(earlier, now),
        );
      const left = async () => (await opened.values("SELECT count(*) FROM form_submissions")).map(Number)[0];
      const rush = AT + 2 * HOUR;
      for (let n = 0; n < 130; n++) await admit(`2001:db8::${n}`, rush + n);
      expect(await left()).toBe(130);
      const counts: unknown[] = [];
      for (const client of ["a", "b", "c"]) {
        await admit(client, rush + 700_000);
        counts.push(await left());
      }
      expect(counts).toEqual([31, 2, 3]);
    });
  });
}
