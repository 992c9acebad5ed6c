import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import { BASE_URL } from "../../support/server/api.ts";
import { dice } from "../../support/common/dice.ts";
import { membersOf, newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { consentLog, contactOf, person, suppressions } from "../../support/people/people.ts";
import { writeTo } from "../../support/server/services.ts";
import { numberOf } from "../../support/sending/sending.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true, name: "Ada's <Shop>", replyTo: "help@shop.example.org" });
  form = await newForm(api);
});
afterAll(() => api.stop());

const THANKS = { ok: true, message: "Thanks! You're subscribed." };
const visit = (path: string, method = "GET") => fetch(api.url + path, { method, redirect: "manual" });
const pageOf = async (path: string, method = "GET") => {
  const answer = await visit(path, method);
  return [answer.status, textOf(await readPage(answer))] as const;
};
const logOf = async (email: string) =>
  (await consentLog(api)).filter((entry) => entry.includes(` ${email} `));

let people = 0;
/** Somebody signs up; their address and the link they got. */
async function signUp(email = `reader-${++people}@example.com`): Promise<{ email: string; link: string }> {
  const answer = await api.submit(form.id, { email, firstName: "Visit https://spam.example now" });
  expect([answer.status, await answer.json()]).toEqual([200, THANKS]);
  return { email, link: (await api.confirmLinks(email))[0]! };
}

describe("with doubleOptIn on", () => {
  test("a submitter is PENDING, on the list at once, and gets one mail; nothing is logged yet", async () => {
    const { email } = await signUp();
    expect((await contactOf(api, email)).status).toBe("PENDING");
    expect((await membersOf(api, form))[email]).toBe("PENDING");
    expect(await logOf(email)).toEqual([]);
    expect(api.mailsTo(email)).toHaveLength(1);
  });

  test("the mail is of kind O: from the workspace, automatic, without list headers, tracking, the web, or a typed word", async () => {
    const { email, link } = await signUp();
    const { raw, mailFrom } = api.mailsTo(email)[0]!;
    expect(checkMessage(raw, email).ok).toBe(true);
    const mail = await PostalMime.parse(raw);
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(mailFrom).toBe("news@shop.example.org");
    expect(mail.from).toMatchObject({ name: "Ada's Shop", address: "news@shop.example.org" });
    expect([header("reply-to"), header("auto-submitted"), header("x-auto-response-suppress")]).toEqual([
      "help@shop.example.org",
      "auto-generated",
      "OOF, AutoReply",
    ]);
    expect(header("feedback-id")!.split(":")).toEqual([
      form.id,
      api.workspaceId,
      "confirmation",
      "postrider",
    ]);
    for (const name of ["list-unsubscribe", "list-unsubscribe-post", "list-id", "precedence"])
      expect(header(name)).toBeUndefined();
    expect(mail.subject).toBe("Please confirm your subscription to Ada's <Shop>");
    for (const part of [mail.html!, mail.text!]) {
      expect(part).toContain(BASE_URL + link);
      expect(part).not.toContain("spam.example");
      const addresses = [...part.matchAll(/https?:\/\/[^\s"'<>)]+/g)]
        .map(([address]) => address)
        .filter((address) => !address.startsWith("http://www.w3.org/"));
      expect(new Set(addresses)).toEqual(new Set([BASE_URL + link]));
    }
    expect(mail.html).toContain("Ada&#39;s &lt;Shop&gt;");
    expect(mail.html).not.toMatch(/<img|@import|<link/);
  });

  test("looking at the link, HEAD and OPTIONS change nothing; the button subscribes and is logged", async () => {
    const { email, link } = await signUp();
    for (const method of ["GET", "HEAD", "OPTIONS", "GET"]) await visit(link, method);
    const [status, text] = await pageOf(link);
    expect([status, text]).toEqual([
      200,
      expect.stringContaining("Confirm your subscription Press the button, and r••@example.com"),
    ]);
    expect([(await contactOf(api, email)).status, await logOf(email)]).toEqual(["PENDING", []]);
    expect((await pageOf(link, "POST"))[1]).toContain("You are subscribed");
    expect((await contactOf(api, email)).status).toBe("SUBSCRIBED");
    expect((await membersOf(api, form))[email]).toBe("SUBSCRIBED");
    expect(await logOf(email)).toEqual([`GIVEN ${email} confirmation`]);
    const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId));
    expect(entry).toMatchObject({ formId: form.id, clientAddress: "127.0.0.1" });
  });

  test("who is SUBSCRIBED by a request before they press the button presses it all the same, and that is logged", async () => {
    const { email, link } = await signUp();
    await person(api, email, { status: "SUBSCRIBED" });
    expect([(await contactOf(api, email)).status, await logOf(email)]).toEqual(["SUBSCRIBED", []]);
    expect((await pageOf(link))[1]).toContain("Confirm your subscription");
    for (const method of ["POST", "POST", "GET"])
      expect((await pageOf(link, method))[1]).toContain("You are subscribed");
    expect(await logOf(email)).toEqual([`GIVEN ${email} confirmation`]);
  });

  test("whoever was taken off the list before they press the button is subscribed, and does not come back to it", async () => {
    const { email, link } = await signUp();
    await api.call("DELETE", `/lists/${form.listId}/contacts/${(await contactOf(api, email)).id}`);
    expect((await pageOf(link, "POST"))[1]).toContain("You are subscribed");
    expect((await contactOf(api, email)).status).toBe("SUBSCRIBED");
    expect(Object.keys(await membersOf(api, form))).not.toContain(email);
  });

  test("pressing it again, and together, changes and logs nothing more, and says so", async () => {
    const { email, link } = await signUp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => visit(link, "POST")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await pageOf(link))[1]).toContain("You are subscribed");
    expect(await logOf(email)).toEqual([`GIVEN ${email} confirmation`]);
  });

  test("the link works for seven days, and then explains itself", async () => {
    const [early, late] = [await signUp(), await signUp()];
    api.clock.shift(7 * DAY_MS - HOUR_MS);
    expect((await pageOf(early.link, "POST"))[0]).toBe(200);
    api.clock.shift(HOUR_MS);
    for (const method of ["GET", "POST"]) {
      const [status, text] = await pageOf(late.link, method);
      expect([status, text]).toEqual([410, expect.stringContaining("This link has expired")]);
    }
    expect(await (await visit(late.link)).text()).toContain(`href="/forms/${form.id}"`);
    expect([(await contactOf(api, late.email)).status, await logOf(late.email)]).toEqual(["PENDING", []]);
  });

  test("a link raises nobody who opted out, bounced, was suppressed or deleted since, and says so", async () => {
    const out: Record<string, (id: string, email: string) => Promise<unknown>> = {
      "opted out": (id) => api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" }),
      bounced: (id) => api.call("PATCH", `/contacts/${id}`, { status: "BOUNCED" }),
      suppressed: (_, email) => api.services.suppressions.add(api.workspaceId, email, "MANUAL"),
      deleted: (id) => api.call("DELETE", `/contacts/${id}`),
      "moved to another address": (id) =>
        api.call("PATCH", `/contacts/${id}`, { email: `moved-${id}@example.com` }),
    };
    for (const [how, leave] of Object.entries(out)) {
      const { email, link } = await signUp();
      const contact = await contactOf(api, email);
      await leave(contact.id, email);
      const status = async () => (await api.call("GET", `/contacts/${contact.id}`)).body.data?.status;
      const before = [await status(), await logOf(email), await suppressions(api)];
      for (const method of ["GET", "POST"])
        expect([how, (await pageOf(link, method))[1]]).toEqual([
          how,
          expect.stringContaining("This link no longer works"),
        ]);
      expect([how, await status(), await logOf(email), await suppressions(api)]).toEqual([how, ...before]);
    }
  });

  test.each(["UNSUBSCRIBED", "BOUNCED"] as const)(
    "a link that somebody who is out asked for is void once the API says %s of them, although their row stays as it is",
    async (status) => {
      const email = `out-${status.toLowerCase()}@example.com`;
      await person(api, email, { status: "UNSUBSCRIBED" });
      const { link } = await signUp(email);
      const before = await contactOf(api, email);
      expect((await api.call("POST", "/contacts", { ...before, status })).body.data).toEqual(before);
      expect((await pageOf(link, "POST"))[1]).toContain("This link no longer works");
      expect(await contactOf(api, email)).toEqual(before);
    },
  );

  test("works after the form was deleted, and after the setting was turned off", async () => {
    const gone = await newForm(api);
    await api.submit(gone.id, { email: "after@example.com" });
    const [link] = await api.confirmLinks("after@example.com");
    await api.call("DELETE", `/forms/${gone.id}`);
    expect((await pageOf(link!, "POST"))[1]).toContain("You are subscribed");
  });

  test("who is SUBSCRIBED joins the list and gets no mail; who was blocked by hand gets none either; the answer is the same", async () => {
    await person(api, "known@example.com");
    await person(api, "out@example.com", { status: "UNSUBSCRIBED" });
    await api.services.suppressions.add(api.workspaceId, "out@example.com", "MANUAL");
    const before = api.relay.transactions;
    for (const email of ["known@example.com", "out@example.com"])
      expect(await (await api.submit(form.id, { email })).json()).toEqual(THANKS);
    expect((await contactOf(api, "known@example.com")).status).toBe("SUBSCRIBED");
    expect([
      (await membersOf(api, form))["known@example.com"],
      (await membersOf(api, form))["out@example.com"],
    ]).toEqual(["SUBSCRIBED", undefined]);
    await signUp();
    expect(api.relay.transactions).toBe(before + 1);
  });

  test("a workspace without a sender address takes the sign-up, sends nothing, and says so in its log", async () => {
    const other = await api.services.workspaces.create("Mute");
    await api.services.workspaces.changeSettings(other.id, { doubleOptIn: true });
    const { id } = (await api.call("POST", "/forms", { name: "A" }, other.key)).body.data;
    expect((await api.submit(id, { email: "mute@example.com" })).status).toBe(200);
    expect((await api.call("GET", "/contacts", undefined, other.key)).body.data[0].status).toBe("PENDING");
    expect(api.logLines.some((line) => line.includes("fromEmail") && line.includes(id))).toBe(true);
    await api.services.workspaces.changeSettings(other.id, { fromEmail: "late@mute.example.org" });
    await api.submit(id, { email: "mute@example.com" });
    expect(await api.confirmLinks("mute@example.com")).toHaveLength(1);
  });
});

describe("a confirmation's token", () => {
  test("that is cut, altered, invented or made for another purpose is one and the same 404 (A-04)", async () => {
    const { link } = await signUp();
    const token = link.split("/")[2]!;
    const flipped = [...token].map(
      (letter, i) => token.slice(0, i) + (letter === "A" ? "B" : "A") + token.slice(i + 1),
    );
    const chance = dice(404);
    const random = Array.from({ length: 500 }, () =>
      Buffer.from(Array.from({ length: 24 }, () => chance.roll(256))).toString("base64url"),
    );
    const bodies = new Set<string>();
    for (const bad of [token.slice(1), `${token}A`, "x", ...flipped, ...random]) {
      for (const method of ["GET", "POST"]) {
        const answer = await visit(`/confirm/${bad}`, method);
        expect([bad, method, answer.status]).toEqual([bad, method, 404]);
        bodies.add(await answer.text());
      }
    }
    expect(bodies.size).toBe(1);
    for (const path of [`/u/${token}`, `/o/${token}`, `/c/${token}/0`])
      expect((await visit(path)).status).toBe(404);
    expect((await visit("/confirm")).status).toBe(404);
  });
});

describe("however often an address is typed in (A-01)", () => {
  test("one confirmation per form in 24 hours, three per workspace", async () => {
    const email = "victim@example.com";
    const forms = await Promise.all(Array.from({ length: 5 }, () => newForm(api)));
    const submitAll = async () => {
      for (const { id } of forms)
        for (let i = 0; i < 3; i++) expect((await api.submit(id, { email })).status).toBe(200);
    };
    await submitAll();
    await signUp();
    expect(api.mailsTo(email)).toHaveLength(3);
    api.clock.shift(23 * HOUR_MS);
    await submitAll();
    expect(api.mailsTo(email)).toHaveLength(3);
    api.clock.shift(HOUR_MS + 1_000);
    await submitAll();
    await api.confirmLinks(email, 6);
    await signUp();
    expect(api.mailsTo(email)).toHaveLength(6);
    const links = await api.confirmLinks(email, 6);
    expect(new Set(links).size).toBe(6);
  });

  test("ten for one mailbox and workspace, whatever stands behind a plus in the address", async () => {
    const variants = [..."abcdefghijklmno"].map((tag) => `buried+${tag}@example.com`);
    const others = [
      "buried@example.org",
      "buried+a@example.org",
      "buried-a@example.com",
      "buriedx@example.com",
    ];
    const all = ["buried@example.com", ...variants];
    for (const email of [...all, ...others]) expect((await api.submit(form.id, { email })).status).toBe(200);
    await signUp();
    expect(all.flatMap((email) => api.mailsTo(email))).toHaveLength(10);
    expect(others.map((email) => api.mailsTo(email).length)).toEqual([1, 1, 1, 1]);
    expect((await contactOf(api, variants.at(-1)!)).status).toBe("PENDING");
    api.clock.shift(DAY_MS + 1_000);
    await api.submit(form.id, { email: variants.at(-1)! });
    await api.confirmLinks(variants.at(-1)!);
  });

  test("addresses that begin with a plus are mailboxes of their own", async () => {
    const phones = Array.from({ length: 12 }, (_, i) => `+155501${10 + i}@example.com`);
    for (const email of phones) expect((await api.submit(form.id, { email })).status).toBe(200);
    await signUp();
    expect(phones.map((email) => api.mailsTo(email).length)).toEqual(phones.map(() => 1));
  });

  test("many clients, forms and victims at once: no victim gets more than three mails", async () => {
    const forms = await Promise.all(Array.from({ length: 12 }, () => newForm(api)));
    const victims = Array.from({ length: 9 }, (_, i) => `bombed-${i}@example.com`);
    const posts = forms.flatMap(({ id }) =>
      victims.flatMap((email) => [api.submit(id, { email }), api.submit(id, { email })]),
    );
    const statuses = new Set((await Promise.all(posts)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([200]));
    await Promise.all(victims.map((email) => api.confirmLinks(email, 3)));
    await signUp();
    expect(victims.map((email) => api.mailsTo(email).length)).toEqual(victims.map(() => 3));
  });
});

test("a confirmation that a restored backup holds stays where it is until it is released; later sign-ups are confirmed", async () => {
  await signUp();
  const elsewhere = await newForm(api);
  await api.submit(elsewhere.id, { email: "held@example.com" });
  await api.confirmLinks("held@example.com");
  await writeTo(api, "UPDATE mailings SET held = 1 WHERE kind = 'confirmation' AND phase = 'sending'");
  const heldOf = (formId: string): number =>
    numberOf(api, `SELECT count(*) AS n FROM mailings WHERE held = 1 AND source_id LIKE '${formId}:%'`);
  const all = heldOf("%");
  expect([heldOf(form.id) > 0, all > heldOf(form.id)]).toEqual([true, true]);
  const { email, link } = await signUp();
  expect((await pageOf(link, "POST"))[0]).toBe(200);
  expect((await contactOf(api, email)).status).toBe("SUBSCRIBED");

  const other = await newForm(api);
  const released = (id: string) => api.services.forms.release(api.workspaceId, id).catch(String);
  expect(await released(other.id)).toContain("nothing to release");
  expect(await released("form_no")).toContain("form_no");
  const own = heldOf(form.id);
  expect(await released(form.id)).toBeUndefined();
  expect([heldOf(form.id), heldOf("%")]).toEqual([0, all - own]);
});

test("a campaign goes only to those who have confirmed", async () => {
  const pending = await signUp();
  const confirmed = await signUp();
  await visit(confirmed.link, "POST");
  const { body } = await api.call("POST", "/campaigns", {
    name: "C",
    subject: "S",
    body: "<p>x</p>",
    listId: form.listId,
  });
  await api.call("POST", `/campaigns/${body.data.id}/send`);
  const got = (email: string) =>
    api.mailsTo(email).filter(({ raw }) => raw.includes("List-Unsubscribe:")).length;
  expect([got(pending.email), got(confirmed.email)]).toEqual([0, 1]);
});
