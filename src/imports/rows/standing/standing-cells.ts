/** What a cell says of a person's standing, in a column that another tool or a person made (`contacts/who-left.ts`). */
import type { StateOf, WhoLeftField } from "#contacts/who-left.ts";
import { withoutMarks } from "#core/text/without-marks.ts";
import type { Standing } from "#imports/sources/source.ts";
import {
  ACTIVE,
  ANSWERS_NO,
  ANSWERS_YES,
  BEGINNINGS_OF_NO,
  GETS_MAIL,
  HAS_LEFT,
  IS_DEAD,
  IS_YES,
  NEVER_AGREED,
  NO,
  NOTHING_CHOSEN,
  NO_IN_WORDS,
  OF_ORDERS,
  OF_SUBSCRIBERS,
  SAYS_NOTHING,
  STAYS,
  YES,
} from "./standing-words.ts";

/** Who left, and how or when: `Unsubscribed by admin`, `Abgemeldet (1.2.2023)`. */
const BEGINS_LEFT =
  /^(?:unsubscribed|opted[ -]?out|abgemeldet|abbestellt|desinscrite?|desabonnee?|disiscritt[oa]|uitgeschreven|wypisan[ya])\b/;
type CellMeaning = "stays" | "yes" | "no" | "left" | "dead" | "notAgreed" | "empty" | "date" | "other";

/** Also a spreadsheet's number of a day, and a second or a millisecond that it has shortened. */
const DATE =
  /^(?:\d{1,4}[-./]\d{1,2}[-./]\d|\d{9,13}$|[2-5]\d{4}(?:[.,]\d+)?$|(?:19|20)\d{6}$|\d[.,]\d+e\+(?:09|12)$|(?:19|20)\d\d年)/i;
/** `5. Januar 2023`, `Thu, 5 Jan 2023 10:00`, `Jan 5, 2023`: in any language. */
const DATE_IN_WORDS =
  /^(?:\p{L}{2,12}[.,]{1,2} )?\d{1,2}(?:\.|st|nd|rd|th|er|º)? (?:de |d')?\p{L}{3,12}\.? (?:de )?(?:19|20)\d\d(?!\d)|^\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?, ?(?:19|20)\d\d(?!\d)/u;
/** How databases, languages and spreadsheets write no date: they begin to count there. */
const NO_DATE =
  /^(?:-?(?:000[01]|1899|1900|1969|1970)-\d|\d{1,2}([-./])\d{1,2}\1-?(?:000[01]|1899|1900|1969|1970)(?!\d)|00[-./]00[-./]00$)/;
const DASHES = /^[-–—./\\n]{1,3}$/;
/** A list or an object without members. */
const NOTHING_IN_IT = /^(?:\[\s*\]|\{\s*\})$/;
/** What makes a sign such as ✔ a picture. */
const AS_PICTURE = /\uFE0F/g;
const IS_NOT_YET = /^(?:not yet|noch nicht|pas encore|still (?:subscribed|active))$/;
const NOT = /^(?:not|no|nicht|kein|keine|non|pas|niet|geen|nie|não) /;
const IS_LINK = /^(?:https?:|mailto:|www\.)/i;
/** The longest word is shorter, and a cell may have a million characters. */
const READ_CHARACTERS_MAX = 60;

/** As the tables of words have it. */
const wordIn = (cell: string): string =>
  withoutMarks(cell.slice(0, READ_CHARACTERS_MAX).toLowerCase()).replaceAll(/[^a-z0-9]+/g, "");

function meaningOf(cell: string): CellMeaning {
  const text = cell.trim();
  if (text === "") return "empty";
  const word = text.slice(0, READ_CHARACTERS_MAX).toLowerCase().replaceAll(AS_PICTURE, "");
  const plain = wordIn(text);
  if (HAS_LEFT.has(plain)) return "left";
  if (IS_DEAD.has(plain)) return "dead";
  if (NEVER_AGREED.has(plain)) return "notAgreed";
  if (STAYS.has(plain) || GETS_MAIL.has(plain)) return "stays";
  if (YES.has(word) || IS_YES.has(plain) || ACTIVE.has(plain)) return "yes";
  if (NO.has(word) || Number(word) === 0) return "no";
  if (SAYS_NOTHING.has(plain) || NO_DATE.test(word) || DASHES.test(word) || NOTHING_IN_IT.test(word))
    return "empty";
  if (BEGINS_LEFT.test(withoutMarks(word))) return "left";
  return DATE.test(text) || DATE_IN_WORDS.test(word) ? "date" : "other";
}

/** Null: it says neither. */
export function parseYesOrNo(text: string): boolean | null {
  const word = text.toLowerCase().replaceAll(AS_PICTURE, "");
  return YES.has(word) ? true : NO.has(word) ? false : null;
}

/** `not unsubscribed`, `nicht abgemeldet`; but `not subscribed` and `no longer wanted` are reasons. */
function isDenied(cell: string): boolean {
  const word = cell.trim().slice(0, READ_CHARACTERS_MAX).toLowerCase();
  const denied = word.replace(NOT, "");
  return IS_NOT_YET.test(word) || (denied !== word && ["left", "dead"].includes(meaningOf(denied)));
}

/** `unsubscribed`, `bounced`: a yes, a date or a reason says that somebody is out. A link says nothing: its row fails. */
function ofWhoIsOut(named: Standing) {
  const byMeaning: Readonly<Partial<Record<CellMeaning, Standing | null>>> = {
    no: null,
    empty: null,
    stays: null,
    left: "UNSUBSCRIBED",
    dead: "BOUNCED",
  };
  return (cell: string): Standing | null => {
    const standing = byMeaning[meaningOf(cell)];
    if (standing !== undefined) return standing;
    if (isDenied(cell)) return null;
    return IS_LINK.test(cell.trim()) ? "unknown" : named;
  };
}

/** `subscribed`, `optedIn`: who is named gets mail. Whom an empty cell does not name may have left, or never agreed. */
const ofWhoStays = (unnamed: Standing): Readonly<Record<CellMeaning, Standing | null>> => ({
  yes: null,
  stays: null,
  date: null,
  no: unnamed,
  left: "UNSUBSCRIBED",
  dead: "BOUNCED",
  notAgreed: "notAgreed",
  empty: "notAgreed",
  other: "unknown",
});

const begins = (phrases: readonly string[], end = ""): RegExp =>
  new RegExp(`^(?:${phrases.join("|")})${end}`);
/** What follows an answer, if it does not stand alone. */
const AND_MORE = "[ ,.!]";
const BEGINS_YES = begins(ANSWERS_YES, AND_MORE);
const BEGIN_NO = [begins(ANSWERS_NO, AND_MORE), begins(NO_IN_WORDS, "\\b"), begins(BEGINNINGS_OF_NO)];

function answerIn(cell: string): CellMeaning {
  const meaning = meaningOf(cell);
  if (meaning !== "other") return meaning;
  const text = withoutMarks(cell.trim().slice(0, READ_CHARACTERS_MAX).toLowerCase());
  if (BEGINS_YES.test(text)) return "yes";
  return BEGIN_NO.some((beginning) => beginning.test(text)) ? "no" : "other";
}

const unsubscribed = ofWhoIsOut("UNSUBSCRIBED");
const bounced = ofWhoIsOut("BOUNCED");
const subscribed = ofWhoStays("UNSUBSCRIBED");
const optedIn = ofWhoStays("notAgreed");

const isSoft = (cell: string): boolean => /^\W*(?:soft|transient|temporary)/i.test(cell);

/** Null: nothing. `unknown`: nobody knows, so the row fails. */
export const STANDING_IN: Readonly<Record<WhoLeftField, (cell: string) => Standing | null>> = {
  unsubscribed,
  bounced: (cell) => (isSoft(cell) ? null : bounced(cell)),
  subscribed: (cell) => subscribed[answerIn(cell)],
  optedIn: (cell) => optedIn[answerIn(cell)],
};

/** A column `state` may be one of anything: only words for how a subscriber stands count. */
const IN_STATE: Readonly<Partial<Record<CellMeaning, Standing>>> = {
  left: "UNSUBSCRIBED",
  dead: "BOUNCED",
  notAgreed: "notAgreed",
};
const inState = (cell: string): Standing | null => IN_STATE[meaningOf(cell)] ?? null;

const inStateOfAnything = (cell: string): Standing | null =>
  OF_SUBSCRIBERS.has(wordIn(cell)) ? inState(cell) : null;

/** A yes or a no in words: a 0 may be a number of anything. */
const isAnswer = (cell: string, answer: "yes" | "no"): boolean =>
  !/^[\d.,\s]*$/.test(cell) && answerIn(cell) === answer;

/** As programs write a no. */
const IS_ZERO = /^\s*0+(?:[.,]0+)?\s*$/;

/** Whoever was asked to choose, and chose nothing, agreed to nothing. An empty cell may mean that nobody asked. */
const deniesAll = (cell: string): boolean =>
  isAnswer(cell, "no") || IS_ZERO.test(cell) || NOTHING_CHOSEN.has(wordIn(cell.trim()));

/** By whose state it is. */
export const STANDING_IN_STATE = {
  people: inState,
  choice: (cell: string): Standing | null => inState(cell) ?? (deniesAll(cell) ? "notAgreed" : null),
  anything: inStateOfAnything,
  wish: (cell: string): Standing | null => (isAnswer(cell, "no") ? "notAgreed" : inStateOfAnything(cell)),
  active: (cell: string): Standing | null =>
    isAnswer(cell, "no") || IS_ZERO.test(cell) ? "notAgreed" : inStateOfAnything(cell),
} satisfies Record<StateOf, (cell: string) => Standing | null>;
/** The same of a column that a mapping imports as an attribute: what orders may say is its value, and no more. */
export const STANDING_IN_ATTRIBUTE = {
  people: (cell: string): Standing | null => {
    const standing = inState(cell);
    return standing !== "notAgreed" && isPeoplesWord(cell) ? standing : STANDING_IN_STATE.anything(cell);
  },
  anything: inStateOfAnything,
  // That somebody chose nothing is worth keeping, and still no consent.
  choice: STANDING_IN_STATE.choice,
  // Whoever makes it an attribute has seen what it says: no word is for subscribers only.
  wish: inStateOfAnything,
  active: inStateOfAnything,
} satisfies Record<StateOf, (cell: string) => Standing | null>;

/** Whether a cell has such a word, or one for people who get mail. */
export function isStateWord(of: StateOf, cell: string): boolean {
  if (STANDING_IN_STATE[of](cell) !== null) return true;
  if (of !== "people") return of !== "anything" && isAnswer(cell, "yes");
  const plain = wordIn(cell);
  return ACTIVE.has(plain) || GETS_MAIL.has(plain);
}

/** Whether a cell says so of a person, and not of an order: its word would unsubscribe whoever cancelled one. */
export const isPeoplesWord = (cell: string): boolean =>
  isStateWord("people", cell) && !OF_ORDERS.has(wordIn(cell));
