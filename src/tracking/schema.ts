import { Type, type TSchema } from "@sinclair/typebox";
import { htmlPage, type PublicAnswer, type PublicOperation } from "#http/routes/public-route.ts";

/** How the API's document shows the links of every marketing mail. */

const token = Type.String({
  description: "Made for one recipient of one mail; cannot be guessed.",
  examples: ["AAAAAAAAAAEAAAAAAAAAAg3q2-7wq0bK"],
});
const params = Type.Object({ token });
const broken = htmlPage("The token is not one of ours. The page is the same for every reason.");

const image = (): PublicAnswer => {
  const gif: TSchema = Type.String({ description: "A GIF of 42 bytes.", examples: ["GIF89a…"] });
  return { description: "One transparent pixel.", content: { "image/gif": gif } };
};

export const openOperation: PublicOperation = {
  operationId: "openMail",
  tag: "readers",
  summary: "Load a mail's pixel",
  description: "Counts the recipient as having opened the mail, once; a machine's asking is counted apart.",
  params,
  answers: { 200: image(), 404: broken },
};

export const clickOperation: PublicOperation = {
  operationId: "followLink",
  tag: "readers",
  summary: "Follow a mail's link",
  description:
    "Leads only to an address that stands in the mail itself, and counts the recipient once; a machine's following is counted apart.",
  params: Type.Object({
    token,
    number: Type.String({ description: "Which link of the mail.", examples: ["0"] }),
  }),
  answers: {
    302: {
      description: "To the address in the mail.",
      headers: Type.Object({
        Location: Type.String({ description: "That address.", examples: ["https://example.com/november"] }),
      }),
    },
    404: broken,
  },
};

export const unsubscribePageOperation: PublicOperation = {
  operationId: "showUnsubscribePage",
  tag: "readers",
  summary: "See the way out",
  description: "A page with one button. It changes nothing, because mail scanners follow links.",
  params,
  answers: { 200: htmlPage("The page with the button."), 404: broken },
};

export const webVersionOperation: PublicOperation = {
  operationId: "showWebVersion",
  tag: "readers",
  summary: "See a mail in the browser",
  description:
    "A campaign's mail as it was sent to this person, with the values of that time. It counts no open, and runs no script.",
  params,
  answers: { 200: htmlPage("The mail."), 404: broken },
};

const unsubscribeBody = Type.Object(
  {
    "List-Unsubscribe": Type.Optional(
      Type.String({ description: "What mail programs send (RFC 8058).", examples: ["One-Click"] }),
    ),
    reason: Type.Optional(
      Type.String({ description: "Why, in the person's own words.", examples: ["Too many mails"] }),
    ),
  },
  {
    description: "May be left out: no body can stand in the way.",
    examples: [{ "List-Unsubscribe": "One-Click" }],
  },
);

export const unsubscribeOperation: PublicOperation = {
  operationId: "unsubscribe",
  tag: "readers",
  summary: "Opt out at once",
  description:
    "From the page's button, or by a mail program's one-click (RFC 8058). The contact becomes UNSUBSCRIBED, the address is suppressed and leaves every list.",
  params,
  body: { "application/x-www-form-urlencoded": unsubscribeBody },
  answers: { 200: htmlPage("Opted out; the second time too."), 404: broken },
};
