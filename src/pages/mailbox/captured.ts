import type { Address } from "postal-mime";

/**
 * A captured message as the list shows it. `from` and `to` are the envelope's; `receivedAt` is in epoch
 * milliseconds.
 */
export type CapturedSummary = {
  readonly number: number;
  readonly from: string;
  readonly to: readonly string[];
  /** The workspace that sent it; null if it is not known. */
  readonly workspaceId: string | null;
  readonly subject: string;
  readonly receivedAt: number;
  readonly sizeBytes: number;
};

export type CapturedMessage = CapturedSummary & { readonly raw: Uint8Array };

/** What is shown of a message. Null: it has no such part. */
export type CapturedParts = {
  readonly from: readonly Address[];
  readonly to: readonly Address[];
  readonly html: string | null;
  readonly text: string | null;
  /** Their names, or their types where they have none. */
  readonly attachments: readonly string[];
};

/** What the mailbox needs from the store of captured mail. */
export type Captured = {
  /**
   * Newest first: those before a number, and of a workspace. Null: all.
   */
  page(limit: number, beforeNumber: number | null, workspaceId: string | null): Promise<CapturedSummary[]>;
  read(number: number): Promise<CapturedMessage | null>;
};
