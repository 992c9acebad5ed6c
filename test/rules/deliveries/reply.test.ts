import { describe, expect, test } from "bun:test";
import { parseReply, type SmtpReply } from "#core/smtp-reply.ts";
import type { Meaning } from "#deliveries/reply/meaning.ts";
import { classifyLoss, classifyReply } from "#deliveries/reply/reply.ts";

const UNREADABLE: SmtpReply = { code: 0, enhanced: null, text: "?" };
const replyOf = (line: string): SmtpReply => parseReply(line)!;
import { classifyReport } from "#deliveries/reply/reported-reply.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";
import { REPLIES } from "../../support/sending/reply-table.ts";

/** A meaning in short: kind, then trouble or strike where there is one, then the reason. */
function short(meaning: Meaning): string {
  if (meaning.kind === "sent") return "sent";
  const detail =
    meaning.kind === "relay" ? meaning.trouble : meaning.kind === "bounced" ? null : meaning.strike;
  return [meaning.kind, detail, meaning.reason].filter((part) => part !== null).join(" ");
}

describe("what a reply means", () => {
  test.each(REPLIES)("%s: %s -> %s", (stage, line, meaning) => {
    expect(short(classifyReply(stage, replyOf(line)))).toBe(meaning);
  });

  test.each([
    "450 4.7.1 Please come back",
    "450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted",
    "451 4.3.0 Graylisted",
    "451 grey listed",
    "450 try again later",
    "451 temporarily deferred",
  ])("%s: greylisting waits at least five minutes", (line) => {
    expect(classifyReply("RCPT", replyOf(line))).toEqual({
      kind: "deferred",
      reason: "GREYLISTED",
      minPauseMs: 300_000,
      strike: null,
    });
  });

  test("no other reply lengthens the pauses of 1, 5, 15 minutes", () => {
    const lines = REPLIES.filter(([, line]) => /^[45]/.test(line)).map(([stage, line]) => ({
      line,
      meaning: classifyReply(stage, replyOf(line)),
    }));
    const deferred = lines.filter(({ meaning }) => meaning.kind === "deferred");
    expect(deferred.length).toBeGreaterThan(10);
    for (const { line, meaning } of deferred)
      expect([line, meaning]).toEqual([
        line,
        expect.objectContaining({
          minPauseMs: meaning.kind === "deferred" && meaning.reason === "GREYLISTED" ? 300_000 : 0,
        }),
      ]);
  });

  test.each([
    ["451 4.3.0 Try again later", "deferred TEMPORARY"],
    ["450 4.3.2 System not accepting mail, try again later", "deferred TEMPORARY"],
    ["450 4.2.1 Mailbox is over quota, try again later", "deferred MAILBOX_BUSY"],
    ["452 4.2.2 Too many messages in the mailbox", "deferred full MAILBOX_FULL"],
    ["452 4.3.1 Not enough storage", "deferred SYSTEM_FULL"],
    ["451 4.4.1 Disk quota of the queue", "deferred TEMPORARY"],
    ["450 4.1.2 Domain not found, temporarily rejected", "deferred TEMPORARY"],
    ["451 4.3.0 Mailbox full", "deferred full MAILBOX_FULL"],
  ])("an enhanced code wins over words, unless it says nothing: %s -> %s", (line, meaning) => {
    expect(short(classifyReply("RCPT", replyOf(line)))).toBe(meaning);
  });

  test("a refusal at MAIL is never the recipient's", () => {
    for (const [, line] of REPLIES.filter(([, text]) => text.startsWith("5"))) {
      const meaning = classifyReply("MAIL", replyOf(line));
      expect(meaning.kind === "relay" || short(meaning) === "failed MESSAGE_TOO_LARGE").toBe(true);
    }
  });

  test("nothing is judged before a recipient was named", () => {
    for (const stage of ["CONNECT", "AUTH"] as const) {
      for (const [, line] of REPLIES.filter(([, text]) => /^[45]/.test(text)))
        expect(classifyReply(stage, replyOf(line)).kind).toBe("relay");
    }
  });
});

describe("a false hard bounce cannot be undone", () => {
  test.each([
    ["RCPT", "550 5.1.1 203.0.113.2 has sent to too many recipients this hour"],
    ["RCPT", "550 5.1.1 mailbox full"],
    ["RCPT", "550 5.1.1 Not enough disk space"],
    ["RCPT", "550 5.1.1 rejected, see http://www.spamhaus.org/query/bl?ip=192.0.2.2"],
    ["RCPT", "450 5.1.1 user unknown"],
    ["RCPT", "550 4.1.1 user unknown"],
    ["RCPT", "550 <no.such.user@example.com>: rejected"],
    ["RCPT", "550 5.7.1 user unknown"],
    ["RCPT", "550 : User unknown"],
    ["DOT", "550 unknown user"],
    ["DATA", "550 mailbox unavailable"],
    ["RCPT", "550 5.2.0 user unknown"],
  ] as const)("%s: %s does not suppress", (stage, line) => {
    expect(classifyReply(stage, replyOf(line)).kind).not.toBe("bounced");
  });

  test("an address cannot speak about itself", () => {
    expect(short(classifyReply("RCPT", replyOf("550 5.1.1 <spam@example.com>: user unknown")))).toBe(
      "bounced USER_UNKNOWN",
    );
  });
});

// Real answers of Postfix with `reject_unverified_recipient`.
test.each([
  ["host 192.0.2.1[192.0.2.1] said: 550 relay not permitted", "failed REMOTE_SYSTEM"],
  [
    "host 192.0.2.1[192.0.2.1] said: 554 5.7.1 <ada@example.com>: Relay access denied",
    "failed REMOTE_SYSTEM",
  ],
  ["host 192.0.2.1[192.0.2.1] said: 550 5.1.2 No mail for this domain", "failed REMOTE_SYSTEM"],
  ["host 192.0.2.1[192.0.2.1] said: 550 Unrouteable address", "failed REMOTE_SYSTEM"],
  ["host 192.0.2.1[192.0.2.1] said: 550 mailbox full", "deferred full MAILBOX_FULL"],
  ["host 192.0.2.1[192.0.2.1] said: 550 Go away", "failed unknown_permanent UNKNOWN_PERMANENT"],
  ["host 192.0.2.1[192.0.2.1] said: 550 5.1.1 <ada@example.com>... User unknown", "bounced USER_UNKNOWN"],
  ["host 192.0.2.1[192.0.2.1] said: 550 No such user here", "bounced USER_UNKNOWN"],
  ["host 192.0.2.1[192.0.2.1] said: 450 4.2.0 User unknown, try again", "failed REMOTE_SYSTEM"],
  ["unable to look up host mx.example.com: Name or service not known", "failed REMOTE_SYSTEM"],
  ["mail for example.com loops back to myself", "failed REMOTE_SYSTEM"],
  ['unknown user: "ada"', "bounced USER_UNKNOWN"],
])("a gateway's 5.1.1 says what the server behind it says: %s -> %s", (answer, meaning) => {
  const line = `550 5.1.1 <ada@example.com>: Recipient address rejected: undeliverable address: ${answer} (in reply to RCPT TO command)`;
  expect(short(classifyReply("RCPT", replyOf(line)))).toBe(meaning);
  const asReport = meaning.replace("deferred", "failed");
  expect(short(classifyReport("5.1.1", `smtp; ${line}`))).toBe(asReport);
  expect(short(classifyReport("5.0.0", `smtp; ${line}`))).toBe(asReport);
});

describe("a refusal of the sender judges no recipient", () => {
  const ON_VERIFYING = [
    "Verification failed for <news@acme.example>",
    "Callback setup failed while verifying <news@acme.example>",
    "Postmaster verification failed while checking <postmaster@acme.example>",
  ];
  const WHY = [
    "No Such User Here",
    "Unrouteable address",
    "Mailbox is full",
    "Previous (cached) callout verification failure",
    "Response: 550 5.1.1 <news@acme.example>: Recipient address rejected: User unknown in local recipient table",
  ];
  test.each(ON_VERIFYING.flatMap((what) => WHY.map((why) => [what, why] as const)))(
    "Exim: %s, %s",
    (what, why) => {
      const lines = `550-${what}\n550-${why}\n550 Sender verify failed`;
      expect(short(classifyReply("RCPT", replyOf(lines)))).toBe("relay config SENDER_REFUSED");
      for (const status of ["5.0.0", "5.1.1", ""])
        expect(classifyReport(status, `smtp; ${lines.replaceAll("\n", " ")}`)).toMatchObject({
          kind: "failed",
          strike: null,
        });
      // What follows may be so long that the end is cut off.
      const cut = `550-${what}\n550-${why}${" and so on".repeat(60)}\n550 Sender verify failed`;
      expect(short(classifyReply("RCPT", replyOf(cut)))).toBe("relay config SENDER_REFUSED");
    },
  );

  test.each([
    "550 Domain of sender address does not exist",
    "550 Invalid sender: user unknown",
    "550 Your sender address does not exist",
    "550 5.1.1 <news@acme.example>: Sender address rejected: User unknown in virtual alias table",
    "553 sorry, your envelope sender domain must exist, unknown host",
    "550 5.2.1 Sender rejected: mailbox disabled",
    "550 MAIL FROM domain not found",
    "550 MAIL FROM:<news@acme.example>: domain does not exist",
    "550 Invalid MAIL FROM: unknown host",
    "550 5.1.2 Sender domain: no MX record found",
    "550 Sender domain not found",
    "550 Sender <news@acme.example>: Host not found",
    "550 Envelope sender: no such user",
    "550 5.1.1 Return-Path: user unknown",
    "550 Domain of sender has a null MX",
    "550 Mailbox unavailable: sender domain has no MX",
    "550-Requested action not taken: mailbox unavailable 550 invalid DNS MX or A/AAAA resource record",
    // Its domain may be named, too.
    "550 Sender domain acme.example not found",
    "550 Sender domain acme.example has a null MX",
    "550 Sender's domain not found",
    "550 Sender's mailbox does not exist",
    "550 Sender email address does not exist",
    "550 Return-Path domain [acme.example] not found",
    "550 Envelope-From domain not found",
    "550 5.1.1 From address unknown",
    "550 Originator address unknown",
    "511 sorry, can't find a valid MX for sender domain (#5.1.1 - chkuser)",
    "554 sorry, refused mailfrom because return MX does not exist",
    // Nor does one of the server that brings the mail.
    "550 <mail.acme.example>: Helo command rejected: Host not found",
    "550 5.1.2 EHLO hostname invalid: unknown host",
    "550 Invalid HELO: no such domain",
    "550 Client host rejected: unknown host",
    "550 5.1.2 Client hostname not found: unknown host",
    "550 Unknown user (in reply to MAIL FROM command)",
    "550 Unknown host (in reply to EHLO command)",
    "550 Helo mail.acme.example: host not found",
    '550 HELO "mail.acme.example" invalid: no such host',
    "550 EHLO/HELO argument mail.acme.example: unknown host",
    "550 Unknown host name in your HELO/EHLO",
    "550 Client host [192.0.2.4] rejected: host not found",
    "550 Your domain acme.example does not exist",
    "550 Cannot resolve your hostname: nxdomain",
    "550 Reverse lookup failed: host not found",
  ])("%s", (line) => {
    for (const stage of ["RCPT", "DATA", "DOT"] as const)
      expect(short(classifyReply(stage, replyOf(line)))).toBe("relay config SENDER_REFUSED");
    const report = classifyReport("", `smtp; ${line}`);
    expect(report).toMatchObject({ kind: "failed", strike: null });
  });

  test.each([
    ["550 5.1.1 Recipient verification failed for <ada@example.com>", "bounced USER_UNKNOWN"],
    ["550 Returned to sender: user unknown", "bounced USER_UNKNOWN"],
    ["550 Message returned to its original sender: user unknown", "bounced USER_UNKNOWN"],
    ["550 5.1.1 Recipient removed from domain: user unknown", "bounced USER_UNKNOWN"],
    ["550 5.1.1 User unknown in your domain example.net", "bounced USER_UNKNOWN"],
    ["550 5.1.1 User unknown; your host mail.acme.example [192.0.2.1]", "bounced USER_UNKNOWN"],
    ["550 Mail from a list to an unknown user", "bounced USER_UNKNOWN"],
    ["550 5.1.2 Domain not found (in reply to RCPT TO command)", "bounced BAD_DOMAIN"],
    ["550 Host not found, as mail.acme.example said in its HELO", "deferred host_unknown HOST_UNKNOWN"],
    ["554 Client host rejected: blocked using bl.example.com", "failed SPAM_BLOCK"],
    ["554 5.7.1 Client host rejected: Access denied", "relay config AUTHENTICATION"],
    [
      "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required",
      "failed POLICY_BLOCK",
    ],
    ["550 Your domain acme.example is denied by our spam policy", "failed SPAM_BLOCK"],
    ["550 Your server has no valid reverse DNS", "failed SPAM_BLOCK"],
  ])("and what is said of the recipient or of our reputation is none of it: %s -> %s", (line, meaning) => {
    expect(short(classifyReply("RCPT", replyOf(line)))).toBe(meaning);
  });
});

describe("reading a reply", () => {
  test("the text is bounded, however long the line, and no pattern runs away on it", async () => {
    for (const filler of [
      "a",
      "a ",
      "user ",
      "mailbox is ",
      "daily x ",
      "@",
      "<",
      "message size ",
      "sender ",
      "verification failed ",
      "your a account ",
      "outgoing mail from ",
      "sending rate limit ",
      "too many recipients",
      "too many a ",
      "sender address ",
      "mail from domain ",
      "helo command ",
      "sender domain acme.example ",
      "your domain a.a.a.a.a",
      "to any sender ",
      "rdns ",
    ]) {
      const reply = replyOf(`550 ${filler.repeat(100_000)}`);
      expect(reply.text.length).toBeLessThanOrEqual(512);
      expect(await leastCostMs(() => classifyReply("RCPT", reply))).toBeLessThan(50);
    }
  });

  test("an unreadable reply stops the relay, and after the dot never queues the mail again", () => {
    expect(short(classifyReply("RCPT", UNREADABLE))).toBe("relay down UNREADABLE_REPLY");
    expect(short(classifyReply("DOT", UNREADABLE))).toBe("failed UNREADABLE_REPLY");
    expect(short(classifyReply("DOT", replyOf("354 what")))).toBe("failed UNREADABLE_REPLY");
  });
});

describe("a lost connection", () => {
  test.each([
    ["CONNECT", "relay down CONNECTION_LOST"],
    ["AUTH", "relay down CONNECTION_LOST"],
    ["MAIL", "deferred CONNECTION_LOST"],
    ["RCPT", "deferred CONNECTION_LOST"],
    ["DATA", "deferred CONNECTION_LOST"],
  ] as const)("at %s: %s", (stage, meaning) => {
    expect(short(classifyLoss(stage))).toBe(meaning);
  });
});

describe("a delivery report", () => {
  test.each([
    ["5.1.1", "smtp; 550 5.1.1 <ada@example.com>... User unknown", "bounced USER_UNKNOWN"],
    ["5.1.1", "", "bounced USER_UNKNOWN"],
    ["5.1.1", "smtp; 550 5.1.1 rejected", "bounced USER_UNKNOWN"],
    ["5.1.2", "SMTP; 550 Host unknown", "bounced BAD_DOMAIN"],
    ["5.1.1", "smtp; 550 Not enough disk space", "failed SYSTEM_FULL"],
    ["5.1.1", "smtp; 552 5.2.2 over quota", "failed full MAILBOX_FULL"],
    ["5.1.1", "smtp; 550 5.7.1 rejected", "failed POLICY_BLOCK"],
    ["5.0.0", "smtp; 550 User not found", "bounced USER_UNKNOWN"],
    ["4.4.7", "smtp; 450 4.7.1 greylisted", "failed GREYLISTED"],
    ["4.4.7", "", "failed expired TEMPORARY"],
    // A challenge: the reader is there, and wants to know who writes.
    [
      "4.7.0",
      "X-Boxbe-Notice; Sender not pre-approved. Follow instructions in above notice",
      "failed TEMPORARY",
    ],
    ["4.1.1", "smtp; 450 4.1.1 User unknown", "failed unknown_permanent TEMPORARY"],
    ["5.7.26", "smtp; 550-5.7.26 unauthenticated", "failed SENDER_UNAUTHENTICATED"],
    ["nonsense", "", "failed UNREADABLE_REPORT"],
    ["5.1.1", "smtp; 550 5.1.1 <ada@example.com>: Not enough disk space", "failed SYSTEM_FULL"],
    [
      "5.1.0",
      "smtp; 550 5.1.0 <ada@example.com>: 5.7.1 Recipient address rejected: Access denied",
      "failed POLICY_BLOCK",
    ],
    ["5.1.0", "smtp; 550-5.1.0 Rejected. 550 5.7.1 Message looks like spam", "failed POLICY_BLOCK"],
    [
      "5.0.0",
      "smtp; 554 5.0.0 Service unavailable (550 5.1.1 <ada@example.com>... User unknown)",
      "bounced USER_UNKNOWN",
    ],
    ["", "Sorry, no mailbox here by that name. (#5.1.1)", "bounced USER_UNKNOWN"],
    ["", "Sorry, I couldn't find any host named example.net. (#5.1.2)", "bounced BAD_DOMAIN"],
    ["5.0.0", "x-qmail; CNAME lookup failed temporarily. (#4.4.3)", "failed expired TEMPORARY"],
    ["5.1.2", "", "bounced BAD_DOMAIN"],
    ["5.4.4", "", "failed host_unknown NO_ROUTE"],
    ["5.4.4", "x-postfix; Host or domain name not found", "failed host_unknown HOST_UNKNOWN"],
    ["", "550 5.4.310 DNS domain example.net does not exist", "failed host_unknown HOST_UNKNOWN"],
    [
      "5.3.2",
      "smtp; 550 5.3.2 System not accepting network messages",
      "failed unknown_permanent REMOTE_SYSTEM",
    ],
    ["5.3.2", "", "failed unknown_permanent REMOTE_SYSTEM"],
    ["5.3.0", "", "failed REMOTE_SYSTEM"],
    [
      "5.0.0",
      "smtp; Domain example.com has exceeded the max defers and failures per hour (5/5 (100%)) allowed. Message discarded.",
      "failed DAILY_LIMIT",
    ],
    [
      "5.1.1",
      "smtp; 550 5.1.1 [192.0.5.7.1] rejected by mx5.7.1.example.net, v5.7.1.2",
      "bounced USER_UNKNOWN",
    ],
  ])("status %s, %p: %s", (status, diagnostic, meaning) => {
    expect(short(classifyReport(status, diagnostic))).toBe(meaning);
  });

  // As Sendmail writes it: 550 is 5.1.1 to it, and 551 is 5.1.6, whatever the words are.
  test.each([
    ["5.1.1", "SMTP; 550 Go away", "failed unknown_permanent UNKNOWN_PERMANENT"],
    ["5.1.1", "SMTP; 550 Service unavailable", "failed MESSAGE_REFUSED"],
    ["5.1.1", "SMTP; 550 5.1.0 Address rejected", "failed unknown_permanent UNKNOWN_PERMANENT"],
    ["5.1.1", "SMTP; 550 Local policy violation", "failed SPAM_BLOCK"],
    ["5.1.1", "SMTP; 550 No such user here", "bounced USER_UNKNOWN"],
    ["5.1.1", "SMTP; 550 Requested action not taken: mailbox unavailable", "bounced USER_UNKNOWN"],
    ["5.1.6", "SMTP; 551 User not local; please try elsewhere", "failed unknown_permanent UNKNOWN_PERMANENT"],
    ["5.1.6", "SMTP; 551 not our customer", "bounced USER_UNKNOWN"],
    ["5.1.1", "SMTP; 554 Rejected", "bounced USER_UNKNOWN"],
  ])(
    "whose status only repeats a number says what its words say: %s, %p: %s",
    (status, diagnostic, meaning) => {
      // The text for people may quote the next command before the answer to the recipient.
      for (const stage of ["RCPT", "DOT"] as const)
        expect(short(classifyReport(status, diagnostic, stage))).toBe(meaning);
    },
  );

  test.each([
    ["2.0.0", "smtp; 250 ok"],
    ["5.0.0", "smtp; 250 2.1.5 Recipient ok"],
    ["5.1.1", "smtp; 250 ok"],
    ["", "smtp; 354 go ahead"],
    ["2.1.5", "smtp; 550 5.1.1 user unknown"],
  ])(
    "of a failure never counts as sent, nor against anybody where it speaks of success: %s, %s",
    (status, diagnostic) => {
      for (const stage of ["RCPT", "DOT"] as const)
        expect(short(classifyReport(status, diagnostic, stage))).toBe("failed CONTRADICTORY_REPORT");
    },
  );

  test("ends in bounced or failed, whatever it says and wherever", () => {
    const lines = REPLIES.map(([, line]) => line);
    const statuses = [
      "",
      "2.0.0",
      "4.0.0",
      "5.0.0",
      ...lines.map((line) => /\d\.\d{1,2}\.\d{1,3}/.exec(line)?.[0] ?? ""),
    ];
    for (const [, diagnostic] of REPLIES)
      for (const status of new Set(statuses))
        for (const stage of ["RCPT", "DATA", "DOT"] as const)
          expect(["bounced", "failed"]).toContain(classifyReport(status, diagnostic, stage).kind);
  });

  test("is softened by what it tells people, and not hardened", () => {
    const words = "Your message was not delivered to:\nada@example.com\nNot enough disk space\n";
    expect(short(classifyReport("5.1.1", "", "RCPT", words))).toBe("failed SYSTEM_FULL");
    expect(short(classifyReport("5.1.1", "smtp; 550 5.1.1 no such user", "RCPT", words))).toBe(
      "failed SYSTEM_FULL",
    );
    expect(short(classifyReport("5.7.1", "", "RCPT", "550 5.1.1 User unknown"))).toBe("failed POLICY_BLOCK");
    expect(short(classifyReport("5.1.1", "", "RCPT", "<full.mailbox@example.com>"))).toBe(
      "bounced USER_UNKNOWN",
    );
  });

  test("of a megabyte is read like any other", () => {
    for (const filler of ["5.1.1 ", "#5.1.", "not enough ", "\n", "host x ", "a@"]) {
      const text = filler.repeat(200_000);
      expect(["bounced", "failed"]).toContain(classifyReport(text, text, "RCPT", text).kind);
    }
  });
});
