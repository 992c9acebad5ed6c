import { expect, test } from "bun:test";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { png } from "../../support/server/images.ts";
import { keyOf, postrider, type RunningServer } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const at = freshHomes();

/** A path of `url` on the server that runs now. */
const here = (server: RunningServer, url: string): string => server.url + new URL(url).pathname;

async function uploaded(server: RunningServer, key: string, file: Uint8Array): Promise<{ url: string }> {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(file)]), "logo.png");
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${server.url}/api/v1/media`, { method: "POST", headers, body });
  return ((await answer.json()) as { data: { url: string } }).data;
}

test.skipIf(needsSqlite("PostgreSQL has backups of its own"))(
  "a backup has the images, and restored they are at their old addresses",
  async () => {
    const file = `${at.other}/backup.db`;
    const large = png(600, 200, [["teSt", Buffer.alloc(1024 * 1024, 7)]]);
    const server = await at.start();
    const key = keyOf(server);
    const { url } = await uploaded(server, key, large);
    expect((await postrider(at.home, ["backup", file])).code).toBe(0);
    const { url: later } = await uploaded(server, key, png());
    expect((await fetch(here(server, later))).status).toBe(200);
    await server.end("SIGTERM");

    expect((await postrider(at.home, ["restore", file, "--force"])).code).toBe(0);
    const next = await at.start();
    const loaded = await fetch(here(next, url));
    expect(Buffer.from(await loaded.arrayBuffer()).equals(large)).toBe(true);
    expect((await fetch(here(next, later))).status).toBe(404);
    expect((await uploaded(next, key, png())).url).toContain(new URL(later).pathname);
  },
);
