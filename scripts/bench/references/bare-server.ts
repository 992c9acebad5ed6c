/** Starts a reference server the way Postrider is started: compiled if Postrider is, otherwise from the sources. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { postriderCommand } from "../processes/processes.ts";

export type BareServer = { readonly pid: number; readonly url: string; stop(): Promise<void> };

/** The command for `NAME.ts` beside this file; what has to be compiled goes to `folder`. */
export async function bareCommand(name: string, folder: string): Promise<string[]> {
  const source = resolve(import.meta.dir, `${name}.ts`);
  if (postriderCommand().length > 1) return [process.execPath, source];
  const outfile = join(folder, name);
  mkdirSync(folder, { recursive: true });
  const built = await Bun.build({
    entrypoints: [source],
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    minify: false,
    bytecode: true,
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  if (!built.success) throw new AggregateError(built.logs, `${name} does not compile`);
  return [outfile];
}

export async function startBare(
  command: readonly string[],
  args: readonly string[],
  port: number,
): Promise<BareServer> {
  const child = Bun.spawn([...command, ...args, String(port)], { stdout: "ignore", stderr: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(url);
  return {
    pid: child.pid,
    url,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Resolves at the first answer, whatever it is; looks about every millisecond. */
export async function firstAnswer(url: string): Promise<void> {
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer) return void (await answer.arrayBuffer());
    await Bun.sleep(1);
  }
  throw new Error(`nobody answers at ${url}`);
}
