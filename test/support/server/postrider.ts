/**
 * Postrider as a person runs it, on a temporary data directory: in this process, or in its own process where
 * that makes a difference.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { outputTo, type Stream } from "#commands/line/output.ts";
import { runCommandLine } from "#commands/line/run.ts";
import { OPTIONS } from "#config.ts";
import { systemClock } from "#core/time/clock.ts";
import { databaseOf, makeDurable } from "../storage/postgres.ts";
import { isPostgres } from "./services.ts";

const MAIN = resolve(import.meta.dir, "../../../src/main.ts");
const BINARY = process.env["POSTRIDER_BINARY"];

/** What is run: the source, or the executable that POSTRIDER_BINARY names (see .ci/run). */
export const PROGRAM: readonly string[] = BINARY ? [resolve(BINARY)] : [process.execPath, MAIN];

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

export type RunningServer = {
  readonly url: string;
  /** What it has written so far; whole once it has ended. */
  out(): string;
  err(): string;
  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number>;
  readonly pid: number;
};

export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "postrider-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Runs one command to its end, in this process, because starting a process takes longer than most commands. With
 * POSTRIDER_BINARY the executable runs it. Not for `serve`, because a server listens to the signals of its process.
 */
export async function postrider(
  dataDir: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<Ended> {
  if (BINARY) return postriderProcess(dataDir, args, variables);
  const place = await placeOf(dataDir);
  const written = { out: "", err: "" };
  const code = await runCommandLine(args, {
    output: outputTo(
      keptIn((text) => (written.out += text)),
      keptIn((text) => (written.err += text)),
    ),
    clock: systemClock,
    environment: environmentOf(dataDir, { ...place, ...variables }),
  });
  return { code, ...written };
}

/**
 * Runs one command to its end in its own process: for signals, for locks between processes, and for what only the
 * real program does.
 */
export async function postriderProcess(
  dataDir: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<Ended> {
  const child = await spawn(dataDir, args, variables);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

/** Starts a server on a free port and resolves when it has printed its banner. */
export async function startPostrider(
  dataDir: string,
  args: readonly string[] = [],
  variables: Record<string, string> = {},
): Promise<RunningServer> {
  if (isPostgres) await makeDurable();
  const port = freePort();
  const child = await spawn(dataDir, ["--port", String(port), ...args], variables);
  const written = { out: "", err: "" };
  const [printed] = [
    gather(child.stdout, (text) => (written.out += text)),
    gather(child.stderr, (text) => (written.err += text)),
  ];
  await Promise.race([printed.first, child.exited]);
  if (child.exitCode !== null) throw new Error(`the server ended at once: ${written.err}`);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    out: () => written.out,
    err: () => written.err,
    async end(signal) {
      child.kill(signal);
      return await child.exited;
    },
  };
}

const FIRST_PORT = 10_240;
const PORTS = 20_000;
let portsTried = process.pid * 131;

/** The key that the first start on a data directory prints. */
export const keyOf = (server: RunningServer): string => /pr_[\w-]{43}/.exec(server.out())![0];

/**
 * A port that nobody listens on. It is below those that the system assigns by itself, and each test process begins
 * at another one. So nobody else takes it before it is used.
 */
export function freePort(): number {
  for (;;) {
    const port = FIRST_PORT + (portsTried++ % PORTS);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    }
  }
}

/** The settings by which a program finds the database of a data directory. With TEST_ENGINE=postgres it has its own. */
export async function placeOf(dataDir: string): Promise<Record<string, string>> {
  return isPostgres ? { DATABASE_URL: (await databaseOf(dataDir)).url } : {};
}

/** The environment of this process, without its settings of Postrider. */
function environmentOf(dataDir: string, variables: Record<string, string>) {
  const environment: Record<string, string | undefined> = { ...process.env };
  for (const { variable } of OPTIONS) delete environment[variable];
  return { ...environment, DATA_DIR: dataDir, ...variables };
}

/** The same with a stream of the test's own as its standard output. Returns the exit code. */
export async function postriderTo(
  standardOutput: Stream,
  dataDir: string,
  args: readonly string[],
): Promise<number> {
  const place = await placeOf(dataDir);
  return await runCommandLine(args, {
    output: outputTo(
      standardOutput,
      keptIn(() => undefined),
    ),
    clock: systemClock,
    environment: environmentOf(dataDir, place),
  });
}

/**
 * A stream that collects a text. It takes each piece at once. Like a real stream, it reports that only after
 * a turn of the event loop.
 */
const keptIn = (take: (text: string) => void): Stream => ({
  write(written, done) {
    take(Buffer.from(written as string).toString());
    if (done) setImmediate(done);
  },
});

async function spawn(dataDir: string, args: readonly string[], variables: Record<string, string>) {
  return Bun.spawn([...PROGRAM, ...args], {
    env: environmentOf(dataDir, { ...(await placeOf(dataDir)), ...variables }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

function gather(stream: ReadableStream<Uint8Array>, take: (text: string) => void): { first: Promise<void> } {
  const { promise, resolve: arrived } = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      take(decoder.decode(chunk, { stream: true }));
      arrived();
    }
  };
  read().catch(() => undefined);
  return { first: promise };
}
