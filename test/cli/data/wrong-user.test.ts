/** Commands that are run as another user than the server: nothing is wrong with the data, and they say what to do. */
import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync } from "node:fs";
import type { Finding } from "#doctor/finding.ts";
import { lacks } from "../../support/common/needs.ts";
import { freshHomes } from "../../support/server/fresh-homes.ts";
import { PROGRAM, postrider, type Ended } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";

const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

const mayBeNobody = ((): boolean => {
  try {
    return Bun.spawnSync([...AS_NOBODY, ...PROGRAM, "version"], { env: {}, cwd: "/" }).exitCode === 0;
  } catch {
    return false;
  }
})();
const isElsewhere =
  needsSqlite("the data is a file there") ||
  lacks(
    "other user to run the program as",
    mayBeNobody,
    "run these tests as root, with setpriv, where everybody may read the sources.",
  );

const at = freshHomes();
let data = "";
let file = "";
beforeEach(async () => {
  // What is above the data directory is open to everybody, as /var/lib is.
  chmodSync(at.home, 0o755);
  data = `${at.home}/data`;
  file = `${data}/postrider.db`;
  await postrider(data, ["workspace", "create", "--name", "Ada's"]);
});

async function asNobody(...args: string[]): Promise<Ended> {
  const child = Bun.spawn([...AS_NOBODY, ...PROGRAM, ...args], {
    env: { DATA_DIR: data },
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

const SAYS = () => `this user may not open ${file}: run it as the server's user (root)`;

/** Modes of the directory and of the file, as root. */
const PLACES: readonly (readonly [string, number, number])[] = [
  ["a directory that only its owner may enter", 0o700, 0o600],
  ["a file that only its owner may read", 0o755, 0o600],
  ["a directory that only its owner may write, where no server runs", 0o755, 0o666],
];

describe.skipIf(isElsewhere).each(PLACES)("as another user, %s", (_, directoryMode, fileMode) => {
  beforeEach(() => {
    chmodSync(data, directoryMode);
    chmodSync(file, fileMode);
  });

  test.each([
    "workspace list",
    "workspace create --name Another",
    "export contacts",
    "migrate --check",
    "backup /tmp/postrider-never-made.db",
  ])("%s says whose database it is", async (line) => {
    const names = readdirSync(data);
    expect(await asNobody(...line.split(" "))).toEqual({ code: 1, out: "", err: `postrider: ${SAYS()}\n` });
    expect(readdirSync(data)).toEqual(names);
  });

  test("the doctor says so too, and speaks of no backup", async () => {
    const { code, out } = await asNobody("doctor", "--json");
    const findings = JSON.parse(out) as Finding[];
    expect([code, findings.find(({ id }) => id === "database")]).toMatchObject([
      1,
      { result: "fail", message: SAYS(), advice: null },
    ]);
    expect(findings.find(({ id }) => id === "data_directory")?.advice).toStartWith(
      "run it as the server's user (root)",
    );
    expect(out).not.toContain("restore");
  });
});

/** Modes of the directory and of the file; both belong to the user who runs the command. */
const OWN: readonly (readonly [string, number, number])[] = [
  ["a directory", 0o000, 0o600],
  ["a file", 0o700, 0o000],
];

test.skipIf(isElsewhere).each(OWN)(
  "whoever owns the data is not sent to somebody else for %s that is closed to them",
  async (_, directoryMode, fileMode) => {
    for (const path of [at.home, data, file]) chownSync(path, 65534, 65534);
    chmodSync(file, fileMode);
    chmodSync(data, directoryMode);
    const { err } = await asNobody("workspace", "list");
    const says = `this user may not open ${file}: it belongs to this user, so correct its permissions`;
    expect(err).toStartWith(`postrider: ${says}`);
    const findings = JSON.parse((await asNobody("doctor", "--json")).out) as Finding[];
    expect(findings.find(({ id }) => id === "database")?.message).toStartWith(says);
    expect(err + JSON.stringify(findings)).not.toContain("run it as");
  },
);

test.skipIf(isElsewhere)("the doctor goes on where not even the directory can be looked at", async () => {
  chmodSync(at.home, 0o700);
  const { code, out } = await asNobody("doctor", "--json");
  const findings = JSON.parse(out) as Finding[];
  expect([code, findings.find(({ id }) => id === "data_directory")?.message]).toEqual([
    1,
    `this user may not look at ${data}`,
  ]);
  expect(findings.find(({ id }) => id === "database")?.message).toBe(
    `this user may not open ${file}: run it as the server's user`,
  );
});

test.skipIf(isElsewhere)("whoever may only read a backup reads it where nothing can be written", async () => {
  const [to, copy] = [`${at.other}/to`, `${at.other}/copy.db`];
  expect((await postrider(data, ["backup", copy])).code).toBe(0);
  data = `${at.home}/read-only`;
  file = `${data}/postrider.db`;
  mkdirSync(data, { mode: 0o755 });
  copyFileSync(copy, file);
  chmodSync(file, 0o644);
  chmodSync(at.other, 0o755);
  mkdirSync(to);
  chmodSync(to, 0o777);
  const found = JSON.parse((await asNobody("doctor", "--json")).out) as Finding[];
  expect(found.find(({ id }) => id === "database")).toMatchObject({ result: "ok" });
  for (const line of ["migrate --check", `backup ${to}/again.db`])
    expect(await asNobody(...line.split(" "))).toMatchObject({ code: 0, err: "" });
});

test.skipIf(isElsewhere)("whoever may read goes on doing so beside a server", async () => {
  const server = await at.startOn(data);
  chmodSync(data, 0o755);
  for (const name of readdirSync(data))
    if (name.startsWith("postrider.db")) chmodSync(`${data}/${name}`, 0o644);
  expect(await asNobody("workspace", "list")).toMatchObject({ code: 0, err: "" });
  await server.end("SIGTERM");
});

test.skipIf(isElsewhere).each(["serve --port 1", "restore --force /etc/hostname"])(
  "%s names the lock that it may not take",
  async (line) => {
    await (await at.startOn(data)).end("SIGTERM");
    for (const [path, mode] of [
      [data, 0o755],
      [file, 0o600],
      [`${data}/server.lock`, 0o600],
    ] as const)
      chmodSync(path, mode);
    expect(await asNobody(...line.split(" "))).toEqual({
      code: 1,
      out: "",
      err: `postrider: ${data}/server.lock: this user may not use it\n`,
    });
  },
);

test.skipIf(isElsewhere)("where there is no database, that is what is said", async () => {
  data = `${at.home}/empty`;
  mkdirSync(data, { mode: 0o755 });
  expect((await asNobody("workspace", "list")).err).toContain(`there is no database in ${data}`);
});
