import type { Instant } from "#core/time/clock.ts";

/** What backups need to know of people, and write about them. Each method is one transaction. */
export type BackupStore = {
  /** Whether the person owns every workspace there is. */
  ownsEverything(userId: string): Promise<boolean>;
  /** Writes into the audit log of every workspace that the person may enter. */
  record(act: {
    readonly email: string;
    readonly what: string;
    readonly target: string;
    readonly at: Instant;
  }): Promise<void>;
};
