import { unwrap } from "#core/errors/errors.ts";
import { tokensOf } from "#deliveries/token.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import { writeMarketing } from "#mail/letter/marketing/marketing-letter.ts";
import { readyMarketing } from "#mail/letter/marketing/marketing-message.ts";
import { present } from "#core/present.ts";

/** About 10 KB of HTML with 20 links. */
export function letterHtml(): string {
  const words = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(7);
  const paragraph = (n: number) =>
    `<p>Item ${n}: <a href="https://shop.example.org/item/${n}?a=1&amp;b=2">see it</a>. ${words}</p>`;
  return `<html><body><h1>Spring</h1>${Array.from({ length: 20 }, (_, n) => paragraph(n)).join("")}</body></html>`;
}

const HOLES =
  '<p title="{{ contact.email }}">Dear {{ contact.firstName }} of {{ contact.attributes.city | default: "nowhere" }}, ' +
  '<a href="{{ unsubscribeUrl }}">leave</a>.</p>';
const CONDITIONS =
  `{% if contact.tags contains "vip" %}<p>For our VIPs</p>{% else %}<p>For you, {{ contact.firstName | upcase }}</p>{% endif %}` +
  "<ul>{% for n in (1..5) %}<li>{{ n }}: {{ contact.lastName | default: contact.firstName }}</li>{% endfor %}</ul>";

const withLead = (lead: string): string => letterHtml().replace("</h1>", `</h1>${lead}`);

/** What a campaign's letter may be: as written, with values in it, or with Liquid that decides. */
export const LETTERS = {
  plain: { subject: "Spring is here", body: letterHtml() },
  holes: { subject: "Spring is here, {{ contact.firstName }}", body: withLead(HOLES) },
  conditions: {
    subject: "Spring is here{% if contact.firstName != '' %}, {{ contact.firstName }}{% endif %}",
    body: withLead(HOLES + CONDITIONS),
  },
} as const;
export type LetterSort = keyof typeof LETTERS;

/** The exact bytes that Postrider makes of it for one recipient: about 22 KB with the text part and the tracked links. */
export function composedLetter(): string {
  const source = {
    html: [letterHtml()],
    subject: "Spring is here",
    from: { name: "", address: "bench@example.org" },
    replyTo: null,
    workspaceName: "Default",
    mailingAddress: "1 Bench Street",
    list: { id: "lst_bench", name: "Readers" },
    workspaceId: "ws_bench",
    feedbackId: "bench",
    baseUrl: "http://127.0.0.1:18091",
    trackOpens: true,
    trackClicks: true,
  };
  const compiled = readyMarketing(source, present(writeMarketing(source), "letter without values"));
  const tokens = tokensOf(new Uint8Array(32), 1);
  const address = "reader@example.com";
  const recipient = { address, messageId: "bench@example.org", date: 0, tokens, unsubscribeMailbox: null };
  const message = compiled.compose(recipient);
  return asciiText(unwrap(message).bytes);
}
