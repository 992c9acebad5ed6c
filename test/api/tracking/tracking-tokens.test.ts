import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import { readToken, tokensOf, type Purpose } from "#deliveries/token.ts";
import { earlierToken } from "../../support/sending/earlier-tokens.ts";
import { readPage } from "../../support/browser/page-checks.ts";
import { startReaders, tokenOf, type Letter, type ReadersApi } from "../../support/people/readers.ts";
import { reportOf } from "../../support/sending/sending.ts";

const SHOP = "https://shop.example.org/new?a=1&b=%20x";
const IDN = "https://bücher.example/straße?q=grün";
const BODY = `<p><a href="${SHOP.replace("&", "&amp;")}">News</a> <a href="${IDN}">Books</a></p>`;

const NOTHING = { opened: 0, clicked: 0 };

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

let reader = 0;
/** A campaign to one new reader. */
async function letterTo(address = `ada-${++reader}@example.com`): Promise<Letter & { campaignId: string }> {
  const { campaignId, letters } = await api.mailTo([address], { body: BODY });
  return { ...letters[0]!, campaignId };
}

describe("tokens", () => {
  test("open one purpose, and everything else is one and the same page", async () => {
    const { pixel, links, unsubscribe, campaignId } = await letterTo();
    const foreign = tokensOf(Buffer.alloc(32, 7), 1);
    const { signingSecret } = api.services.database;
    const message = present(readToken(signingSecret, "open", tokenOf(pixel)), "message of the pixel");
    const number = Buffer.from(tokenOf(pixel), "base64url").subarray(0, 6);
    const bad = [
      ...[unsubscribe, links[0]!, `/x/${foreign.open}`, `/x/${"A".repeat(32)}`].map(
        (path) => `/o/${tokenOf(path)}`,
      ),
      ...[unsubscribe, pixel, `/x/${foreign.click}`].map((path) => `/c/${tokenOf(path)}/0`),
      ...[pixel, links[0]!, `/x/${foreign.unsubscribe}`].map((path) => `/u/${tokenOf(path)}`),
      `/u/${Buffer.concat([number, Buffer.alloc(10, 7)]).toString("base64url")}`,
      `/u/${Buffer.concat([Buffer.alloc(2), number, Buffer.alloc(16, 7)]).toString("base64url")}`,
      `/u/${earlierToken(signingSecret, "open", message)}`,
      `/c/${earlierToken(signingSecret, "unsubscribe", message)}/0`,
      `/u/${tokenOf(unsubscribe).slice(0, -1)}`,
      `/u/${tokenOf(unsubscribe)}A`,
      `/u/${"x".repeat(10_000)}`,
      "/u/1",
      "/u/%00",
      ...["u", "o", "p", "w"].flatMap((page) => [`/${page}/%zz`, `/${page}/%zz/`, `/${page}/100%/`]),
      "/c/%ff/0/",
      "/u/%2e%2e%2fhealth",
      "/u",
      "/u/",
      "/o/",
      `/c/${tokenOf(links[0]!)}`,
      `/c/${tokenOf(links[0]!)}/`,
    ];
    const pages = await Promise.all(bad.map(async (path) => ({ path, answer: await api.visit(path) })));
    const seen = new Set<string>();
    for (const { path, answer } of pages) {
      expect([path, answer.status]).toEqual([path, 404]);
      seen.add(await readPage(answer));
    }
    expect(seen.size).toBe(1);
    expect(await api.countsOf(campaignId)).toEqual(NOTHING);
    expect((await reportOf(api, campaignId)).unsubscribed).toBe(0);
  });

  test("open also where a mail program took the mark behind an address for a part of it", async () => {
    const { pixel, links, unsubscribe, campaignId } = await letterTo();
    const unsubscribed = async () => (await reportOf(api, campaignId)).unsubscribed;
    const page = (name: string) => `/${name}/${tokenOf(unsubscribe)}`;
    const target = (await api.visit(links[0]!)).headers.get("location");
    for (const mark of ["]", "%5D", ").", "%3E", ",", "%E2%80%9D", "%E2%80%9C", "%C2%AB.", "%EF%BC%8C"]) {
      const click = await api.visit(`${links[0]}${mark}`);
      expect([mark, click.status, click.headers.get("location")]).toEqual([mark, 302, target]);
      for (const path of [page("u"), page("p"), page("w"), pixel])
        expect([path, mark, (await api.visit(`${path}${mark}`)).status]).toEqual([path, mark, 200]);
    }
    expect((await api.visit(`${links[0]}x`)).status).toBe(404);
    expect((await api.visit(`${links[0]}]1`)).status).toBe(404);
    expect(await unsubscribed()).toBe(0);
    expect((await api.visit(`${page("u")}]`, { method: "POST" })).status).toBe(200);
    expect(await unsubscribed()).toBe(1);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 1 });
  });

  test("of mails that an earlier version sent, longer ones, open what they opened", async () => {
    const { pixel, links, campaignId } = await letterTo();
    const { signingSecret } = api.services.database;
    const message = present(readToken(signingSecret, "open", tokenOf(pixel)), "message of the pixel");
    const earlier = (purpose: Purpose) => earlierToken(signingSecret, purpose, message);
    expect((await api.visit(`/o/${earlier("open")}`)).headers.get("content-type")).toBe("image/gif");
    const [today, then] = [await api.visit(links[0]!), await api.visit(`/c/${earlier("click")}/0`)];
    expect(then.status).toBe(302);
    expect(then.headers.get("location")).toBe(today.headers.get("location"));
    expect((await api.visit(`/p/${earlier("unsubscribe")}`)).status).toBe(200);
    expect((await api.visit(`/w/${earlier("unsubscribe")}`)).status).toBe(200);
    expect((await reportOf(api, campaignId)).unsubscribed).toBe(0);
    const left = await api.visit(`/u/${earlier("unsubscribe")}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(left.status).toBe(200);
    expect((await reportOf(api, campaignId)).unsubscribed).toBe(1);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 1 });
  });

  test("with any one bit flipped belong to no message: 10,000 tries", async () => {
    const { signingSecret } = api.services.database;
    let hits = 0;
    for (let tries = 0, message = 1; tries < 10_000; message++) {
      const token = Buffer.from(tokensOf(signingSecret, message).unsubscribe, "base64url");
      for (let bit = 0; bit < token.length * 8 && tries < 10_000; bit++, tries++) {
        const flipped = Buffer.from(token);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        for (const purpose of ["open", "click", "unsubscribe"] as const) {
          if (readToken(signingSecret, purpose, flipped.toString("base64url")) !== null) hits++;
        }
      }
    }
    expect(hits).toBe(0);
  });

  test("stay out of the log at info and above, and so do addresses", async () => {
    const { unsubscribe } = await letterTo("log@example.com");
    await api.visit(unsubscribe, { method: "POST" });
    const lines = api.logLines.filter((line) => !line.includes('"level":"debug"')).join("");
    expect(lines).not.toContain(tokenOf(unsubscribe));
    expect(lines).not.toContain("log@example.com");
  });
});
