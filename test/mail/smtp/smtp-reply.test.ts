import { describe, expect, test } from "bun:test";
import { parseReply, replyTextCharsMax } from "#core/smtp-reply.ts";

describe("a relay's reply", () => {
  const replies: [raw: string, code: number, enhanced: string | null, text: string][] = [
    ["250 2.0.0 Ok: queued as 4XyZ", 250, "2.0.0", "Ok: queued as 4XyZ"],
    [
      "550-5.1.1 The account does\r\n550-5.1.1 not exist.\r\n550 5.1.1 Bye",
      550,
      "5.1.1",
      "The account does not exist. Bye",
    ],
    ["550-5.1.1 foo\n550 5.1.1 bar", 550, "5.1.1", "foo bar"],
    ["550-No such\r\n550 5.1.1 user", 550, "5.1.1", "No such user"],
    ["550 No such user", 550, null, "No such user"],
    ["250", 250, null, ""],
    ["421 ", 421, null, ""],
    ["452 4.2.2", 452, "4.2.2", ""],
    ["550 #5.1.1: who?", 550, "5.1.1", "who?"],
    ["550 5.1.1234 odd", 550, null, "5.1.1234 odd"],
    ["550 5.7.1\tTab", 550, "5.7.1", "Tab"],
    ["550 Größe 5.7.1", 550, null, "Größe 5.7.1"],
    ["550 a\u001b[31mb\u0000c\u202Ed", 550, null, "a\uFFFD[31mb\uFFFDc\uFFFDd"],
    ["550 a\u200Fb\u061Cc", 550, null, "a\uFFFDb\uFFFDc"],
    ["550 \ud800x", 550, null, "\uFFFDx"],
  ];
  test.each(replies)("%j is read", (raw, code, enhanced, text) => {
    expect(parseReply(raw)).toEqual({ code, enhanced, text });
  });

  test("its text never passes 512 characters nor cuts one in half", () => {
    const text = parseReply(`550 5.1.1 ${"😀".repeat(600)}`)?.text ?? "";
    expect([...text]).toHaveLength(replyTextCharsMax);
    expect(text.isWellFormed()).toBe(true);
  });

  test.each(["", "hello", "25", "2500 x", "150 x", "999 x", " 250 ok"])("%j is no reply", (raw) => {
    expect(parseReply(raw)).toBeNull();
  });
});
