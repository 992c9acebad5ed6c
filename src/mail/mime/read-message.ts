import { parseMail } from "./parse-mail.ts";

/** What a reader sees of a message; `""` if it has no such part. */
export type MessageTexts = { readonly subject: string; readonly html: string; readonly text: string };

/** Reads one of our own messages back into its parts. */
export async function readMessage(bytes: Uint8Array): Promise<MessageTexts> {
  const { subject = "", html = "", text = "" } = await parseMail(bytes);
  return { subject, html, text };
}
