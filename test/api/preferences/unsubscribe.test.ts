import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { textOf, readPage } from "../../support/browser/page-checks.ts";
import { consentLog, person, suppressions } from "../../support/people/people.ts";
import {
  oneClickPath,
  startReaders,
  tokenOf,
  type Letter,
  type ReadersApi,
} from "../../support/people/readers.ts";
import { makeCampaign, reportOf, send } from "../../support/sending/sending.ts";

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

type Reader = Letter & { address: string; contactId: string; campaignId: string; listId: string };

let readers = 0;
async function newReader(address = `reader-${++readers}@example.com`): Promise<Reader> {
  const { letters, contactIds, campaignId, listId } = await api.mailTo([address]);
  return { ...letters[0]!, address, contactId: contactIds[0]!, campaignId, listId };
}

/** Everything an opt-out may touch of a reader. */
async function standing({ address, contactId, campaignId, listId }: Reader) {
  const contact = await api.call("GET", `/contacts/${contactId}`);
  const log = await consentLog(api);
  return {
    status: contact.body.data?.status,
    lists: (await api.call("GET", `/contacts/${contactId}/lists`)).body.data?.length,
    listed: (await api.call("GET", `/lists/${listId}`)).body.data.contactCount,
    suppressed: (await suppressions(api))[address],
    log: log.filter((entry) => entry.includes(` ${address} `)),
    unsubscribed: (await reportOf(api, campaignId)).unsubscribed,
    stat: (await api.call("GET", `/campaigns/${campaignId}`)).body.data.stat.unsubscribed,
  };
}

const SUBSCRIBED = {
  status: "SUBSCRIBED",
  lists: 1,
  listed: 1,
  suppressed: undefined,
  log: [],
  unsubscribed: 0,
  stat: 0,
};
const optedOut = ({ address }: Reader) => ({
  status: "UNSUBSCRIBED",
  lists: 0,
  listed: 0,
  suppressed: "UNSUBSCRIBED",
  log: [`WITHDRAWN ${address} unsubscribe`],
  unsubscribed: 1,
  stat: 0,
});

const post = (
  path: string,
  body: string | URLSearchParams | FormData | null = null,
  headers: Record<string, string> = {},
) => api.visit(path, { method: "POST", body, headers });

function multipart(): FormData {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  return form;
}

describe("looking at the unsubscribe page", () => {
  test("changes nothing, by any method but POST, however often", async () => {
    const reader = await newReader();
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]) {
      await api.visit(reader.unsubscribe, { method });
      await api.visit(`${reader.unsubscribe}?List-Unsubscribe=One-Click&_method=POST`, {
        method,
        headers: { "X-HTTP-Method-Override": "POST" },
      });
    }
    expect(await standing(reader)).toEqual(SUBSCRIBED);
  });

  test("shows whose mail it is, a shortened address and one button", async () => {
    const reader = await newReader("grace.hopper@example.com");
    const answer = await api.visit(reader.unsubscribe);
    expect(answer.status).toBe(200);
    const page = await readPage(answer);
    expect(textOf(page)).toStartWith(
      "Default Unsubscribe from these emails? Press the button, and no more newsletters or other marketing emails are sent to g••@example.com, from any list.",
    );
    expect(page).not.toContain("grace.hopper");
    expect([...page.matchAll(/<(?:form|button|input)\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<form method="post">',
      '<input id="reason" name="reason" maxlength="300" autocomplete="off" />',
      '<button type="submit">',
    ]);
  });
});

describe("unsubscribing", () => {
  const REQUESTS: Record<string, () => Promise<Response>> = {};
  const as = (name: string, ask: (path: string) => Promise<Response>) => {
    REQUESTS[name] = async () => ask(oneClickPath((current = await newReader())));
  };
  let current: Reader;
  as("one-click, urlencoded", (path) => post(path, new URLSearchParams("List-Unsubscribe=One-Click")));
  as("one-click, multipart", (path) => post(path, multipart()));
  as("the page's button", (path) => post(path, "", { "Content-Type": "application/x-www-form-urlencoded" }));
  as("an empty body", (path) => post(path));
  as("a body of JSON", (path) => post(path, "{}", { "Content-Type": "application/json" }));
  as("a body that is none of these", (path) => post(path, "\0{\xff", { "Content-Type": "nonsense" }));
  as("another site's page", (path) =>
    post(path, multipart(), { Origin: "https://mail.example.net", Referer: "https://mail.example.net/" }),
  );

  test.each(Object.keys(REQUESTS))("by %s takes effect at once, without redirect or cookie", async (name) => {
    const answer = await REQUESTS[name]!();
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(textOf(await readPage(answer))).toContain("You are unsubscribed");
    expect(await standing(current)).toEqual(optedOut(current));
  });

  test("twice, and in parallel, answers 200 and changes nothing more", async () => {
    const reader = await newReader();
    const together = await Promise.all(Array.from({ length: 20 }, () => post(reader.unsubscribe)));
    const answers = [...together, await post(reader.unsubscribe)];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(await standing(reader)).toEqual(optedOut(reader));
    expect(textOf(await readPage(await api.visit(reader.unsubscribe)))).toContain(
      "was unsubscribed with this link before",
    );
  });

  test("touches nobody else, and is logged with the client's address and program", async () => {
    const { letters, contactIds } = await api.mailTo(["ada@example.com", "ada@example.org"]);
    await post(letters[0]!.unsubscribe, null, { "User-Agent": `Mail/1.0 ${"x".repeat(2_000)}` });
    const [ada, other] = await Promise.all(contactIds.map((id) => api.call("GET", `/contacts/${id}`)));
    expect([ada!.body.data.status, other!.body.data.status]).toEqual(["UNSUBSCRIBED", "SUBSCRIBED"]);
    const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId));
    const userAgent = `Mail/1.0 ${"x".repeat(503)}`;
    expect(entry).toMatchObject({ email: "ada@example.com", clientAddress: "127.0.0.1", userAgent });
  });

  test("keeps the reason a person gave, cut short, with the first opt-out only, and shows it to nobody", async () => {
    const REASON = `Too many <b>mails</b> ${"x".repeat(400)}`;
    const said = async (reason: string) => {
      const { unsubscribe } = await newReader();
      expect((await post(unsubscribe, new URLSearchParams({ reason }))).status).toBe(200);
      const again = await post(unsubscribe, new URLSearchParams({ reason: "Later" }));
      expect(await again.text()).not.toContain("Later");
      const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId));
      return entry!.reason;
    };
    expect(await said(`  ${REASON} `)).toBe(REASON.slice(0, 300));
    for (const none of ["", "   "]) expect(await said(none)).toBeNull();
    const { unsubscribe } = await newReader();
    expect((await post(unsubscribe, `reason=${"x".repeat(100_000)}`)).status).toBe(200);
  });

  test("keeps the person from the next campaign", async () => {
    const reader = await newReader();
    await post(reader.unsubscribe);
    const next = await makeCampaign(api, reader.listId);
    expect((await send(api, next)).status).toBe(422);
  });

  test("works after the contact was deleted: the address is suppressed", async () => {
    const reader = await newReader();
    await api.call("DELETE", `/contacts/${reader.contactId}`);
    expect((await post(reader.unsubscribe)).status).toBe(200);
    expect((await suppressions(api))[reader.address]).toBe("UNSUBSCRIBED");
    expect((await person(api, reader.address)).status).toBe("UNSUBSCRIBED");
  });

  test("works after the campaign and its list were deleted", async () => {
    const reader = await newReader();
    await api.call("DELETE", `/campaigns/${reader.campaignId}`);
    await api.call("DELETE", `/lists/${reader.listId}`);
    expect((await post(oneClickPath(reader), multipart())).status).toBe(200);
    expect((await api.call("GET", `/contacts/${reader.contactId}`)).body.data.status).toBe("UNSUBSCRIBED");
    expect((await suppressions(api))[reader.address]).toBe("UNSUBSCRIBED");
  });

  test("that a crash cut in two is made whole by the next click", async () => {
    const reader = await newReader();
    const { address, contactId } = reader;
    const origin = { source: "unsubscribe" as const, formId: null, clientAddress: null, userAgent: null };
    await api.services.contacts.optOut({ workspaceId: api.workspaceId, address, contactId, origin });
    expect((await reportOf(api, reader.campaignId)).unsubscribed).toBe(0);
    await post(reader.unsubscribe);
    expect(await standing(reader)).toEqual(optedOut(reader));
  });

  test("never weakens a complaint or a bounce", async () => {
    const reader = await newReader();
    await api.services.suppressions.add(api.workspaceId, reader.address, "COMPLAINT");
    expect((await post(reader.unsubscribe)).status).toBe(200);
    expect((await suppressions(api))[reader.address]).toBe("COMPLAINT");
  });

  test("with a token of another purpose or none does nothing: the 404 page of every broken link", async () => {
    const reader = await newReader();
    const tokens = [
      tokenOf(reader.pixel),
      tokenOf(reader.links[0]!),
      "x",
      "x".repeat(10_000),
      "%00",
      `${tokenOf(reader.unsubscribe)}=`,
    ];
    const posted = await Promise.all(tokens.map((token) => post(`/u/${token}`, multipart())));
    expect(posted.map(({ status }) => status)).toEqual(tokens.map(() => 404));
    const pages = await Promise.all([...posted, await api.visit("/u/x")].map((answer) => readPage(answer)));
    expect(new Set(pages).size).toBe(1);
    expect(await standing(reader)).toEqual(SUBSCRIBED);
  });
});

describe("what a workspace calls itself", () => {
  const NAMES = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `</title></style><svg/onload=alert(1)>`,
    `' onfocus='alert(1)' autofocus='`,
    `&lt;b&gt; & Söhne "GmbH" <b>`,
    `{{constructor.constructor('alert(1)')()}}`,
    "\u202egnp.exe",
    "<!--",
  ];
  test.each(NAMES)("is text and nothing else: %s", async (name) => {
    const reader = await newReader();
    await api.services.workspaces.changeSettings(api.workspaceId, { name });
    const shown = name.replace(/\s+/g, " ");
    for (const answer of [await api.visit(reader.unsubscribe), await post(reader.unsubscribe)]) {
      expect(textOf(await readPage(answer))).toStartWith(shown);
    }
    await api.services.workspaces.changeSettings(api.workspaceId, { name: "Default" });
  });
});
