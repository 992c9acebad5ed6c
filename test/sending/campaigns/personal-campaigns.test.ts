import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { readToken, tokensOf } from "#deliveries/token.ts";
import { BASE_URL } from "../../support/server/api.ts";
import { decodedPart } from "../../support/sending/marketing-fixture.ts";
import {
  deliveriesOf,
  headerOf,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { rowsFrom } from "../../support/server/services.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
});
afterAll(() => api.stop());

type Person = { email: string; firstName?: string; tags?: string[]; attributes?: object };

async function listOf(people: readonly Person[]): Promise<string> {
  const { body } = await api.call("POST", "/lists", { name: "Readers" });
  const made = await Promise.all(people.map((person) => api.call("POST", "/contacts", person)));
  const contactIds = made.map((answer) => answer.body.data.id as string);
  await api.call("POST", `/lists/${body.data.id}/contacts`, { contactIds });
  return body.data.id as string;
}

/** Sends a campaign to these people; its messages by address. */
async function mailed(people: readonly Person[], fields: object, options: object) {
  const id = await makeCampaign(api, await listOf(people), fields);
  expect((await api.call("PATCH", `/campaigns/${id}/options`, options)).status).toBe(200);
  const before = api.relay.accepted.length;
  const answer = await send(api, id);
  expect(answer.status).toBe(200);
  expect((await reportOf(api, id)).remaining).toBe(0);
  const raws = api.relay.accepted.slice(before);
  return {
    id,
    to: Object.fromEntries(raws.map(({ raw }) => [headerOf(raw, "To")!, messageOf(raw)])),
  };
}

/** Which jobs that compile MJML were given to threads meanwhile. */
async function compiledIn<T extends object>(work: () => Promise<T>): Promise<T & { compiled: string[] }> {
  const orders = spyOn(Worker.prototype, "postMessage");
  try {
    const done = await work();
    const jobs = orders.mock.calls.map(([order]) => order as { name?: string; input?: { format?: string } });
    const compiled = jobs
      .filter(({ name = "", input }) => /mjml/i.test(name) || input?.format === "mjml")
      .map(({ name = "" }) => name);
    return { ...done, compiled };
  } finally {
    orders.mockRestore();
  }
}

const messageOf = (raw: string) => ({ raw, html: decodedPart(raw, 1), text: decodedPart(raw, 0) });
const path = (address: string): string => new URL(address).pathname;
const pathIn = (html: string, kind: string): string =>
  path(new RegExp(`${BASE_URL}/${kind}/[\\w/-]+`).exec(html)?.[0] ?? "");
const visit = (at: string) => fetch(api.url + at, { redirect: "manual" });

const ADA = { email: "ada@one.example.com", firstName: "Ada", attributes: { city: "Turin & <Rome>" } };
const EVE = {
  email: "eve@one.example.com",
  firstName: "Eve\u2028Bcc: all@example.org",
  attributes: { city: `"><script>{{ contact.email }}` },
};

describe("a personal campaign", () => {
  test("says in each part what Liquid makes of it for that person, and gains no header", async () => {
    const { to } = await mailed(
      [ADA, EVE],
      {
        subject: "Hello {{ contact.firstName }} of {{ contact.attributes.city }}",
        body: '<p title="{{ contact.attributes.city }}">{{ campaign.name }} for {{ contact.firstName }} {{ nobody }}</p>',
      },
      {
        personalize: true,
        preheader: "Only {{ contact.firstName }}",
        text: "Dear {{ contact.firstName }} & co",
      },
    );
    const [ada, eve] = [to[ADA.email]!, to[EVE.email]!];
    expect(headerOf(ada.raw, "Subject")).toBe("Hello Ada of Turin & <Rome>");
    expect(ada.html).toContain('<p title="Turin &amp; &lt;Rome&gt;">Spring for Ada </p>');
    expect(ada.html).toMatch(/^<div style="display:none;[^"]*" aria-hidden="true">Only Ada&#847;/);
    expect(ada.text).toStartWith("Dear Ada & co\n\n---");
    expect(eve.html).toContain("&quot;&gt;&lt;script&gt;{{ contact.email }}");
    expect(eve.html).not.toContain("<script>");
    expect(headerOf(eve.raw, "Bcc")).toBeUndefined();
    const names = (raw: string) =>
      [...raw.split("\r\n\r\n")[0]!.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
    expect(names(eve.raw)).toEqual(names(ada.raw));
  });

  test("without `personalize` is sent as written, byte for byte, in every part", async () => {
    const body = "<p>{{ contact.firstName }} {% if %}</p>";
    const options = { preheader: "A & B {{ x }}", text: "{{ contact.firstName }}  \n.\nFrom {% nope %}" };
    const { to } = await mailed([{ email: "p@two.example.com" }], { subject: "{{ x }}", body }, options);
    const { raw, html, text } = to["p@two.example.com"]!;
    expect(headerOf(raw, "Subject")).toBe("{{ x }}");
    expect(html).toContain(body);
    expect(html).toContain(">A &amp; B {{ x }}&#847;");
    expect(text).toStartWith(`${options.text}\n\n---`);
  });

  test("in MJML is compiled once, and Liquid runs on what comes out", async () => {
    const body = `<mjml><mj-body><mj-section><mj-column>
<mj-text>Dear {{ contact.firstName }} {% if contact.tags contains "vip" %}VIP{% endif %}</mj-text>
<mj-button href="https://shop.example.org/?to={{ contact.email }}">Go</mj-button></mj-column></mj-section></mj-body></mjml>`;
    const people = [
      { email: "a@mjml.example.com", firstName: "A", tags: ["vip"] },
      { email: "b@mjml.example.com", firstName: "B" },
    ];
    const { compiled, to, id } = await compiledIn(() =>
      mailed(people, { body }, { format: "mjml", personalize: true }),
    );
    // Once for the check of the call, of the plan, its warnings and the send.
    expect(compiled).toEqual(["letterFaults"]);
    expect(to["a@mjml.example.com"]!.html).toMatch(/Dear A VIP/);
    expect(to["b@mjml.example.com"]!.html).toMatch(/Dear B\s*</);
    expect(to["b@mjml.example.com"]!.html).not.toContain("mj-text");
    const kept = rowsFrom<{ content: string }>(
      api,
      `SELECT c.content FROM mailing_contents c JOIN mailings m ON m.seq = c.mailing
       WHERE m.source_id = ? AND c.content NOT LIKE '%mj-text%'`,
      id,
    );
    expect(kept.map(({ content }) => JSON.parse(content).options.format)).toEqual(["html"]);
  });

  test("MJML: a condition between elements gives each reader their own half", async () => {
    const body = `<mjml><mj-body><mj-section><mj-column>{% if contact.tags contains "vip" %}<mj-text>Code VIP50</mj-text>
{% else %}<mj-text>Just hello</mj-text>{% endif %}</mj-column></mj-section></mj-body></mjml>`;
    const people = [{ email: "a@halves.example.com", tags: ["vip"] }, { email: "b@halves.example.com" }];
    const { to } = await mailed(people, { body }, { format: "mjml", personalize: true });
    const said = (address: string) => {
      const { html, text } = to[address]!;
      return [html, text].map((part) => part.match(/VIP50|Just hello/g));
    };
    expect(said("a@halves.example.com")).toEqual([["VIP50"], ["VIP50"]]);
    expect(said("b@halves.example.com")).toEqual([["Just hello"], ["Just hello"]]);
  });

  test("fails for the one person whose letter breaks a limit, and goes out to the others", async () => {
    const many = Array.from({ length: 50 }, () => "x".repeat(280));
    const people = [
      { email: "big@limit.example.com", attributes: { list: many } },
      { email: "small@limit.example.com", attributes: { list: ["y"] } },
    ];
    const body =
      "<p>{% for a in contact.attributes.list %}{% for b in contact.attributes.list %}{% for c in contact.attributes.list %}{{ a }}{{ b }}{% endfor %}{% endfor %}{% endfor %}</p>";
    const { id, to } = await mailed(people, { body }, { personalize: true });
    expect(Object.keys(to)).toEqual(["small@limit.example.com"]);
    const rows = await deliveriesOf(api, id);
    expect(rows["big@limit.example.com"]).toMatchObject({ state: "FAILED", reason: "CANNOT_BE_COMPOSED" });
    expect(rows["big@limit.example.com"].detail).toMatch(/^The Liquid template cannot be used/);
    expect(rows["small@limit.example.com"]).toMatchObject({ state: "SENT" });
  });
});

test("who cannot get a letter is told why, with the place in it; a message of another end has nothing of it", async () => {
  const people = [
    { email: "bad@words.example.com", firstName: "Bad", attributes: { number: 1e9 } },
    { email: "good@words.example.com", firstName: "Good", attributes: { number: 2 } },
  ];
  const body =
    "<p>Dear {{ contact.firstName }}</p>\n<p>{% for n in (1..contact.attributes.number) %}{{ n }}{% endfor %}</p>";
  const { id, to } = await mailed(people, { body }, { personalize: true });
  expect(Object.keys(to)).toEqual(["good@words.example.com"]);
  const rows = await deliveriesOf(api, id);
  expect(rows["bad@words.example.com"]).toMatchObject({
    state: "FAILED",
    reason: "CANNOT_BE_COMPOSED",
    detail: "The Liquid template cannot be used in line 2, column 4: its filters and ranges make too much.",
    smtpReply: null,
  });
  expect(rows["good@words.example.com"]).toMatchObject({ state: "SENT", reason: null });
  expect(rows["good@words.example.com"]).not.toHaveProperty("detail");
});

describe("links", () => {
  const utm = { source: "news", medium: "email", campaign: "spring sale" };
  const body = `<p><a href="https://shop.example.org/{{ contact.firstName }}?utm_medium=own#top">a</a>
<a href="https://shop.example.org/all">b</a> <a href="{{ unsubscribeUrl }}">c</a></p>`;
  const people = [
    { email: "x@links.example.com", firstName: "X Y&utm_source=mine" },
    { email: "z@links.example.com", firstName: "Z" },
  ];

  test("lead to the address as Liquid and utm made it for that person, and nowhere else", async () => {
    const { to } = await mailed(people, { body }, { personalize: true, utm });
    const [x, z] = people.map(({ email }) => to[email]!.html);
    const base = (html: string) => pathIn(html, "c").replace(/\d+$/, "");
    const target = async (at: string) => (await visit(at)).headers.get("location");
    expect(await target(`${base(x!)}0`)).toBe(
      "https://shop.example.org/X%20Y&utm_source=mine?utm_medium=own&utm_source=news&utm_campaign=spring%20sale#top",
    );
    expect(await target(`${base(z!)}0`)).toBe(
      "https://shop.example.org/Z?utm_medium=own&utm_source=news&utm_campaign=spring%20sale#top",
    );
    for (const html of [x!, z!]) {
      expect(await target(`${base(html)}1`)).toBe(
        "https://shop.example.org/all?utm_source=news&utm_medium=email&utm_campaign=spring%20sale",
      );
      expect((await visit(`${base(html)}2`)).status).toBe(404);
      expect(html).toMatch(new RegExp(`<a href="${BASE_URL}/u/[\\w-]{22}">c</a>`));
    }
  });

  test("of one person are not reached by a message that has none", async () => {
    const own =
      '{% if contact.firstName != "" %}<a href="https://shop.example.org/{{ contact.firstName }}">a</a>{% endif %}';
    const two = [
      { email: "has@none.example.com", firstName: "Secret" },
      { email: "hasnot@none.example.com" },
    ];
    const { to } = await mailed(two, { body: `<p>Hi ${own}</p>` }, { personalize: true, trackOpens: true });
    const [has, hasNot] = two.map(({ email }) => to[email]!);
    expect((await visit(pathIn(has!.html, "c"))).headers.get("location")).toBe(
      "https://shop.example.org/Secret",
    );
    const message = readToken(
      api.services.database.signingSecret,
      "open",
      pathIn(hasNot!.html, "o").slice(3),
    )!;
    const { click } = tokensOf(api.services.database.signingSecret, message);
    expect((await visit(`/c/${click}/0`)).status).toBe(404);
  });

  test("get utm where clicks are not counted, too; addresses of our own pages get none", async () => {
    const { to } = await mailed(people, { body }, { personalize: true, utm, trackClicks: false });
    const html = to["z@links.example.com"]!.html;
    expect(html).toContain(
      'href="https://shop.example.org/Z?utm_medium=own&amp;utm_source=news&amp;utm_campaign=spring%20sale#top"',
    );
    expect(html).toMatch(new RegExp(`<a href="${BASE_URL}/u/[\\w-]{22}">c</a>`));
  });
});

describe("the web version", () => {
  const body =
    '<p>Dear {{ contact.firstName }} {{ "now" | date: "%Y" }}</p><a href="https://shop.example.org/{{ contact.firstName }}">x</a> <a href="{{ webVersionUrl }}">view</a><script>1</script>';
  const withoutPixel = (html: string) => html.replace(/<img src="[^"]*\/o\/[^>]*>\s*(?=<\/div>)/, "");

  test("shows the mail as it was sent, with the values of that time, and counts no open", async () => {
    const email = "web@web.example.com";
    const { id, to } = await mailed([{ email, firstName: "Old" }], { body }, { personalize: true });
    const { html } = to[email]!;
    const [row] = rowsOf(api, id);
    const { contactId } = (await deliveriesOf(api, id))[email]!;
    await api.call("PATCH", `/contacts/${contactId}`, { firstName: "New" });
    const page = await visit(pathIn(html, "w"));
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy")!;
    expect(policy).toContain("sandbox");
    expect(policy).not.toMatch(/allow-(scripts|same-origin|forms)|script-src/);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const shown = await page.text();
    const forPhones = '<meta name="viewport" content="width=device-width">';
    expect(shown).toStartWith(forPhones);
    expect(shown.replace(forPhones, "").trim()).toBe(withoutPixel(html).trim());
    expect(shown).toContain("Dear Old");
    // Its links are the mail's.
    expect((await visit(pathIn(shown, "c"))).headers.get("location")).toBe("https://shop.example.org/Old");
    await api.services.tracking.drain();
    expect(numberOf(api, `SELECT opened_at IS NULL AS n FROM deliveries WHERE seq = ${row!.seq}`)).toBe(1);

    expect((await api.call("DELETE", `/contacts/${contactId}`)).status).toBe(204);
    expect((await visit(pathIn(html, "w"))).status).toBe(404);
    expect(numberOf(api, `SELECT count(*) AS n FROM delivery_values WHERE delivery = ${row!.seq}`)).toBe(0);
  });

  test("keeps nothing for letters that do not link it, and only the values that a letter names", async () => {
    const person = {
      email: "few@web.example.com",
      firstName: "Few",
      attributes: { city: "Rome", secret: "s" },
    };
    const kept = () => numberOf(api, "SELECT count(*) AS n FROM delivery_values");
    const before = kept();
    const unlinked = await mailed(
      [person],
      { body: "<p>{{ contact.firstName }}</p>" },
      { personalize: true },
    );
    const plain = await mailed([person], { body: "<p>Plain</p>" }, {});
    expect(kept()).toBe(before);
    const linked = '<p>{{ contact.attributes.city }} <a href="{{ webVersionUrl }}">v</a></p>';
    await mailed([person], { body: linked }, { personalize: true });
    expect(kept()).toBe(before + 1);
    const [row] = rowsFrom<{ kept: string }>(api, "SELECT kept FROM delivery_values ORDER BY delivery DESC");
    expect(JSON.parse(row!.kept)).toEqual({ attributes: { city: "Rome" } });

    const at = (html: string) => pathIn(html, "u").replace("/u/", "/w/");
    expect((await visit(at(unlinked.to[person.email]!.html))).status).toBe(404);
    expect(await (await visit(at(plain.to[person.email]!.html))).text()).toContain("<p>Plain</p>");
  });

  test("answers a token that is not ours, or is for something else, like every broken link", async () => {
    for (const at of ["/w", "/w/x", `/w/${"A".repeat(32)}`]) expect((await visit(at)).status).toBe(404);
  });
});
