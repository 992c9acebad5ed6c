/** A web server that takes webhooks and answers as told. */
type Received = {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly clientPort: number;
};

export type WebhookTarget = {
  readonly port: number;
  readonly received: Received[];
  /** What the next requests are answered; the last one stays. */
  answers: (() => Response | Promise<Response>)[];
  stop(): void;
};

export function webhookTarget(tls?: Bun.TLSOptions): WebhookTarget {
  const received: Received[] = [];
  const target: WebhookTarget = {
    port: 0,
    received,
    answers: [() => new Response("ok")],
    stop: () => void server.stop(true),
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(tls && { tls }),
    async fetch(request, connection) {
      received.push({
        path: new URL(request.url).pathname,
        headers: request.headers,
        clientPort: connection.requestIP(request)?.port ?? 0,
        body: await request.text(),
      });
      const answer = target.answers.length > 1 ? target.answers.shift()! : target.answers[0]!;
      return await answer();
    },
  });
  return Object.assign(target, { port: server.port });
}

/** An answer for `answers`. */
export const answering =
  (status: number, headers: Record<string, string> = {}, text = "") =>
  () =>
    new Response(text, { status, headers });
