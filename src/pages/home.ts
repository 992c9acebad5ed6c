import type { PublicRoute } from "#http/public-route.ts";
import { html } from "./html.ts";
import { cardPage } from "./layout.ts";

/**
 * `GET /`: says which program answers and where to continue, for a person who typed in the address. Programs
 * find JSON at `/health`.
 * @param baseUrl where the public pages are
 * @param hasMailbox whether mail is captured and shown
 */
export function homeRoute(baseUrl: string, hasMailbox: boolean): PublicRoute {
  const root = new URL(baseUrl).pathname.replace(/\/+$/, "");
  return {
    method: "GET",
    path: "/",
    handle: async () =>
      cardPage({
        title: "Postrider",
        body: html`<main>
          <h1>Postrider</h1>
          <p>
            This is an email-marketing server. Programs use its REST API under <code>${root}/api/v1</code>.
          </p>
          <p><a href="${root}/docs">API reference</a></p>
          ${
            hasMailbox &&
            html`<p><a href="${root}/mailbox">Mailbox</a>: mail is captured here, not delivered</p>`
          }
          <p><a href="${root}/health">Health</a>, as JSON</p>
          <p class="small">You got a mail and want no more of them? Use the link at its end.</p>
        </main>`,
      }),
  };
}
