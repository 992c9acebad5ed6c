import { clientCode, pagingCode, retryCode, WEBHOOK_CODE } from "./guide-code.ts";

/**
 * A guide about more than one route, to be read before the routes. `text` is Markdown: paragraphs, and code
 * between backticks.
 */
export type Guide = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** By language. */
  readonly code: Readonly<Record<string, string>>;
};

export const guidesOf = (baseUrl: string): readonly Guide[] => [
  {
    id: "paging",
    title: "Walk a list",
    text: `
Lists come in pages, newest first. \`limit\` says how many items a page has: 20 unless you say otherwise, 100 at most. \`pagination.nextCursor\` of one page is \`after\` of the next; it is null on the last one. \`pagination.total\` counts every item that matches the filters.

While you walk, rows may come and go: you never get one twice, and never miss one that was there throughout. A cursor stays good when the row it was made from is deleted. It belongs to its list: elsewhere it answers \`422\`.`,
    code: pagingCode(baseUrl),
  },
  {
    id: "repeating",
    title: "Repeat a request safely",
    text: `
When the network fails you cannot know whether a request arrived. Most can simply be sent again: \`POST /contacts\` changes the contact that has the address, adding to a list passes over who is on it, and a campaign that was sent is never sent again, however often you ask.

\`POST /send\` mails at once, so give it an \`Idempotency-Key\` of your own, such as the order's number: for 24 hours the same request with the same key answers as it did the first time and sends nothing. \`409\` says that the first is still at work, or that the key was used for something else. \`POST /events\` takes an \`externalId\` for that. Other requests that create something create it twice.

Repeat after no answer, \`408\`, \`500\` and \`503\`, with growing pauses. Every other \`4xx\` stays what it is until you change the request.`,
    code: retryCode(baseUrl),
  },
  {
    id: "verifying",
    title: "Check a webhook's signature",
    text: `
Webhooks and steps of automations post to a server of yours: see \`EventMessage\` and \`AutomationWebhook\` below. Anybody can send such a request, so check that it is ours. It is signed as Standard Webhooks says (standardwebhooks.com), whose libraries do this for you in most languages. A webhook's secret was answered when it was made; that of automations is the workspace's: \`postrider settings get webhookSecret\`.

Take the body as it came, before you parse it. Decode what follows \`whsec_\` from base64: that is the key. HMAC-SHA256 over \`webhook-id\`, a dot, \`webhook-timestamp\`, a dot and the body has to be one of the signatures in \`webhook-signature\`. Refuse a timestamp that is more than five minutes off, and compare in constant time.

Answer \`2xx\` within ten seconds and do the work afterwards. A message that was not answered so comes again under the same \`webhook-id\`: keep the ids you have seen.`,
    code: WEBHOOK_CODE,
  },
  {
    id: "clients",
    title: "Make a client",
    text: `
The OpenAPI document is complete enough for programs to make a typed client of it. These are tried: openapi-typescript with openapi-fetch, @hey-api/openapi-ts, orval and openapi-python-client; openapi-generator 7.25 for Python, Java and Go (for Go with \`enumClassPrefix=true\`); and for Go oapi-codegen (with \`skip-prune\`) and ogen (with \`ignore_not_implemented: ["complex anyOf"]\`, which leaves out the routes that take or show rules or a flow). Operations are called by their \`operationId\`, such as \`createContact\` or \`sendCampaign\`; it stands beside each route.`,
    code: clientCode(baseUrl),
  },
];

/** The guides, for the end of the document's description. */
export const guidesInMarkdown = (baseUrl: string): string =>
  guidesOf(baseUrl)
    .map(({ title, text, code }) => {
      const blocks = Object.entries(code).map(
        ([language, source]) => `\`\`\`${language.toLowerCase()}\n${source}\n\`\`\``,
      );
      return [`## ${title}`, text.trim(), ...blocks].join("\n\n");
    })
    .join("\n\n");
