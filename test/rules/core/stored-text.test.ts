import { expect, test } from "bun:test";
import { storedText } from "#core/text/stored-text.ts";

test.each([
  ["white space around is taken off", "  Ada \t\n", "Ada"],
  ["NUL is taken out, also where white space hides behind it", "\0 A\0da \0", "Ada"],
  ["a lone surrogate becomes U+FFFD", "Ada\ud83d", "Ada\ufffd"],
  ["an emoji stays", "Ada 👩‍💻", "Ada 👩‍💻"],
  ["markup, quotes and inner line breaks stay", '<b>O\'Neil</b>\n"x"', '<b>O\'Neil</b>\n"x"'],
  ["right-to-left text stays", "عائشة", "عائشة"],
  ["nothing stays nothing", "\0\0", ""],
])("%s, and storing it again changes nothing", (_, text, stored) => {
  expect(storedText(text)).toBe(stored);
  expect(storedText(stored)).toBe(stored);
});
