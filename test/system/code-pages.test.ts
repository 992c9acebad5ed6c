import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { codePages } from "#system/code-pages.ts";

const part = (head: string, anonymousKb: number): string =>
  `${head}\nSize:               1024 kB\nRss:                 512 kB\nAnonymous:      ${String(anonymousKb).padStart(8)} kB\nVmFlags: rd mr mw me\n`;

const SMAPS = [
  part("00200000-00300000 r--p 00000000 fe:00 4711                               /opt/my app/postrider", 0),
  part("01a40000-0684a000 r-xp 01840000 fe:00 4711                               /opt/my app/postrider", 0),
  part("0684a000-06850000 r--p 06649000 fe:00 4711                               /opt/my app/postrider", 24),
  part("06867000-08e73000 rw-p 06666000 fe:00 4711                               /opt/my app/postrider", 0),
  part("7f678d551000-7f678d6a7000 r-xp 00026000 fe:00 99                         /usr/lib/libc.so.6", 0),
  part("7f678d700000-7f678d710000 r-xp 00000000 00:00 0 ", 0),
].join("");

describe("which pages are let go", () => {
  test("only those of the executable that cannot be written and are as in the file", () => {
    expect(codePages(SMAPS, "/opt/my app/postrider")).toEqual([
      { from: 0x200000n, bytes: 0x100000n },
      { from: 0x1a40000n, bytes: 0x4e0a000n },
    ]);
  });

  test("none of another file, and none of a list that is empty", () => {
    expect(codePages(SMAPS, "/opt/postrider")).toEqual([]);
    expect(codePages("", "/opt/postrider")).toEqual([]);
  });
});

/** In a process of its own, because it must be this one's code that is let go. */
async function codeMemoryAround(): Promise<{ before: number; after: number; sum: number }> {
  const script = `
    import { readFileSync } from "node:fs";
    import { letGoOfCode } from "#system/code-pages.ts";
    const codeKb = () =>
      Number(/ r-xp [^\\n]*\\/bun\\S*\\n(?:.*\\n)*?Rss: +(\\d+)/.exec(readFileSync("/proc/self/smaps", "utf8"))[1]);
    const before = codeKb();
    await letGoOfCode();
    const after = codeKb();
    const sum = JSON.parse("[1,2,3]").map((each) => each * 2).reduce((a, b) => a + b);
    console.log(JSON.stringify({ before, after, sum }));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: resolve(import.meta.dir, "../.."),
    stderr: "inherit",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

test.skipIf(process.platform !== "linux")(
  "a process holds less of its code afterwards, and goes on",
  async () => {
    const { before, after, sum } = await codeMemoryAround();
    expect(after).toBeLessThan(before / 2);
    expect(sum).toBe(12);
  },
);
