import { createHash } from "node:crypto";
import { accept, invalid, type Refusal } from "#core/errors.ts";
import { bodyPart, type BodyPart } from "#mail/mime/body-part.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import { byteTemplate } from "#mail/mime/byte-template.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { withFooter } from "./with-footer.ts";
import { footerText, pixelPadding, type Footer } from "./footer.ts";
import { trackLinks } from "#mail/html/links.ts";
import type { CompiledMarketing, MarketingSource, Recipient } from "./marketing-mail.ts";
import { recipientHeaders, recipientProblem, sourceProblem, staticHeaders } from "./marketing-headers.ts";
import { textAlternative } from "#mail/html/text-alternative.ts";
import { textProblem } from "./letter-limits.ts";
import { standInsFor, type Piece, type Tokens } from "./recipient-tokens.ts";

export type { CompiledMarketing, MarketingSource, Recipient };

type Content = {
  readonly html: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly standIns: Tokens;
};

/** The result of all slow work on a mailing, as plain data. */
export type WrittenMarketing = {
  readonly links: readonly string[];
  /** The message after the recipient's own header fields. */
  readonly pieces: readonly Piece[];
  readonly standIns: Tokens;
  readonly htmlBytes: number;
  /** Why no message of this mailing can be sent. */
  readonly refusal: Refusal | null;
};

/**
 * Compiles a mailing (campaign or automation mail, kind C of the mail format), once and in a thread: it
 * rewrites links, makes footer and text part, and encodes everything static. `readyMarketing` then only fills
 * in each recipient's values.
 *
 * Every composed message satisfies `checkMessage`, although that check runs only once, on a specimen. A
 * recipient's values are used only after `recipientProblem` found that they have the specimen's shape: tokens
 * of the same length and alphabet; address, Message-ID and date of limited length, without a character that
 * could end a line or a field. Nothing else differs. If the specimen fails, the mailing refuses every
 * recipient.
 */
export function writeMarketing(source: MarketingSource): WrittenMarketing {
  const content = compileContent(source);
  const { links, standIns } = content;
  const htmlBytes = Buffer.byteLength(content.html);
  const problem = sourceProblem(source) ?? textProblem(content.text);
  if (problem !== null) return { links, pieces: [], standIns, htmlBytes, refusal: invalid(problem).refusal };
  const text = bodyPart("text/plain", content.text, standIns);
  const html = bodyPart("text/html", content.html, standIns);
  const written = { links, pieces: assemble(source, text, html), standIns, htmlBytes, refusal: null };
  return { ...written, refusal: specimenRefusal(writerOf(source, written), standIns) };
}

/** Makes the messages from what `writeMarketing` wrote for the same source. */
export function readyMarketing(source: MarketingSource, written: WrittenMarketing): CompiledMarketing {
  const { links, htmlBytes, refusal } = written;
  const write = writerOf(source, written);
  return {
    links,
    htmlBytes,
    compose(recipient) {
      if (refusal !== null) return { ok: false, refusal };
      const unfit = recipientProblem(recipient);
      return unfit === null ? accept(write(recipient)) : invalid(unfit);
    },
  };
}

type Write = (recipient: Recipient) => FinishedMessage;

function writerOf({ baseUrl }: MarketingSource, { pieces, standIns }: WrittenMarketing): Write {
  const fill = byteTemplate(pieces, standIns);
  return (recipient) =>
    fill(recipientHeaders(recipient, `${baseUrl}/u/${recipient.tokens.unsubscribe}`), recipient.tokens);
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

/** The message after the recipient's own header fields. */
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

/**
 * Neither quoted-printable nor base64 can contain `=_`, so no part can contain this boundary (RFC 2045, 6.7,
 * note).
 */
function boundaryOf(source: MarketingSource): string {
  const digest = createHash("sha256")
    .update(`${source.feedbackId} ${source.subject} ${source.html}`)
    .digest("hex");
  return `=_${digest.slice(0, 32)}`;
}

function specimenRefusal(write: Write, tokens: Tokens): Refusal | null {
  const address = "specimen@example.com";
  const { bytes } = write({ address, messageId: address, date: 0, tokens });
  const checked = checkMessage(bytes, address);
  return checked.ok ? null : checked.refusal;
}
