import { sleep, type Clock } from "#core/time/clock.ts";
import type { Command } from "#commands/line/command.ts";
import { printResult } from "#commands/line/printing.ts";
import { NO_PROXY } from "#commands/line/no-proxy.ts";
import { configOf, optionFlags } from "#commands/line/option-flags.ts";

const LIMIT_MS = 5_000;

export const health: Command = {
  name: "health",
  says: "Asks the server on this machine whether it works; for a container's health check.",
  operands: [],
  flags: [
    ...optionFlags(["HOST"], () => "Address the server listens on. Or HOST."),
    ...optionFlags(["PORT"], () => "Port it listens on. Or PORT."),
  ],
  takesJson: true,
  notes: [
    "Give it the environment of the server. It asks GET /health and waits 5 seconds at most.",
    "Exit code 1 if nothing answers, or if the database cannot be written.",
  ],
  example: "health --port 8025",
  async run(call) {
    const { host, port } = configOf(call);
    const url = `http://${addressOf(host)}:${port}/health`;
    const { status, body } = await ask(url, call.clock);
    if (!isHealth(body))
      throw new Error(
        `what answers at ${url} is no Postrider (${status}): give this command the server's HOST and PORT`,
      );
    if (status !== 200) throw new Error(`the server at ${url} answers ${status}: ${body.status}`);
    await printResult(
      call,
      body,
      `${body.status}: mail is ${body.mail === "captured" ? "captured" : "delivered"}`,
    );
  },
};

type Health = { readonly status: string; readonly mail?: unknown };

const isHealth = (body: unknown): body is Health =>
  typeof body === "object" && body !== null && typeof (body as Partial<Health>).status === "string";

async function ask(url: string, clock: Clock): Promise<{ status: number; body: unknown }> {
  const given = new AbortController();
  const late = sleep(clock, LIMIT_MS).then(() => {
    given.abort();
    throw new Error(`the server at ${url} gave no answer within ${LIMIT_MS / 1000} seconds`);
  });
  const answer = async () => {
    const response = await fetch(url, { ...NO_PROXY, signal: given.signal, redirect: "manual" });
    return { status: response.status, body: jsonOf(await response.text()) };
  };
  const asked = answer().catch((cause: unknown) => {
    throw new Error(`no server answers at ${url}`, { cause });
  });
  return await Promise.race([asked, late]);
}

/** Undefined for what is no JSON: a page, say. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The address of this machine when the server listens on all addresses. */
function addressOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
