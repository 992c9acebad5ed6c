import { afterAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { eventually } from "../support/common/eventually.ts";
import { verify } from "../support/webhooks/webhooks.ts";
import { webhookTarget } from "../support/webhooks/webhook-target.ts";
import { freePort, placeOf, temporaryDirectory } from "../support/server/postrider.ts";
import { isPostgres } from "../support/server/services.ts";
import { makeDurable } from "../support/storage/postgres.ts";

/** The executable in POSTRIDER_BINARY where it is to be tried (as .ci/run does), else the sources. */
const COMMAND = process.env.POSTRIDER_BINARY
  ? [resolve(process.env.POSTRIDER_BINARY)]
  : [process.execPath, resolve(import.meta.dir, "../../src/main.ts")];

const home = temporaryDirectory();
const port = freePort();
const env = { ...process.env, ...(await placeOf(home.path)) };
if (isPostgres) await makeDurable();
const server = Bun.spawn([...COMMAND, "--port", String(port)], {
  cwd: home.path,
  env,
  stdout: "pipe",
  stderr: "ignore",
});
afterAll(async () => {
  server.kill("SIGTERM");
  await server.exited;
  home.remove();
});

/** The key the first start prints. */
async function firstKey(): Promise<string> {
  let text = "";
  for await (const chunk of server.stdout) {
    text += new TextDecoder().decode(chunk);
    const key = /API key\s+(pr_\S{43})/.exec(text)?.[1];
    if (key) return key;
  }
  throw new Error(`no key in: ${text}`);
}

const pageAt = (path: string) => Bun.file(resolve(import.meta.dir, "../..", path)).text();
const README = await pageAt("README.md");
const FORMS = await pageAt("docs/forms.md");
const AUTOMATIONS = await pageAt("docs/automations.md");
const TOUR = await pageAt("docs/tour.md");
const TRANSACTIONAL = await pageAt("docs/transactional.md");
const WEBHOOKS = await pageAt("docs/webhooks.md");
const SHELL_BLOCK = /```sh\n([\s\S]*?)```/g;

/** The shell blocks of a text as one script. */
function blocksOf(text: string): string {
  const blocks = [...text.matchAll(SHELL_BLOCK)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join("\n");
}

/** A section of the README. */
const section = (title: string): string =>
  new RegExp(`\\n## ${title}\\n([\\s\\S]*?)\\n## `).exec(README)?.[1] ?? "";

/** Runs a script of these pages as it is written, but for this server, this key and this program. */
async function shell(script: string): Promise<string> {
  const command = COMMAND.map((word) => `'${word}'`).join(" ");
  const adapted = script
    .replaceAll("8080", String(port))
    .replace("pr_the-key-that-was-printed", key)
    .replaceAll("sh scripts/start ", `${command} `);
  const stdin = Buffer.from(`postrider() { ${command} "$@"; }\n${adapted}`);
  const child = Bun.spawn(["sh", "-eu"], { cwd: home.path, env, stdin, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(err).toBe("");
  expect(await child.exited).toBe(0);
  return out;
}

const key = await firstKey();

/** What the pages' own blocks lean on: the key, the address, `post`, `get` and `id`. */
const [DEFINITIONS] = blocksOf(TOUR).split("\n\n");

describe("the README", () => {
  test("is at most 150 lines", () => {
    expect(README.split("\n").length).toBeLessThanOrEqual(150);
  });

  test("makes the first mail as written, and the copy for those who did not open it", async () => {
    const out = await shell(blocksOf(section("First mail by API")));
    expect(out).toContain('{"data":{"sent":1,"failed":0,"remaining":0,"complete":true}}');
    expect(out).toContain("Unsubscribe: http");
    expect(out).toContain('{"data":{"recipients":1,"skipped":{}');
  });
});

describe("the tour", () => {
  test("works as written: two people mailed, one opens, clicks and leaves", async () => {
    const out = await shell(blocksOf(TOUR));
    expect(out).toContain('{"data":{"added":2,"skipped":0}}');
    expect(out).toContain('{"data":{"sent":2,"failed":0,"remaining":0,"complete":true}}');
    expect(out).toContain("200 image/gif");
    expect(out).toContain("302 -> https://example.com/news");
    expect(out).toContain('"stat":{"sent":2,"opened":1,"clicked":1,"bounced":0,"unsubscribed":0}');
    expect(out).toContain('"unsubscribed":1');
    expect(out).toContain('"status":"UNSUBSCRIBED"');
  });

  test("and every other curl of it, and of the pages on forms and automations, answers as it says", async () => {
    const welcome = /`welcome\.json`:\n\n```json\n([\s\S]*?)\n```/.exec(AUTOMATIONS)?.[1] ?? "";
    await Bun.write(resolve(home.path, "welcome.json"), welcome);
    const list = `LIST=$(get /lists | id)`;
    const sections = [FORMS, AUTOMATIONS, TRANSACTIONAL].map(blocksOf);
    const out = await shell([DEFINITIONS, list, ...sections].join("\n"));
    expect(out).not.toContain('"error"');
    expect(out).toContain(`"embedUrl":"http://localhost:${port}/api/forms/`);
    expect(out).toContain('{"data":[]}');
    expect(out).toContain('"status":"LIVE"');
    expect(out).toContain('"name":"order_placed"');
    expect(out).toContain('"sent":1,"failed":0,"skipped":0');
  });

  test("webhooks: the lines make one, and its test arrives, signed with the secret that was shown", async () => {
    const target = webhookTarget();
    const allow = "postrider settings set allowPrivateWebhooks=on";
    const lines = blocksOf(WEBHOOKS);
    expect(lines).toContain("https://shop.example.com/hooks");
    const here = lines.replace("https://shop.example.com", `http://127.0.0.1:${target.port}`);
    const out = await shell([DEFINITIONS, allow, here].join("\n"));
    const secret = /"secret":"(whsec_[^"]+)"/.exec(out)![1]!;
    expect(out).toContain('"type":"webhook.test"');
    await eventually(() => target.received.length === 1);
    verify(secret, target.received[0]!);
    target.stop();
  });
});
