import { afterAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { freePort, temporaryDirectory } from "../support/postrider.ts";

/** The executable in POSTRIDER_BINARY where it is to be tried (as .ci/run does), else the sources. */
const COMMAND = process.env.POSTRIDER_BINARY
  ? [resolve(process.env.POSTRIDER_BINARY)]
  : [process.execPath, resolve(import.meta.dir, "../../src/main.ts")];

const home = temporaryDirectory();
const port = freePort();
const server = Bun.spawn([...COMMAND, "--port", String(port)], { cwd: home.path, stdout: "pipe", stderr: "ignore" });
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

/** The shell blocks of a README section as one script, for this server and this key. */
async function tour(key: string): Promise<string> {
  const readme = await Bun.file(resolve(import.meta.dir, "../../README.md")).text();
  const section = /## Five minutes with curl\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThanOrEqual(7);
  return blocks
    .join("\n")
    .replaceAll("8080", String(port))
    .replace("pr_the-key-that-was-printed", key)
    .replaceAll("sh scripts/start ", `${COMMAND.map((word) => `'${word}'`).join(" ")} `);
}

describe("the README's tour", () => {
  test("works as written: two people mailed, one opens, clicks and leaves", async () => {
    const script = await tour(await firstKey());
    const shell = Bun.spawn(["sh", "-eu"], { cwd: home.path, stdin: Buffer.from(script), stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()]);
    expect(err).toBe("");
    expect(await shell.exited).toBe(0);
    expect(out).toContain('{"data":{"added":2,"skipped":0}}');
    expect(out).toContain('{"data":{"sent":2,"failed":0,"remaining":0,"complete":true}}');
    expect(out).toContain("200 image/gif");
    expect(out).toContain("302 -> https://example.com/news");
    expect(out).toContain('"stat":{"sent":2,"opened":1,"clicked":1,"bounced":0,"unsubscribed":0}');
    expect(out).toContain('"unsubscribed":1');
    expect(out).toContain('"status":"UNSUBSCRIBED"');
  }, 30_000);
});
