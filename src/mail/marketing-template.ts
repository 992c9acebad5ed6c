import { createHash } from "node:crypto";
import { accept, invalid, type Result } from "#core/errors.ts";
import { bodyPart, type BodyPart } from "./body-part.ts";
import { checkMessage } from "./byte-check.ts";
import { byteTemplate } from "./byte-template.ts";
import { withFooter } from "./with-footer.ts";
import { footerText, pixelPadding, type Footer } from "./footer.ts";
import { trackLinks } from "./links.ts";
import type { CompiledMarketing, MarketingSource, Recipient } from "./marketing-mail.ts";
import { recipientHeaders, recipientProblem, sourceProblem, staticHeaders } from "./marketing-headers.ts";
import { textAlternative } from "./text-alternative.ts";
import { standInsFor, type Piece, type Tokens } from "./token-slots.ts";

export type { CompiledMarketing, MarketingSource, Recipient };

type Content = {
  readonly html: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly standIns: Tokens;
};

/**
 * Compiles a mailing (campaign or automation mail, kind C of the mail format): links rewritten, footer and text part
 * made, everything static encoded. `compose` then only fills in a recipient's own.
 *
 * Every composed message satisfies `checkMessage`, although the check runs once, on a specimen: a recipient's values
 * enter only after `recipientProblem` found them to be of the specimen's shape (tokens of the same length and alphabet;
 * address, Message-ID and date of bounded length and without a character that could end a line or a field), and nothing
 * else differs. A mailing whose specimen fails refuses every recipient.
 */
export function compileMarketing(source: MarketingSource): CompiledMarketing {
  const content = compileContent(source);
  const text = bodyPart("text/plain", content.text, content.standIns);
  const html = bodyPart("text/html", content.html, content.standIns);
  const problem = sourceProblem(source);
  const { fill, reuse } = byteTemplate(
    problem === null ? assemble(source, text, html) : [],
    content.standIns,
  );
  const write = (recipient: Recipient): Buffer =>
    fill(
      recipientHeaders(recipient, `${source.baseUrl}/u/${recipient.tokens.unsubscribe}`),
      recipient.tokens,
    );
  const refusal = problem === null ? specimenRefusal(write, content.standIns) : invalid(problem);
  return {
    links: content.links,
    htmlBytes: Buffer.byteLength(content.html),
    compose(recipient) {
      if (refusal !== null) return refusal;
      const unfit = recipientProblem(recipient);
      return unfit === null ? accept(write(recipient)) : invalid(unfit);
    },
    reuse,
  };
}

function compileContent(source: MarketingSource): Content {
  const { baseUrl, workspaceName, mailingAddress } = source;
  const authored = source.html.toWellFormed();
  const standIns = standInsFor(authored + baseUrl + workspaceName + mailingAddress);
  const clickUrl = (index: number) => `${baseUrl}/c/${standIns.click}/${index}`;
  const { html, links } = source.trackClicks ? trackLinks(authored, clickUrl) : { html: authored, links: [] };
  const footer: Footer = {
    workspaceName: workspaceName.toWellFormed(),
    mailingAddress: mailingAddress.toWellFormed(),
    unsubscribeUrl: `${baseUrl}/u/${standIns.unsubscribe}`,
    pixelUrl: source.trackOpens ? `${baseUrl}/o/${standIns.open}` : null,
  };
  return {
    html: withFooter(html, footer, pixelPadding),
    text: textAlternative(html, footerText(footer)),
    links,
    standIns,
  };
}

/** All of a message after the recipient's own header fields. */
function assemble(source: MarketingSource, text: BodyPart, html: BodyPart): Piece[] {
  const boundary = boundaryOf(source);
  return [
    `${staticHeaders(source, boundary)}\r\n--${boundary}\r\n${text.header}`,
    ...text.pieces,
    `\r\n--${boundary}\r\n${html.header}`,
    ...html.pieces,
    `\r\n--${boundary}--\r\n`,
  ];
}

/** `=_` can stand in neither quoted-printable nor base64, so no part can hold this boundary (RFC 2045, 6.7, note). */
function boundaryOf(source: MarketingSource): string {
  const digest = createHash("sha256")
    .update(`${source.feedbackId} ${source.subject} ${source.html}`)
    .digest("hex");
  return `=_${digest.slice(0, 32)}`;
}

function specimenRefusal(
  write: (recipient: Recipient) => Buffer,
  tokens: Tokens,
): Extract<Result<Buffer>, { ok: false }> | null {
  const address = "specimen@example.com";
  const result = checkMessage(write({ address, messageId: address, date: 0, tokens }), address);
  return result.ok ? null : result;
}
