import type { SenderLook } from "#pages/sender-page.ts";
import { textsIn } from "#texts/texts.ts";
import { inkOn, mix, parseColour } from "#core/colour.ts";

const BUTTON_TEXT_MAX = 60;
const BUTTON = "#1f56c3";
const GROUND = "#ffffff";

/** What a form's `style` gives: our own numbers and colours, and one text that still has to be escaped. */
export type FormLook = {
  readonly buttonText: string;
  readonly button: string;
  readonly onButton: string;
  /**
   * Null: neither background nor text colour was chosen. Then the page's own colours apply, light or dark.
   */
  readonly card: {
    readonly ground: string;
    readonly ink: string;
    readonly soft: string;
    readonly line: string;
  } | null;
  readonly cornerRadiusPx: number;
  readonly fontSizePx: number;
  /** Whether the form's style chose the button's colours; if not, a page has better ones. */
  readonly hasOwnButton: boolean;
};

/** The sender's language and colour, for what the form's own style does not set. */
type FormSender = Pick<SenderLook, "language" | "brandColor">;

/**
 * Reads a stored style. Ignores what it does not understand, so that no style can break a page or inject
 * anything into it.
 */
export function formLook(style: Readonly<Record<string, unknown>>, sender: FormSender): FormLook {
  const own = (key: string): unknown => (Object.hasOwn(style, key) ? style[key] : undefined);
  const colour = (key: string): string | null => parseColour(own(key));
  const button = colour("buttonColor") ?? (sender.brandColor || BUTTON);
  return {
    buttonText: buttonText(own("buttonText")) || textsIn(sender.language).form.button,
    button,
    onButton: colour("buttonTextColor") ?? inkOn(button),
    card: cardOf(colour("backgroundColor"), colour("textColor")),
    cornerRadiusPx: pixels(own("cornerRadius"), 0, 48) ?? 8,
    fontSizePx: pixels(own("fontSize"), 12, 32) ?? 16,
    hasOwnButton: (colour("buttonColor") ?? colour("buttonTextColor")) !== null,
  };
}

/** A text colour alone could be unreadable on a dark page, so a background is added. */
function cardOf(background: string | null, text: string | null): FormLook["card"] {
  const ground = background ?? (text === null ? null : groundFor(text));
  if (ground === null) return null;
  const ink = text ?? inkOn(ground);
  return { ground, ink, soft: mix(ink, ground, 0.8), line: mix(ink, ground, 0.55) };
}

const groundFor = (text: string): string => (inkOn(text) === "#ffffff" ? GROUND : "#14181e");

const buttonText = (value: unknown): string =>
  typeof value === "string" ? Array.from(value.trim()).slice(0, BUTTON_TEXT_MAX).join("") : "";

/** A number, or a text such as `8` or `8px`, within the bounds; null for anything else. */
function pixels(value: unknown, min: number, max: number): number | null {
  const isText = typeof value === "string" && /^\s*\d{1,3}(?:\.\d{1,2})?\s*(?:px)?\s*$/.test(value);
  const size = typeof value === "number" ? value : isText ? Number.parseFloat(value) : Number.NaN;
  return size >= min && size <= max ? Math.round(size * 100) / 100 : null;
}
