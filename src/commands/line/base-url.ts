import type { Call, Flag } from "./command.ts";
import { configOf, optionFlags } from "./option-flags.ts";

/** The flag of a command whose answer is an address of the service. */
export const BASE_URL: readonly Flag[] = optionFlags(
  ["BASE_URL"],
  () => "Where people reach the service. Or BASE_URL.",
);

/**
 * Where people reach the service. The server may have its variable from a file of its own (`EnvironmentFile`
 * of systemd), which a shell knows nothing of: then `warn` says that the address may lead nowhere.
 */
export function baseUrlOf(call: Call): { readonly baseUrl: string; warn(what: string): void } {
  const { baseUrl } = configOf(call);
  const isSet = Boolean(call.flags["base-url"] ?? call.environment["BASE_URL"]);
  const warn = (what: string): void =>
    call.output.warn(
      `BASE_URL is not set here, so the ${what} leads to ${baseUrl}: give --base-url, unless people reach the server there`,
    );
  return { baseUrl, warn: isSet ? () => undefined : warn };
}
