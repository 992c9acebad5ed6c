import { systemWords } from "#core/errors/system-words.ts";
import { asError } from "#core/errors/thrown.ts";
import type { Log } from "#log.ts";
import type { IncomingMessage } from "./captured-mail.ts";

type Store = { keep(message: IncomingMessage): Promise<void> };

/**
 * The same store, which says in the log why it cannot keep mail: its senders only learn that it comes too early. It is
 * said once, until a message is kept again, because every message that waits would say the same.
 */
export function tellingTrouble(store: Store, log: Pick<Log, "info" | "error">): Store {
  let isInTrouble = false;
  return {
    async keep(message) {
      try {
        await store.keep(message);
      } catch (error) {
        const reason = systemWords(asError(error));
        if (!isInTrouble)
          log.error("captured mail cannot be kept, so it waits", reason === null ? { error } : { reason });
        isInTrouble = true;
        throw error;
      }
      if (isInTrouble) log.info("captured mail is kept again");
      isInTrouble = false;
    },
  };
}
