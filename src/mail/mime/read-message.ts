import type { Address } from "postal-mime";
import { parseMail } from "./parse-mail.ts";

/** What a reader sees of a message; `""` if it has no such part. */
export type MessageTexts = { readonly subject: string; readonly html: string; readonly text: string };

/** Reads one of our own messages back into its parts. */
export async function readMessage(bytes: Uint8Array): Promise<MessageTexts> {
  const { subject = "", html = "", text = "" } = await parseMail(bytes);
  return { subject, html, text };
}

/** What the mailbox shows of a captured message. Null: it has no such part. */
export type CapturedParts = {
  readonly from: readonly Address[];
  readonly to: readonly Address[];
  readonly html: string | null;
  readonly text: string | null;
  /** Their names, or their types where they have none. */
  readonly attachments: readonly string[];
};

/** Null: it is nested too deep, or its header is too long. */
export async function readCaptured(bytes: Uint8Array): Promise<CapturedParts | null> {
  const mail = await parseMail(bytes).catch(() => null);
  if (mail === null) return null;
  return {
    from: mail.from === undefined ? [] : [mail.from],
    to: mail.to ?? [],
    html: mail.html ?? null,
    text: mail.text ?? null,
    attachments: mail.attachments.map(({ filename, mimeType }) => filename ?? mimeType),
  };
}
