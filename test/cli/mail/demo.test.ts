import { expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { freePort, PROGRAM, temporaryDirectory } from "../../support/server/postrider.ts";

test("the demonstration sends a campaign to its own mailbox, serves, and leaves nothing behind", async () => {
  const home = temporaryDirectory();
  const temporary = `${home.path}/tmp`;
  mkdirSync(temporary);
  const relay = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data() {}, open: () => expect.unreachable() },
  });
  using proxy = Bun.serve({ port: 0, fetch: () => new Response("", { status: 502 }) });
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const url = `http://localhost:${freePort()}`;
  const child = Bun.spawn([...PROGRAM, "demo", "--port", new URL(url).port], {
    cwd: home.path,
    // What a person's shell may hold must not reach it: least of all a relay, nor a proxy its key.
    env: {
      ...process.env,
      TMPDIR: temporary,
      SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
      HTTP_PROXY: proxyUrl,
      http_proxy: proxyUrl,
      NO_PROXY: "",
      no_proxy: "",
      DATA_DIR: `${home.path}/real`,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  const welcome = new TextDecoder().decode((await reader.read()).value);

  expect(welcome).toContain("8 messages");
  const linkOf = (title: string) => new RegExp(`${title} +(http\\S+)`).exec(welcome)![1]!;
  for (const title of ["Mailbox", "API reference", "Sign-up form"])
    expect([title, (await fetch(linkOf(title))).status]).toEqual([title, 200]);
  expect(linkOf("Mailbox")).toBe(`${url}/mailbox`);
  expect(await (await fetch(`${url}/mailbox`)).text()).toContain("The first issue");
  const key = /pr_[\w-]{43}/.exec(welcome)![0];
  const answer = await fetch(`${url}/api/v1/campaigns`, { headers: { authorization: `Bearer ${key}` } });
  expect(((await answer.json()) as any).data).toMatchObject([{ status: "SENT", stat: { sent: 8 } }]);
  const form = linkOf("Sign-up form").split("/").at(-1)!;
  const joined = await fetch(`${url}/api/forms/${form}/submit`, {
    method: "POST",
    body: JSON.stringify({ email: "dorothy@example.com", firstName: "Dorothy" }),
  });
  expect(joined.status).toBe(200);
  const mailbox = async (): Promise<string> => (await fetch(`${url}/mailbox`)).text();
  let mails = await mailbox();
  while (!mails.includes("Welcome, Dorothy")) mails = await mailbox();
  expect(readdirSync(temporary)).toHaveLength(1);

  child.kill("SIGINT");
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(home.path)).toEqual(["tmp"]);
  relay.stop(true);
  home.remove();
});
