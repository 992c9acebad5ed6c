import { resolve } from "node:path";
import type { Orders } from "./open-loop.ts";

/** The waits of each kind of request, in ms. */
export type ClientWaits = Readonly<Record<string, readonly number[]>>;

/** Starts a client in a process of its own (`open-loop.ts`). It runs until the returned function is called. */
export function startClient(orders: Orders): () => Promise<ClientWaits> {
  const script = resolve(import.meta.dir, "open-loop.ts");
  const client = Bun.spawn([process.execPath, script, JSON.stringify(orders)], {
    stdin: "pipe",
    stdout: "pipe",
  });
  return async () => {
    await client.stdin.end();
    return (await new Response(client.stdout).json()) as ClientWaits;
  };
}
