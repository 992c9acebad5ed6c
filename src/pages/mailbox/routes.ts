import { rootOf } from "#core/addresses/base-url.ts";
import type { Access } from "#core/request/access.ts";
import { present } from "#core/present.ts";
import { carriesToken } from "#http/client/operator-token.ts";
import { queryOf } from "#http/routes/request-path.ts";
import { publicRoute, type PublicCall, type PublicRoute } from "#http/routes/public-route.ts";
import { html } from "#pages/html.ts";
import { cardPage } from "#pages/layout.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import { bearerOf, isLocalRequest } from "./access.ts";
import type { Captured, CapturedMessage, CapturedParts } from "./captured.ts";
import { frameResponse } from "./frame.ts";
import { listPage } from "./list-page.ts";
import { messagePage, VIEWS } from "./message-page.ts";
import { mailboxLanguage, wordsOf, type MailboxLanguage } from "./words.ts";

export type MailboxParts = {
  readonly captured: Captured;
  /** Reads a message, away from the event loop where it is long. Null: that takes too much. */
  partsOf(message: CapturedMessage): Promise<CapturedParts | null>;
  readonly baseUrl: string;
  /** MAILBOX_TOKEN, which gives access to all mail; null: no token does. */
  readonly token: string | null;
  /** What an Authorization header opens, or null. */
  authenticate(authorization: string | null): Access | null | Promise<Access | null>;
};

const PAGE_MAX = 50;

/**
 * `/mailbox`: the mail that a service without SMTP_URL captured, for a person with a browser or with curl
 * (`/mailbox/latest/text` is the text of the newest message, with complete links).
 *
 * A person at this machine (`isLocalRequest`), or with MAILBOX_TOKEN, may see all mail. With an API key, as
 * bearer token or as the password of HTTP Basic (`curl -u :KEY http://…/mailbox`), one sees only the mail of
 * its workspace; other mail is treated as if it did not exist. A key that may only send opens nothing here.
 */
export function mailboxRoutes(parts: MailboxParts): PublicRoute[] {
  const { captured, baseUrl, partsOf } = parts;
  const at = `${rootOf(baseUrl)}/mailbox`;

  const guarded = <const Path extends string>(
    path: Path,
    show: (call: PublicCall<Path>, query: URLSearchParams, readable: Readable) => Promise<Response>,
  ): PublicRoute =>
    publicRoute<Path>({
      method: "GET",
      path,
      async handle(call) {
        const readable = await readableBy(call, parts);
        return readable === null ? keyWanted() : await show(call, queryOf(call.request), readable);
      },
    });

  const ofMessage = (path: "" | "/html" | "/text" | "/raw", show: Show<CapturedMessage>): PublicRoute =>
    guarded(`/mailbox/:number${path}` as const, async ({ params, request }, query, readable) => {
      const message = await find(captured, params.number, readable);
      const language = mailboxLanguage(request.headers);
      return message === null ? noMessage(at, language) : await show(message, query, language);
    });

  const ofParts = (path: "" | "/html" | "/text", show: Show<Read>): PublicRoute =>
    ofMessage(path, async (message, query, language) => {
      const read = await partsOf(message);
      if (read === null) return notShown(`${at}/${message.number}`, language);
      return await show({ message, parts: read }, query, language);
    });

  return [
    guarded("/mailbox", async ({ request }, query, { workspaceId }) => {
      const before = numberOf(query.get("before") ?? "");
      const found = await captured.page(PAGE_MAX + 1, before, workspaceId);
      const mails = found.slice(0, PAGE_MAX);
      const olderThan = found.length > PAGE_MAX ? present(mails.at(-1), "mail on a full page").number : null;
      const language = mailboxLanguage(request.headers);
      const isWhole = workspaceId === null;
      return listPage({ at, language, mails, isFirst: before === null, isWhole, olderThan });
    }),
    ofParts("", ({ message, parts: read }, query, language) => {
      const fallback = read.html === null ? "text" : "html";
      const view = VIEWS.find((each) => each === query.get("view")) ?? fallback;
      return messagePage({ at, language, message, parts: read, view, withImages: query.has("images") });
    }),
    ofParts("/html", ({ parts: { html: shown } }, query) => frameResponse(shown ?? "", query.has("images"))),
    ofParts("/text", ({ parts: { text } }) => fileResponse(text ?? "", "text/plain; charset=utf-8")),
    ofMessage("/raw", ({ raw, number }) =>
      fileResponse(new Uint8Array(raw), "message/rfc822", {
        "Content-Disposition": `attachment; filename="message-${number}.eml"`,
      }),
    ),
  ];
}

type Show<Found> = (
  found: Found,
  query: URLSearchParams,
  language: MailboxLanguage,
) => Response | Promise<Response>;

type Read = { readonly message: CapturedMessage; readonly parts: CapturedParts };

/** The workspace whose mail a person may read; null means every workspace. */
type Readable = { readonly workspaceId: string | null };

/** Null: may read no mail. */
async function readableBy(
  { request, clientAddress }: Pick<PublicCall, "request" | "clientAddress">,
  { baseUrl, token, authenticate }: MailboxParts,
): Promise<Readable | null> {
  if (isLocalRequest(clientAddress, request.headers, baseUrl)) return { workspaceId: null };
  const authorization = bearerOf(request.headers.get("authorization"));
  if (carriesToken(authorization, token)) return { workspaceId: null };
  const access = await authenticate(authorization);
  if (access === null || access.refusal("GET", "/mailbox") !== null) return null;
  return { workspaceId: access.workspaceId };
}

async function find(
  captured: Captured,
  name: string,
  { workspaceId }: Readable,
): Promise<CapturedMessage | null> {
  const number = name === "latest" ? (await captured.page(1, null, workspaceId))[0]?.number : numberOf(name);
  if (number === undefined || number === null) return null;
  const message = await captured.read(number);
  return workspaceId === null || message?.workspaceId === workspaceId ? message : null;
}

const numberOf = (text: string): number | null => (/^[0-9]{1,12}$/.test(text) ? Number(text) : null);

function fileResponse(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  more: Record<string, string> = {},
): Response {
  const policy = { "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'" };
  return new Response(content, { headers: { ...PRIVATE_HEADERS, ...policy, "Content-Type": type, ...more } });
}

function keyWanted(): Response {
  return cardPage({
    status: 401,
    title: "API key wanted",
    headers: { "WWW-Authenticate": 'Basic realm="Postrider mailbox", charset="UTF-8"' },
    body: html`<main>
      <h1>API key wanted</h1>
      <p>
        The mailbox opens without one only on the machine itself, under the name <code>localhost</code>, and
        as long as <code>BASE_URL</code> is such an address too.
      </p>
      <p>
        Otherwise, give an API key as the password and see the mail of its workspace; the user name does not
        matter. <code>MAILBOX_TOKEN</code> opens all of it.
      </p>
    </main>`,
  });
}

function noMessage(at: string, language: MailboxLanguage): Response {
  const words = wordsOf(language);
  return cardPage({
    status: 404,
    title: words.noMessage,
    language,
    body: html`<main>
      <h1>${words.noMessage}</h1>
      <p>${words.noMessageSays}</p>
      <p><a href="${at}">${words.allMail}</a></p>
    </main>`,
  });
}

function notShown(message: string, language: MailboxLanguage): Response {
  const words = wordsOf(language);
  return cardPage({
    status: 422,
    title: words.notShown,
    language,
    body: html`<main>
      <h1>${words.notShown}</h1>
      <p>${words.notShownSays}</p>
      <p><a href="${message}/raw">${words.download}</a></p>
    </main>`,
  });
}
