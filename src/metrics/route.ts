import type { Clock } from "#core/time/clock.ts";
import { residentBytes } from "#core/resident-bytes.ts";
import { carriesToken } from "#http/client/operator-token.ts";
import type { PublicCall, PublicRoute } from "#http/routes/public-route.ts";
import { EXPOSITION_TYPE, expositionText, type Family } from "./exposition.ts";
import { figureFamilies, plain } from "./figures.ts";
import type { DatabaseFigures } from "#core/database-figures.ts";

export type MetricsParts = {
  readonly version: string;
  readonly clock: Clock;
  /** METRICS_TOKEN; null: only this machine may read the metrics, and only without a public BASE_URL. */
  readonly token: string | null;
  /** Whether the request comes from this machine itself: never with a public BASE_URL (`isLocalRequest`). */
  isLocal(call: PublicCall): boolean;
  figures(): Promise<DatabaseFigures>;
  writeFault(): Error | null;
  /** Everything that is counted while the server runs. */
  readonly counted: readonly (() => Family)[];
};

/**
 * `GET /metrics`, for Prometheus. Open to this machine without a public BASE_URL. Others need METRICS_TOKEN as bearer
 * token, because the numbers show how much is sent and when. No metric names a person, a workspace or a campaign.
 */
export function metricsRoute(parts: MetricsParts): PublicRoute {
  const startedAt = parts.clock.now();
  return {
    method: "GET",
    path: "/metrics",
    async handle(call) {
      const { headers } = call.request;
      if (!parts.isLocal(call) && !carriesToken(headers.get("authorization"), parts.token))
        return tokenWanted();
      const text = expositionText(familiesOf(parts, await parts.figures(), startedAt));
      return new Response(text, {
        headers: { "Content-Type": EXPOSITION_TYPE, "Cache-Control": "no-store" },
      });
    },
  };
}

function familiesOf(
  { version, clock, counted, writeFault }: MetricsParts,
  figures: DatabaseFigures,
  startedAt: number,
): Family[] {
  const memory = residentBytes();
  return [
    plain("postrider_build_info", "The version that runs; always 1.", 1, { version }),
    ...counted.map((family) => family()),
    ...figureFamilies(figures, clock.now()),
    plain("postrider_database_writable", "1, or 0 while writing fails.", writeFault() === null ? 1 : 0),
    ...(memory === null ? [] : [plain("process_resident_memory_bytes", "Memory of this process.", memory)]),
    plain("process_start_time_seconds", "When this server started, since 1970.", startedAt / 1000),
  ];
}

function tokenWanted(): Response {
  const says =
    "Set METRICS_TOKEN, and send it as bearer token. Without it only the machine itself may ask, and only as long as BASE_URL is an address of this machine.\n";
  return new Response(says, {
    status: 401,
    headers: { "WWW-Authenticate": 'Bearer realm="metrics"', "Content-Type": "text/plain; charset=utf-8" },
  });
}
