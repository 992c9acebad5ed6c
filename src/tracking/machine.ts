/**
 * Marks by which a machine says that no person is looking (docs/decisions.md "Campaigns and sending"). A
 * request without such a mark counts as a person's: a scanner that poses as a browser is at most suspected
 * (suspicion.ts), and an image proxy that acts for a person counts as the person.
 */

/** Headers of a request that fetches ahead of a person, and what they contain. */
const PREFETCH_HEADERS: readonly (readonly [name: string, marks: RegExp])[] = [
  // Chromium and Firefox: `prefetch`, `prefetch;prerender` (WHATWG Fetch, "Sec-Purpose").
  ["sec-purpose", /prefetch|prerender/i],
  // The same, from before it was standardized.
  ["purpose", /prefetch|prerender|preview/i],
  // Safari's page previews.
  ["x-purpose", /prefetch|prerender|preview/i],
  // Firefox's link prefetching.
  ["x-moz", /prefetch/i],
];

/**
 * User agents that fetch without a person. Not in this list: `GoogleImageProxy`, `YahooMailProxy` and
 * Outlook's proxy, which fetch when the mail is opened; and tools that a person uses by hand, such as curl.
 */
const MACHINE_AGENTS: readonly RegExp[] = [
  // Apple's Mail Privacy Protection loads every image of every mail and sends only this.
  /^Mozilla\/5\.0$/i,
  // Gmail fetches images before the screen shows the mail. GoogleImageProxy fetches them again at opening.
  /Edge\/12\.246 Mozilla\/5\.0$/,
  // Gateways that follow the links of a mail before it is delivered, or when it is clicked.
  /barracuda|mimecast|proofpoint|ironport|fireeye|trendmicro|trend micro|symantec|messagelabs|sophos|fortinet|fortimail|forcepoint/i,
  // Microsoft: Safe Links and link previews, and Office asking whether a document behind a link exists.
  /BingPreview|SafeLinks|Microsoft-URLAnalyzer|SkypeUriPreview|MicrosoftPreview|Microsoft Office Existence Discovery/i,
  // Google's and others' checks of an address for malware.
  /Google-Safety|GoogleOther|urlscan|VirusTotal|virustotalcloud|PhishTank|Netcraft/i,
  // Previews that a messenger or social network makes of a pasted link.
  /facebookexternalhit|meta-externalagent|Slack-?bot|Slack-ImgProxy|Twitterbot|LinkedInBot|TelegramBot|Discordbot|WhatsApp\/|Iframely|Embedly/i,
  // Everything that calls itself a robot: `Googlebot/2.1`, `AhrefsBot`, `… crawler`, `Yahoo! Slurp`. Cubot is
  // a brand of telephones.
  /(?<!cu)bot\b|crawler|spider|slurp/i,
];

/** Whether a request for a pixel or a link shows that no person made it. */
export function isMachine(method: string, header: (name: string) => string | null): boolean {
  if (method === "HEAD") return true;
  for (const [name, marks] of PREFETCH_HEADERS) {
    const value = header(name);
    if (value !== null && marks.test(value)) return true;
  }
  return isMachineAgent((header("user-agent") ?? "").trim());
}

/** Agents that were checked before: the same few hundred come again and again. */
const known = new Map<string, boolean>();
const KNOWN_MAX = 1_000;
/** Longer ones are not remembered, so that nobody can fill the memory with them. */
const REMEMBERED_LENGTH_MAX = 500;

function isMachineAgent(agent: string): boolean {
  const remembered = known.get(agent);
  if (remembered !== undefined) return remembered;
  const isMachineOwn = MACHINE_AGENTS.some((pattern) => pattern.test(agent));
  if (agent.length > REMEMBERED_LENGTH_MAX) return isMachineOwn;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(agent, isMachineOwn);
  return isMachineOwn;
}
