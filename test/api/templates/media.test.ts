import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { BASE_URL, callApi, inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { extendedWebp, gif, jpeg, png, uploadImage, webp } from "../../support/server/images.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { countRows } from "../../support/sending/campaigns.ts";

const clock = manualClock();
let service: TestApi;
let api: TestApi;
beforeAll(async () => {
  service = await startApi({ clock });
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
});
afterAll(() => service.stop());

const made = async (file: Uint8Array, name?: string) => (await uploadImage(api, file, name)).body.data;
const load = (url: string, init: RequestInit = {}) => fetch(url.replace(BASE_URL, api.url), init);
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const list = async () => (await api.call("GET", "/media")).body;
const MIB = 1024 * 1024;
/** A whole PNG of just so many bytes. */
const pngOf = (bytes: number) => png(3, 2, [["teSt", Buffer.alloc(bytes - png().length - 12, bytes % 251)]]);

describe("an image", () => {
  test.each([
    ["image/png", png(600, 200)],
    ["image/jpeg", jpeg(600, 200)],
    ["image/gif", gif(600, 200)],
    ["image/webp", webp(600, 200)],
    ["image/webp", extendedWebp(600, 200)],
  ])("%s is what its content says, not its name, and everybody can load it", async (type, file) => {
    const { status, body } = await uploadImage(api, file, "page.html");
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^med_/),
      name: "page.html",
      type,
      bytes: file.length,
      width: 600,
      height: 200,
      url: expect.stringMatching(new RegExp(`^${BASE_URL}/media/[\\w-]{32}\\.(png|jpg|gif|webp)$`)),
      createdAt: new Date(clock.now()).toISOString(),
    });
    const loaded = await load(body.data.url);
    expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, type]);
    expect(await bytesOf(loaded)).toEqual(file);
  });

  test("is listed newest first, a page at a time", async () => {
    const ids: string[] = [];
    for (let i = 1; i <= 3; i++) ids.unshift((await made(png(i, i))).id);
    const { data, pagination } = (await api.call("GET", "/media?limit=2")).body;
    const rest = (await api.call("GET", `/media?limit=2&after=${pagination.nextCursor}`)).body;
    expect([...data, ...rest.data].map(({ id }: any) => id)).toEqual(ids);
    expect([pagination.total, rest.pagination.nextCursor]).toEqual([3, null]);
  });

  test("may have 5 MiB, and a byte more is refused", async () => {
    const file = pngOf(5 * MIB);
    const largest = await made(file);
    expect(largest.bytes).toBe(5 * MIB);
    expect((await bytesOf(await load(largest.url))).equals(file)).toBe(true);
    const refused = await uploadImage(api, pngOf(5 * MIB + 1));
    expect([refused.status, refused.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect((await list()).pagination.total).toBe(1);
  });

  test("keeps a name that can be shown, on one line", async () => {
    const { name } = await made(png(), `a\tb${"ä".repeat(300)}.png`);
    expect(name).toBe(`a b${"ä".repeat(197)}`);
    expect((await made(png(5, 5), "")).name).toBe("image");
  });

  test("is only the image: what a camera put behind a JPEG is not kept", async () => {
    const file = jpeg();
    const { bytes, url } = await made(Buffer.concat([file, Buffer.from("<script>")]), "photo.jpg");
    expect(bytes).toBe(file.length);
    expect(await bytesOf(await load(url))).toEqual(file);
  });
});

describe("the same bytes twice", () => {
  test("are one file, whatever their names, also at the same moment", async () => {
    const answers = await Promise.all(
      ["a.png", "b.png", "c.png"].map((name) => uploadImage(api, png(), name)),
    );
    clock.advance(1_000);
    answers.push(await uploadImage(api, png(), "later.png"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await list()).toMatchObject({ data: [answers[0]!.body.data], pagination: { total: 1 } });
  });

  test("are two files in two workspaces: deleting one leaves the other", async () => {
    const other = await inNewWorkspace(service);
    const [ours, theirs] = [await made(png()), (await uploadImage(other, png())).body.data];
    expect(ours.url).not.toBe(theirs.url);
    expect((await api.call("DELETE", `/media/${ours.id}`)).status).toBe(204);
    expect((await load(ours.url)).status).toBe(404);
    expect((await load(theirs.url)).status).toBe(200);
  });

  test("after a deletion have their old address again", async () => {
    const first = await made(png());
    await load(first.url);
    await api.call("DELETE", `/media/${first.id}`);
    expect((await load(first.url)).status).toBe(404);
    const again = await made(png());
    expect([again.url, again.id === first.id]).toEqual([first.url, false]);
    expect((await load(first.url)).status).toBe(200);
  });
});

describe("what is no image is refused, and nothing is kept", () => {
  test.each([
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["a GIF that is a script", Buffer.from("GIF89a/*....*/=alert(1)//")],
    ["half a PNG", png().subarray(0, 40)],
    ["a PNG with an archive behind it", Buffer.concat([png(), Buffer.from("PK\x03\x04")])],
    ["a PNG of four thousand million pixels", png(65_535, 65_535)],
    ["nothing", Buffer.alloc(0)],
  ])("%s", async (_what, file) => {
    const answer = await uploadImage(api, file, "logo.png");
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect((await list()).pagination.total).toBe(0);
  });

  test("a body that is no form, and a form without a file", async () => {
    const form = new FormData();
    form.append("image", new Blob([png()]), "logo.png");
    for (const [body, words] of [
      ["{}", "multipart/form-data"],
      [form, "`file`"],
    ] as const) {
      const headers = { authorization: `Bearer ${api.key}` };
      const answer = await fetch(`${api.url}/api/v1/media`, { method: "POST", headers, body });
      const { error } = (await answer.json()) as any;
      expect([answer.status, error.code, error.message.includes(words)]).toEqual([
        422,
        "VALIDATION_ERROR",
        true,
      ]);
    }
    expect((await list()).pagination.total).toBe(0);
  });
});

describe("its public address", () => {
  test("may be kept for good, and shows an image or nothing", async () => {
    const { url } = await made(png());
    const { headers } = await load(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
      "content-length": String(png().length),
    });
    expect(headers.has("set-cookie")).toBe(false);
  });

  test("answers HEAD with the same headers and no body", async () => {
    const { url } = await made(png());
    const answer = await load(url, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "image/png",
      "",
    ]);
    expect(answer.headers.get("content-length")).toBe(String(png().length));
  });

  test("takes any end that images have, and no other name", async () => {
    const { url } = await made(png());
    const [, token] = /([\w-]{32})\.png$/.exec(url)!;
    for (const name of [
      token,
      `${token}.svg`,
      `${token}.html`,
      `${"x".repeat(32)}.png`,
      "..%2f..%2fetc",
      "%00",
    ]) {
      const answer = await load(`${BASE_URL}/media/${name}`);
      expect([name, answer.status, answer.headers.get("content-type")]).toEqual([
        name!,
        404,
        "text/plain; charset=utf-8",
      ]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test.each([
    ["If-None-Match", (etag: string) => etag, 304],
    ["If-None-Match", (etag: string) => `"other", W/${etag}`, 304],
    ["If-None-Match", () => "*", 304],
    ["If-None-Match", () => '"other"', 200],
    ["If-Modified-Since", (_etag: string, modified: string) => modified, 304],
    ["If-Modified-Since", () => "Thu, 01 Jan 2015 00:00:00 GMT", 200],
    ["If-Modified-Since", () => "no date", 200],
  ])("is not sent again to who has it: %s, case %#", async (name, value, status) => {
    const { url } = await made(png());
    const first = await load(url);
    const etag = first.headers.get("etag")!;
    const answer = await load(url, { headers: { [name]: value(etag, first.headers.get("last-modified")!) } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([status, etag]);
    expect((await answer.arrayBuffer()).byteLength).toBe(status === 304 ? 0 : png().length);
  });

  test.each([
    ["bytes=0-9", 206, 0, 10],
    ["bytes=10-", 206, 10, Infinity],
    ["bytes=-5", 206, -5, Infinity],
    ["bytes=5-999999", 206, 5, Infinity],
    ["bytes=-999999", 206, 0, Infinity],
    ["bytes=999999-", 416, 0, 0],
    ["bytes=-0", 416, 0, 0],
    ["bytes=9-2", 200, 0, Infinity],
    ["bytes=0-1,4-5", 200, 0, Infinity],
    ["lines=0-1", 200, 0, Infinity],
    ["bytes=x", 200, 0, Infinity],
    ["bytes=-", 200, 0, Infinity],
  ])("is sent in part: %s", async (range, status, start, end) => {
    const file = png();
    const { url } = await made(file);
    const answer = await load(url, { headers: { range } });
    expect(answer.status).toBe(status);
    const part = file.subarray(start, Math.min(end, file.length));
    expect(await bytesOf(answer)).toEqual(part);
    const at = start < 0 ? file.length + start : start;
    const said = { 206: `bytes ${at}-${at + part.length - 1}/${file.length}`, 416: `bytes */${file.length}` };
    expect(answer.headers.get("content-range")).toBe(said[status as 206] ?? null);
  });

  test("is sent whole where If-Range names another file", async () => {
    const { url } = await made(png());
    const { headers } = await load(url);
    const [etag, modified] = [headers.get("etag")!, headers.get("last-modified")!];
    for (const [value, status] of [
      [etag, 206],
      [modified, 206],
      ['"other"', 200],
      ["Thu, 01 Jan 2015 00:00:00 GMT", 200],
    ] as const)
      expect([
        value,
        (await load(url, { headers: { range: "bytes=0-1", "if-range": value } })).status,
      ]).toEqual([value, status]);
  });
});

test("a read key lists media and uploads none", async () => {
  const { key } = (await api.call("POST", "/keys", { scope: "read" })).body.data;
  expect((await callApi(`${api.url}/api/v1/media`, "GET", key)).status).toBe(200);
  expect((await uploadImage(api, png(), "logo.png", key)).status).toBe(403);
  expect((await list()).pagination.total).toBe(0);
});

test("a deletion takes all of it out of the database", async () => {
  const { id } = await made(pngOf(MIB));
  const rows = () => countRows(api, "media_slices WHERE media NOT IN (SELECT seq FROM media)");
  const slices = () => countRows(api, "media_slices");
  const before = slices();
  expect((await api.call("DELETE", `/media/${id}`)).status).toBe(204);
  expect([before - slices(), rows()]).toEqual([4, 0]);
  expect((await api.call("DELETE", `/media/${id}`)).status).toBe(404);
});

describe("the sign of a social network", () => {
  test("everybody can load it, and keep it for good", async () => {
    const { status, headers } = await fetch(`${api.url}/media/social/github.png`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const sign = await bytesOf(await fetch(`${api.url}/media/social/github.png`));
    expect(sign.subarray(1, 4).toString()).toBe("PNG");
  });

  test.each(["github", "github.gif", "nobody.png", "constructor.png", "..%2fgithub.png"])(
    "there is none of %s",
    async (name) => {
      expect((await fetch(`${api.url}/media/social/${name}`)).status).toBe(404);
    },
  );

  test("is in the letters of this service", async () => {
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-social><mj-social-element name="x" href="https://x.example/">X</mj-social-element></mj-social></mj-column></mj-section></mj-body></mjml>';
    const template = { name: "Signs", subject: "Signs", format: "mjml", body: mjml };
    const { id } = (await api.call("POST", "/templates", template)).body.data;
    const { html } = (await api.call("POST", `/templates/${id}/render`, {})).body.data;
    expect(html).toContain(`src="${BASE_URL}/media/social/x.png"`);
    expect(html).not.toContain("mailjet.com");
  });
});
