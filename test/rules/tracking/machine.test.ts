import { describe, expect, test } from "bun:test";
import { isMachine } from "#tracking/machine.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const judge = (headers: Record<string, string>, method = "GET"): boolean => {
  const held = new Headers(headers);
  return isMachine(method, (name) => held.get(name));
};

const MACHINES = [
  "Mozilla/5.0",
  " mozilla/5.0 ",
  `${CHROME} Edge/12.246 Mozilla/5.0`,
  "Barracuda Sentinel (EE)",
  "Mimecast URL Protect",
  "Proofpoint Link Defense",
  `${CHROME} BingPreview/1.0b`,
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Microsoft Office Existence Discovery",
  "Google-Safety",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.24.1 N",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
];

const PEOPLE = [
  "",
  CHROME,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0",
  `${CHROME} Edg/142.0.0.0`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
  "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)",
  "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36",
  "curl/8.16.0",
];

describe("a machine's own mark", () => {
  test.each(MACHINES)("is the user agent %p", (agent) => expect(judge({ "User-Agent": agent })).toBe(true));

  test.each(PEOPLE)("is not the user agent %p", (agent) =>
    expect(judge({ "User-Agent": agent })).toBe(false),
  );

  const HEADERS: readonly (readonly [name: string, value: string, expected: boolean])[] = [
    ["Sec-Purpose", "prefetch", true],
    ["Sec-Purpose", "prefetch;prerender", true],
    ["Purpose", "prefetch", true],
    ["X-Purpose", "preview", true],
    ["X-Moz", "prefetch", true],
    ["Sec-Purpose", "", false],
    ["Sec-Fetch-Purpose", "prefetch", false],
    ["Sec-Fetch-Dest", "image", false],
  ];
  test.each(HEADERS)("in %s: %p is %p", (name, value, expected) =>
    expect(judge({ "User-Agent": CHROME, [name]: value })).toBe(expected),
  );

  test("is a HEAD, whoever sends it", () => {
    for (const agent of PEOPLE) expect(judge({ "User-Agent": agent }, "HEAD")).toBe(true);
  });
});
