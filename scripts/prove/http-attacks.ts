/** Requests whose address, headers or form takes long to read. */
import { filled, idOf, REQUEST_MAX, type Answer, type Attack, type Send } from "./attacks.ts";

const said = ({ status, body }: Answer): string => `${status} ${(body.error?.message ?? "").slice(0, 60)}`;

const gets = (name: string, path: string, headers: Readonly<Record<string, string>> = {}): Attack => ({
  name,
  run: async (send) => said(await send("GET", path, undefined, headers)),
});

/** As long as a header may be. */
const HEADER_MAX = 15 * 1024;
const numberedHeaders = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, "1"]));

/** What a stranger posts to a form, which needs no key. */
const postsForm = (name: string, type: string, body: () => string): Attack => ({
  name: `/forms/{id}/submit: ${name}`,
  async run(send) {
    const id = idOf(await send("POST", "/api/v1/forms", '{"name":"a"}'));
    return said(await send("POST", `/api/forms/${id}/submit`, body(), { "content-type": type }));
  },
});

const MULTIPART = "multipart/form-data; boundary=a";
const part = (name: string, value: string): string =>
  `--a\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const URLENCODED = "application/x-www-form-urlencoded";

async function pages(send: Send, query: string): Promise<string> {
  const answers = [];
  for (const path of ["contacts", "lists", "campaigns", "events", "automations"])
    answers.push((await send("GET", `/api/v1/${path}?${query}`)).status);
  return answers.join(" ");
}

export const ON_HTTP: readonly Attack[] = [
  { name: "pages: a `q` of 15 KB", run: (send) => pages(send, `q=${filled("ab ", HEADER_MAX)}`) },
  { name: "pages: a `q` of 4 MB", run: (send) => pages(send, `q=${filled("ab", REQUEST_MAX)}`) },
  {
    name: "pages: a `q` of one letter more each time",
    run: (send) => pages(send, `q=${filled("%C3%89", HEADER_MAX)}`),
  },
  { name: "pages: a cursor of 15 KB", run: (send) => pages(send, `after=${filled("eyJh", HEADER_MAX)}`) },
  { name: "pages: a cursor of 4 MB", run: (send) => pages(send, `after=${filled("eyJh", REQUEST_MAX)}`) },
  { name: "pages: a query nested 5,000 deep", run: (send) => pages(send, `a${filled("[b]", HEADER_MAX)}=1`) },
  { name: "pages: a query of 7,000 parameters", run: (send) => pages(send, filled("a&", HEADER_MAX)) },
  gets("a path of 15 KB", `/api/v1/${filled("a/", HEADER_MAX)}`),
  gets("a header of 15 KB", "/api/v1/lists", { "x-long": filled("a", HEADER_MAX) }),
  gets("a header of 4 MB", "/api/v1/lists", { "x-long": filled("a", REQUEST_MAX) }),
  gets("10,000 headers", "/api/v1/lists", numberedHeaders(10_000)),
  gets("90 headers", "/api/v1/lists", numberedHeaders(90)),
  gets("cookies of 15 KB", "/api/v1/lists", { cookie: filled("a=b; ", HEADER_MAX) }),
  gets("X-Forwarded-For of 15 KB", "/api/v1/lists", { "x-forwarded-for": filled("1.2.3.4, ", HEADER_MAX) }),
  gets("Accept of 15 KB", "/", { accept: filled("text/html;q=0.1,", HEADER_MAX) }),
  postsForm("400,000 fields", URLENCODED, () => `email=ada%40example.com&${filled("a=1&", REQUEST_MAX / 4)}`),
  postsForm("one field of 4 MB", URLENCODED, () => `email=${filled("%C3%89", REQUEST_MAX - 4_096)}`),
  postsForm("60,000 parts", MULTIPART, () => `${filled(part("a", "1"), REQUEST_MAX - 4_096)}--a--`),
  postsForm("one part of 4 MB", MULTIPART, () => `${part("email", filled("a", REQUEST_MAX - 4_096))}--a--`),
  postsForm("boundaries and nothing else", MULTIPART, () => filled("--a\r\n", REQUEST_MAX)),
  postsForm("headers of parts that never end", MULTIPART, () =>
    filled("--a\r\nContent-Disposition: form-data; ", REQUEST_MAX),
  ),
  postsForm("JSON of 4 MB", "application/json", () =>
    JSON.stringify({ email: filled("a@", REQUEST_MAX - 4_096) }),
  ),
];
