import { errorText } from "#core/errors/thrown.ts";
import type { openHttp } from "#app/http.ts";
import type { Config } from "#config.ts";

/**
 * Opens the port.
 * @throws with one line that says what to do, instead of the system's message
 */
export function listen(http: ReturnType<typeof openHttp>, { host, port }: Config): void {
  try {
    http.listen({ hostname: host, port });
  } catch (cause) {
    throw new Error(reason(cause, host, port), { cause });
  }
}

function reason(cause: unknown, host: string, port: number): string {
  const code = (cause as { code?: unknown }).code;
  if (code === "EADDRINUSE")
    return `port ${port} on ${host} is in use: stop what uses it, or choose another --port`;
  if (code === "EACCES") return `port ${port} on ${host} may not be used by this user: choose another --port`;
  return `cannot listen on ${host} port ${port}: ${errorText(cause)}`;
}
