/**
 * A receiver of webhooks in its own process: accepts everything, and counts how many came and how late. `GET /`
 * answers with that, by path.
 *
 *     bun scripts/bench/processes/hook-sink.ts PORT
 */
type Taken = { count: number; longestMs: number };

const taken = new Map<string, Taken>();

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") return Response.json(Object.fromEntries(taken));
    const { timestamp } = (await request.json()) as { timestamp: string };
    const one = taken.get(pathname) ?? { count: 0, longestMs: 0 };
    one.count++;
    one.longestMs = Math.max(one.longestMs, Date.now() - Date.parse(timestamp));
    taken.set(pathname, one);
    return new Response("ok");
  },
});
console.log("ready");
