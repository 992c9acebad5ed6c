/** Single mails that are listed on their own: one that was sent, one that came in. */
import { expect } from "bun:test";
import type { TestApi } from "./api.ts";

/** A message of `POST /send`, by its id in `GET /messages`. */
export async function sentMessage(api: TestApi): Promise<string> {
  await api.call("POST", "/send", { to: "ada@example.com", subject: "Receipt", text: "Thank you." });
  return (await api.call("GET", "/messages")).body.data[0].id;
}

let bounces = 0;

/** A mail that nobody can read, by its id in `GET /bounces`. The same bytes would be kept once. */
export async function keptBounce(api: TestApi): Promise<string> {
  const raw = Buffer.from(`Content-Type: multipart/report; boundary=${bounces++}\r\n\r\nWhat?\r\n`);
  const taking = { raw, way: "smtp", envelopeRecipients: [], workspaceIds: [api.workspaceId] } as const;
  expect(await api.services.bounces.takeMail(taking)).toBe("kept");
  return (await api.call("GET", "/bounces")).body.data[0].id;
}
