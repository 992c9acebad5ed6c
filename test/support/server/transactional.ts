/** POST /send for tests: the letter that they use, and what it left behind. */
import PostalMime, { type Email } from "postal-mime";
import type { Answer, TestApi } from "./api.ts";
import type { SendingApi } from "../sending/sending.ts";

export const RECEIPT = { to: "ada@example.com", subject: "Your receipt", text: "Thank you, Ada." };

/** POST /send with RECEIPT and these fields, and an Idempotency-Key if one is given. */
export function post(api: TestApi, fields: object = {}, key?: string): Promise<Answer> {
  return postBody(api, { ...RECEIPT, ...fields }, key === undefined ? {} : { "idempotency-key": key });
}

/** POST /send with just this body; a string goes out as it is. */
export async function postBody(
  api: TestApi,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${api.url}/api/v1/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.key}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const answer = { status: response.status, body: (await response.json()) as any, headers: response.headers };
  api.check("POST", "/send", answer);
  return answer;
}

/** The last message the relay accepted, as a mail program reads it. */
export async function lastMail(api: SendingApi): Promise<{ raw: string; mail: Email }> {
  const { raw } = api.relay.accepted.at(-1)!;
  return { raw, mail: await PostalMime.parse(Buffer.from(raw, "latin1")) };
}

/** `address STATUS reason` of every recipient. */
export const outcomes = (answer: Answer): string[] =>
  answer.body.data.recipients.map(({ email, status, reason }: any) =>
    [email, status, reason].filter(Boolean).join(" "),
  );

/** How often each address was accepted by the relay. */
export function acceptedBy(api: SendingApi): Record<string, number> {
  const times: Record<string, number> = {};
  for (const { rcptTo } of api.relay.accepted)
    for (const address of rcptTo) times[address] = (times[address] ?? 0) + 1;
  return times;
}
