/** Load by `wrk`: 64 connections that are kept open, as fast as the server answers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds } from "./process-times.ts";

/** Requests of one kind. The texts are Lua expressions over `n`, the request's number, and `lines`. */
export type Requests = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the expressions find as `lines[1]` to `lines[#lines]`. */
  readonly lines?: readonly string[];
};

export type LoadFigures = { readonly perSecond: number; readonly cpuMicros: number };

const CONNECTIONS = 64;

/**
 * @param firstNumber where `n` starts, so that no two runs send the same. @throws where any answer was an
 * error
 */
export async function load(
  server: { readonly url: string; readonly pid: number },
  requests: Requests,
  seconds: number,
  firstNumber: number,
): Promise<LoadFigures> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-wrk-"));
  try {
    const script = join(folder, "requests.lua");
    writeFileSync(join(folder, "lines"), (requests.lines ?? []).join("\n"));
    writeFileSync(script, luaOf(requests, firstNumber, join(folder, "lines")));
    const cpuBefore = cpuSeconds(server.pid);
    const flags = ["-t", "1", "-c", String(CONNECTIONS), "-d", `${seconds}s`, "-s", script];
    const wrk = Bun.spawn(["wrk", ...flags, server.url], { stdout: "pipe", stderr: "inherit" });
    const text = await new Response(wrk.stdout).text();
    const cpu = cpuSeconds(server.pid) - cpuBefore;
    const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(text) ?? [];
    const [, count] = /(\d+) requests in/.exec(text) ?? [];
    if (perSecond === undefined || count === undefined || /Non-2xx|Socket errors/.test(text))
      throw new Error(`wrk against ${requests.path}:\n${text}`);
    return { perSecond: Number(perSecond), cpuMicros: (cpu / Number(count)) * 1e6 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function luaOf(
  { method, path, body, headers = {} }: Requests,
  firstNumber: number,
  linesFile: string,
): string {
  const table = Object.entries(headers).map(([name, value]) => `["${name}"] = "${value}"`);
  return `
local lines = {}
for line in io.lines("${linesFile}") do lines[#lines + 1] = line end
local headers = { ${table.join(", ")} }
local n = ${firstNumber}
request = function()
  n = n + 1
  return wrk.format("${method}", ${path}, headers, ${body ?? "nil"})
end
`;
}
