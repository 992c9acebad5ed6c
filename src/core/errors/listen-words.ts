import { errorCode } from "./error-code.ts";
import { errorText } from "./thrown.ts";

/** The system's names for an address that this machine does not have, and for a name of which it finds none. */
const NO_SUCH_ADDRESS = ["EADDRNOTAVAIL", "EINVAL", "ENOTFOUND", "EAI_AGAIN"];

/**
 * Why a server cannot listen on an address and port, for the end of a sentence about them.
 * @param port what the person gives, to choose another
 */
export function listenWords(error: unknown, port: string): string {
  const code = errorCode(error);
  if (code === "EADDRINUSE") return `is in use: stop what uses it, or choose another ${port}`;
  if (code === "EACCES") return `may not be used by this user: choose another ${port}`;
  // Bun gives the second no code.
  const isNone = NO_SUCH_ADDRESS.includes(code) || errorText(error).startsWith("Failed to listen at ");
  return isNone
    ? "cannot be listened on: this machine has no such address (0.0.0.0 stands for all that it has)"
    : `cannot be listened on: ${errorText(error)}`;
}
