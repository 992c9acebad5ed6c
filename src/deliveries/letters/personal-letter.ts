import type { Instant } from "#core/time/clock.ts";
import { escapeHtml } from "#core/text/html-escape.ts";
import { invalid, type Result } from "#core/errors/errors.ts";
import { thenSoon, type Soon } from "#core/time/soon.ts";
import type { MailingContent, MessageLinks, OwedMessage } from "#deliveries/ledger.ts";
import {
  authoredOf,
  compileLetter,
  recipientOf,
  sameForAll,
  type Composed,
  type Letter,
  type LetterSource,
  type WholeParts,
} from "#deliveries/letter.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { isBriefHtml, pieceAsText } from "#mail/letter/single/brief.ts";
import { liquidLetter, type AuthoredLetter, type FilledLetter } from "#mail/letter/slots/liquid-letter.ts";
import type {
  LetterParts,
  LetterPiece,
  MarketingLetter,
  Recipient,
} from "#mail/letter/marketing/marketing-mail.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { joinPieces, type LiquidPiece, type LiquidScope } from "#mail/liquid/liquid.ts";
import { lasting } from "#work/pool.ts";
import type { oneAfterAnother } from "#core/time/event-loop.ts";
import type { letterShapes } from "./letter-shapes.ts";
import { readerUrls } from "./letter-values.ts";

/** Where the values of a message come from, and where the results are kept. */
export type PersonalParts = LetterSource & {
  /** The values for a message; null if its contact is gone. */
  valuesFor(message: OwedMessage, unsubscribeToken: string): Soon<MessageValues | null>;
  /** Records where the message's links lead, and which of its values are kept, before the message goes out. */
  keep(message: OwedMessage, kept: Kept): Soon<unknown>;
  /** Whether `valuesFor` uses the contact that was read with the row. */
  readonly needsPeople: boolean;
  /** Whether its templates may name the addresses of the reader's own pages. */
  readonly hasReaderUrls: boolean;
  /** This letter's own queue: equal messages wait until the first of them is compiled. */
  readonly inTurn: ReturnType<typeof oneAfterAnother>;
  /** The compiled letters of all mailings. */
  readonly shapes: ReturnType<typeof letterShapes>;
};

/** `values`: what the web version needs, as JSON; null if nothing is kept. `at`: when the message was made. */
type Kept = { readonly links: MessageLinks; readonly values: string | null; readonly at: Instant };

/** The values for a message's templates, and those of them that are kept with the message, as JSON. */
type MessageValues = { readonly scope: LiquidScope; readonly kept: string | null };

type Finished = { readonly composed: Soon<Composed>; readonly links: MessageLinks };

/** The parts of a body as one message has them. */
type BodyParts = Required<LetterParts>;

/** More than this, values and the text in their lines, is encoded in a thread, with the rest of its message. */
const OWN_TEXT_MAX = 64 * 1024;

/**
 * The letter of a mailing whose text is Liquid. It is filled in when a message goes out, with the contact's values
 * of that moment. Messages whose templates produced the same text around the values share one compiled letter.
 * Composing rejects with WorkLate.
 */
export function personalLetter(
  mailing: MailingUnderWay,
  content: MailingContent,
  parts: PersonalParts,
): Letter {
  const { inTurn, secret } = parts;
  const filler = fillerOf(mailing.workspaceId, authoredOf(content), parts);
  const bodyOf = bodyReader(parts);
  const letters = letterFinder(mailing, content, parts);
  let compilesEach = false;

  const compileEach = async (
    filled: FilledLetter,
    message: OwedMessage,
    date: Instant,
  ): Promise<Finished> => {
    const whole = wholeOf(filled);
    compilesEach = !isBriefHtml(whole.html.join(""));
    const letter = await inTurn(() => sameForAll(mailing, content, whole, parts));
    // It is no longer known which links contain values.
    const links = { urls: letter.links, personal: letter.links.map(() => true) };
    return { links, composed: letter.compose(message, date) };
  };

  const finish = (filled: FilledLetter, message: OwedMessage, recipient: Recipient): Soon<Finished> => {
    const { pieces, values, length } = bodyOf(filled, recipient);
    return thenSoon(letters.letterFor(pieces), (letter): Soon<Finished> => {
      if (letter === null || length + letter.openCharacters > OWN_TEXT_MAX)
        return compileEach(filled, message, recipient.date);
      const links = { urls: letter.links(values), personal: letter.personalLinks };
      const words = { subject: filled.subject, values };
      return { links, composed: letter.compose(recipient, words) };
    });
  };

  const made = (found: MessageValues, message: OwedMessage, recipient: Recipient): Soon<Composed> =>
    thenSoon(filler.fill(found.scope, message, recipient.date), (filled): Soon<Composed> => {
      if (!filled.ok) return filled;
      return thenSoon(finish(filled.value, message, recipient), ({ links, composed }) => {
        const kept = parts.keep(message, { links, values: found.kept, at: recipient.date });
        return thenSoon(kept, () => composed);
      });
    });

  return {
    envelopeSender: content.from.address,
    needsPeople: parts.needsPeople,
    get isSlow() {
      return filler.isInThread || compilesEach || letters.areMostlyNew;
    },
    // Does not await when nothing is missing, as for most messages.
    compose(message, date) {
      const recipient = recipientOf(secret, content, message, date);
      return thenSoon(parts.valuesFor(message, recipient.tokens.unsubscribe), (found): Soon<Composed> =>
        found === null ? invalid("The contact was deleted.") : made(found, message, recipient),
      );
    },
  };
}

/** Fills in the templates on the event loop while that is short work; after the first time it is not, in a thread. */
function fillerOf(workspaceId: string, letter: AuthoredLetter, { work }: PersonalParts) {
  const template = liquidLetter(letter);
  let isInThread = false;
  return {
    get isInThread() {
      return isInThread;
    },
    fill(scope: LiquidScope, { number }: OwedMessage, now: Instant): Soon<Result<FilledLetter>> {
      const moment = { now, seed: number };
      try {
        if (!isInThread) return template.fill(scope, LITTLE, moment);
      } catch (error) {
        if (!(error instanceof NeedsThread)) throw error;
        isInThread = true;
      }
      return work.run(workspaceId, "fill", { letter, scope, moment }).then(lasting);
    },
  };
}

/** A filled-in letter as static text: nothing in it differs from message to message any more. */
export const wholeOf = ({ subject, html, preheader, text }: FilledLetter): WholeParts => ({
  subject,
  html: [joinPieces(html)],
  preheader: preheader.length === 0 ? [] : [joinPieces(preheader)],
  text: text && [joinPieces(text)],
});

/** The text that a body's letter is found by, its values in order, and their total length. */
type Body = { readonly pieces: LetterPiece[]; readonly values: string[]; length: number };

/** Reads all parts of a body in one pass, with a mark where each part ends. */
function bodyReader({ hasReaderUrls, baseUrl }: PersonalParts) {
  const places = hasReaderUrls ? tokenPlaces(baseUrl) : NO_PLACES;
  return ({ html, preheader, text }: FilledLetter, { tokens }: Recipient): Body => {
    const body: Body = { pieces: [], values: [], length: 0 };
    readPart(body, html, places.inHtml, tokens.unsubscribe);
    readPart(body, preheader, places.inHtml, tokens.unsubscribe);
    if (text === null) body.pieces.push(NO_PART);
    else readPart(body, text, places.inText, tokens.unsubscribe);
    return body;
  };
}

function readPart(body: Body, part: readonly LiquidPiece[], places: Places, token: string): void {
  for (const piece of part) {
    if (typeof piece === "string") {
      body.pieces.push(piece);
      continue;
    }
    const { value } = piece;
    const place =
      places.size > 0 && value.endsWith(token) ? places.get(value.slice(0, -token.length)) : undefined;
    if (place !== undefined) {
      body.pieces.push(...place);
      continue;
    }
    body.pieces.push(piece);
    body.values.push(value);
    body.length += value.length;
  }
  body.pieces.push(END_OF_PART);
}

/** The parts that a body was read from. */
function partsOf(pieces: readonly LetterPiece[]): BodyParts {
  const endOfHtml = pieces.indexOf(END_OF_PART);
  const endOfPreheader = pieces.indexOf(END_OF_PART, endOfHtml + 1);
  return {
    html: pieces.slice(0, endOfHtml),
    preheader: pieces.slice(endOfHtml + 1, endOfPreheader),
    text: pieces.at(-1) === NO_PART ? null : pieces.slice(endOfPreheader + 1, -1),
  };
}

/** These characters never appear in a letter: they are not well-formed. */
const [END_OF_PART, NO_PART] = ["\ud800", "\ud801"];

/** The placeholders for the addresses of a reader's own pages, by the text before their token. */
type Places = ReadonlyMap<string, readonly LetterPiece[]>;

/**
 * The addresses of a reader's own pages are not treated as values: they differ only in the token, which has a
 * placeholder of its own. So such a link need not be parsed again for each message.
 */
function tokenPlaces(baseUrl: string): { readonly inText: Places; readonly inHtml: Places } {
  const urls = Object.values(readerUrls(baseUrl, ""));
  return { inText: startsOf(urls), inHtml: startsOf(urls.map(escapeHtml)) };
}

const startsOf = (urls: readonly string[]): Places =>
  new Map(urls.map((url) => [url, [url, { token: "unsubscribe" }]]));

const NO_PLACES = { inText: startsOf([]), inHtml: startsOf([]) };

/** A letter may need this many more compilations than it saved before it counts as one that saves none. */
const NEW_MAX = 16;

/** Finds the compiled letter of a message by the text its templates wrote. */
function letterFinder(mailing: MailingUnderWay, content: MailingContent, parts: PersonalParts) {
  const { inTurn, shapes } = parts;
  /** Compilations in a thread, less the messages that needed none. */
  let inThreads = 0;
  const compileOnce = async (pieces: readonly LetterPiece[]): Promise<MarketingLetter | null> =>
    await inTurn(async () => {
      const meanwhile = shapes.find(mailing.number, pieces);
      if (meanwhile !== undefined) return meanwhile.letter;
      const shape = partsOf(pieces);
      if (!isBriefHtml(shape.html.map(pieceAsText).join("")))
        inThreads = Math.min(2 * NEW_MAX, inThreads + 1);
      const compiled = lasting(await compileLetter(mailing, content, { ...shape, subject: null }, parts));
      // HTML that cannot be compiled: each message is then compiled on its own, and fails with its own reason.
      const letter = compiled.ok ? compiled.value : null;
      shapes.add(mailing.number, pieces, letter);
      return letter;
    });
  return {
    /** The templates write a different text for nearly each message, and each is compiled in a thread. */
    get areMostlyNew(): boolean {
      return inThreads > NEW_MAX;
    },
    /** The letter for these pieces, compiled at most once. Null: its messages are compiled one by one. */
    letterFor(pieces: readonly LetterPiece[]): Soon<MarketingLetter | null> {
      const known = shapes.find(mailing.number, pieces);
      if (known === undefined) return compileOnce(pieces);
      inThreads = Math.max(0, inThreads - 1);
      return known.letter;
    },
  };
}
