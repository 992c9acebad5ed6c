/**
 * The processes a bench measures: Postrider itself, Postfix's smtp-sink, and how much memory one of them
 * uses.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../../..");

export type Running = { readonly pid: number; stop(): Promise<void> };

/** What the benches read of an answer. */
type Answer = {
  data: { id: string; complete: boolean; remaining: number; sent: number; uncertain: number };
};

export type Postrider = Running & {
  readonly dataDir: string;
  readonly key: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  readonly url: string;
};

/** The executable that POSTRIDER names or that was built; otherwise the sources. */
export function postriderCommand(): string[] {
  const binary = process.env["POSTRIDER"] ?? join(ROOT, "dist/postrider");
  return existsSync(binary) ? [binary] : [process.execPath, join(ROOT, "src/main.ts")];
}

/** What a process gets in addition to the environment of the bench. */
type Environment = Readonly<Record<string, string>>;

export async function runPostrider(args: readonly string[], environment: Environment = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  const child = Bun.spawn([...postriderCommand(), ...args], { env, stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`postrider ${args[0] ?? ""} failed`);
  return text;
}

/**
 * A server on a fresh data directory, or an empty database, with a workspace that may send.
 * @param smtpUrl null: it captures its mail
 */
export async function startPostrider(
  smtpUrl: string | null,
  port = 18_091,
  environment: Environment = {},
): Promise<Postrider> {
  const { child, dataDir, url } = startServer(smtpUrl, port, environment);
  const key = await firstKey(child.stdout);
  const sender = ["mailingAddress=1 Bench Street", "fromEmail=bench@example.org"];
  await runPostrider(["settings", "set", "--data-dir", dataDir, ...sender], environment);
  return {
    pid: child.pid,
    dataDir,
    key,
    url,
    async call(method, path, body) {
      const init = {
        method,
        headers: { authorization: `Bearer ${key}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      const response = await fetch(`${url}/api/v1${path}`, init);
      const text = await response.text();
      return (text === "" ? {} : JSON.parse(text)) as Answer;
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** One more node of the database that the environment names. */
export async function startNode(smtpUrl: string, port: number, environment: Environment): Promise<Running> {
  const { child, dataDir, url } = startServer(smtpUrl, port, environment);
  const isWell = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isWell())) {
    if (child.exitCode !== null) throw new Error("the node did not start");
    await Bun.sleep(50);
  }
  return {
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true });
    },
  };
}

function startServer(smtpUrl: string | null, port: number, environment: Environment) {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const flags = ["serve", "--port", String(port), "--data-dir", dataDir];
  if (smtpUrl !== null) flags.push("--smtp-url", smtpUrl);
  const env = { ...process.env, ...environment };
  const child = Bun.spawn([...postriderCommand(), ...flags], { env, stdout: "pipe", stderr: "ignore" });
  return { child, dataDir, url: `http://127.0.0.1:${port}` };
}

/** The key the first start prints; the rest of its output is read on and dropped. */
async function firstKey(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk);
    const key = /API key\s+(pr_\S{43})/.exec(text)?.[1];
    if (key) return key;
  }
  throw new Error(`the server did not start: ${text}`);
}

/** Postfix's smtp-sink, which takes everything and keeps nothing. */
export async function startSink(port: number): Promise<Running> {
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = Bun.spawn(["smtp-sink", ...user, `127.0.0.1:${port}`, "256"], {
    stdout: "ignore",
    stderr: "inherit",
  });
  await Bun.sleep(300);
  if (child.exitCode !== null) throw new Error("smtp-sink does not start: install Debian's postfix package");
  return {
    pid: child.pid,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Resident memory of a process, in MB (2^20 bytes). */
export const memoryMb = (pid: number): number => statusMb(pid, "VmRSS");

/**
 * The most it had so far. Not what the system says of a process that has ended: that begins with what its
 * parent had when it was started.
 */
export const mostMemoryMb = (pid: number): number => statusMb(pid, "VmHWM");

function statusMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  return Number(kilobytes) / 1024;
}
