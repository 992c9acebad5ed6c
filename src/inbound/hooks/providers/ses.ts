import type { ProviderReport } from "#bounces/incoming.ts";
import { sesEntries } from "#bounces/reading/ses-event.ts";
import { fieldsOf, listOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { reportOf } from "#inbound/hooks/report.ts";

/** Amazon SES, as the `Message` of an SNS notification. What it means: `sesEntries`. */
export function readSes(body: unknown): ProviderReport[] {
  const messageId = messageIdOf(fieldsOf(fieldsOf(body)["mail"]));
  return sesEntries(body).flatMap(({ kind, recipient, status, diagnostic }) =>
    kind === "delivered" || kind === "delayed"
      ? []
      : [reportOf(kind, { recipient, messageId }, { status, diagnostic })],
  );
}

/**
 * SES puts its own Message-ID into what it sends. Ours is among the original headers, which must be switched on in
 * SES ("Include original email headers").
 */
function messageIdOf(mail: Fields): string {
  const header = listOf(mail["headers"])
    .map(fieldsOf)
    .find(({ name }) => textOf(name).toLowerCase() === "message-id");
  return textOf(header?.["value"]) || textOf(fieldsOf(mail["commonHeaders"])["messageId"]);
}
