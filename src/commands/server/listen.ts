import { listenWords } from "#core/errors/listen-words.ts";
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
    throw new Error(`port ${port} on ${host} ${listenWords(cause, "--port")}`, { cause });
  }
}
