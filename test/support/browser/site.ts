/** A web site of somebody else's, with a sign-up form of ours in it. */
import type { FormsApi } from "../people/forms.ts";

/** As strict as the policy of a site can be that takes the form's script. */
export const strict = (ours: string): string =>
  `default-src 'none'; style-src 'sha256-ooooooooooooooooooooooooooooooooooooooooooo='; script-src ${ours}; connect-src ${ours}; require-trusted-types-for 'script'`;

/** What a site pastes where the form should appear. */
export const embedded = (formUrl: string): string => `<script src="${formUrl}/embed.js" async></script>`;

/** A web site with styles and a policy of its own. */
export function site(
  { url }: FormsApi,
  formId: string,
  body: (formUrl: string) => string,
  policy = strict(url),
): { readonly url: string; stop(): Promise<void> } {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title><body><main><h1>A shop</h1>${body(`${url}/forms/${formId}`)}<p>After the form</p></main></body></html>`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(page, { headers }) });
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) };
}
