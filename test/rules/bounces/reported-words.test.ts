/** What a server's report says of an address, where its words need more than the table of replies. */
import { describe, expect, test } from "bun:test";
import { deliveryReports } from "#bounces/reading/delivery-status.ts";
import { isSofter, judgeServerFailure } from "#bounces/reading/judgment.ts";
import { plainReports } from "#bounces/reading/plain-report.ts";

const short = (status: string, diagnostic: string): string => {
  const { kind, reason } = judgeServerFailure(status, diagnostic);
  return `${kind} ${reason}`;
};

test("an action that no standard knows leaves the judgment to the status, also if JavaScript knows the name", () => {
  const kinds = ["delayed", "failed", "denied", "constructor"].map((action) => {
    const fields = `Final-Recipient: rfc822; ada@example.com\nAction: ${action}\nStatus: 5.1.1`;
    return deliveryReports([`${fields}\nDiagnostic-Code: smtp; 550 5.1.1 User unknown`], "")[0]?.kind;
  });
  expect(kinds).toEqual(["delayed", "hard", "hard", "hard"]);
});

describe("Cisco's label stands before every refusal of a recipient, and what it quotes is judged", () => {
  const labelled = (quoted: string): string =>
    `5.1.0 - Unknown address error ${quoted} (delivery attempts: 0)`;

  test.each([
    ["550-'5.1.1 <ada@example.com>... User unknown'", "hard USER_UNKNOWN"],
    ["550-'User unknown in virtual mailbox table'", "hard USER_UNKNOWN"],
    ["550-'5.2.1 The account that you tried to reach is disabled'", "soft ACCOUNT_DISABLED"],
    ["552-'5.2.2 mailbox full'", "soft MAILBOX_FULL"],
    ["550-'Administrative prohibition'", "policy MESSAGE_REFUSED"],
    ["550-'Access denied'", "soft UNKNOWN_PERMANENT"],
    ["550-'Rejected'", "soft UNKNOWN_PERMANENT"],
    ["550-'Mailbox temporarily full'", "soft MAILBOX_FULL"],
    ["550-'your IP 192.0.2.4 is listed'", "policy MESSAGE_REFUSED"],
    ["550-': User unknown'", "soft UNKNOWN_PERMANENT"],
    ["550-'5.7.1 rejected'", "policy POLICY_BLOCK"],
    ["554-'Transaction failed'", "soft UNKNOWN_PERMANENT"],
    ["'timeout'", "soft UNKNOWN_PERMANENT"],
    // It quotes a reply with an apostrophe in the other quotes.
    [`554-"delivery error: dd This user doesn't have a yahoo.com account"`, "hard USER_UNKNOWN"],
    [`550-": isn't here; user unknown"`, "soft UNKNOWN_PERMANENT"],
    ["550-'5.4.1 Recipient address rejected: Access denied. AS(201806281)'", "hard USER_UNKNOWN"],
  ])("%s: %s", (quoted, judgment) => {
    for (const status of ["5.1.0", "5.0.0", ""])
      expect([status, short(status, `smtp; ${labelled(quoted)}`)]).toEqual([status, judgment]);
  });

  test("also in a report that has only words", () => {
    const report = (quoted: string) =>
      plainReports({
        from: "mailer-daemon@a.example",
        subject: "Delivery Status Notification (Failure)",
        text: `The following message to <ada@example.com> was undeliverable.\nThe reason for the problem:\n${labelled(quoted)}`,
      }).map(({ kind }) => kind);
    expect(report("550-'Access denied'")).toEqual(["policy"]);
    expect(report("550-'5.1.1 User unknown'")).toEqual(["hard"]);
  });

  test("and where a provider quotes it, it says less than the provider", () => {
    expect(isSofter("5.1.0", labelled("552-'5.2.2 mailbox full'"))).toBeTrue();
    expect(isSofter("5.1.0", labelled("550-'5.1.1 User unknown'"))).toBeFalse();
  });

  test("and a server that says it without the label means the address", () => {
    expect(short("5.0.0", "smtp; 550 Unknown address")).toBe("hard USER_UNKNOWN");
  });
});

test.each([
  // Exchange Online: an address that is not in its directory.
  [
    "5.4.1",
    "smtp; 550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR01FT034.eop-EUR01.prod.protection.outlook.com]",
    "hard USER_UNKNOWN",
  ],
  [
    "5.4.1",
    "smtp; 550 5.4.1 Recipient address rejected: Access denied. [AM1EUR05FT021.eop-eur05.prod.protection.outlook.com]",
    "hard USER_UNKNOWN",
  ],
  [
    "5.4.1",
    "smtp; 550 5.4.1 [ada@example.com]: Recipient address rejected: Access denied AS(201806281)",
    "hard USER_UNKNOWN",
  ],
  ["5.4.1", "smtp; 550 5.4.1 Recipient address rejected: Access denied.", "soft UNKNOWN_PERMANENT"],
  [
    "5.4.1",
    "smtp; 550 5.4.1 Recipient address rejected: Access denied. [mx.example.com]",
    "soft UNKNOWN_PERMANENT",
  ],
  [
    "5.7.1",
    "smtp; 550 5.7.1 Access denied. AS(201806281) [a.prod.protection.outlook.com]",
    "policy POLICY_BLOCK",
  ],
  // RFC 7505: nobody gets mail there.
  ["5.1.0", "X-Postfix; Domain example.org does not accept mail (nullMX)", "hard NO_MAIL_HERE"],
  ["5.0.0", "smtp; 550 example.org has a null MX", "hard NO_MAIL_HERE"],
  ["", "smtp; 550 5.7.27 Sender address has a null MX", "policy SENDER_UNAUTHENTICATED"],
  ["5.1.0", "smtp; 550 Domain of sender address has nullMX", "policy SENDER_REFUSED"],
  ["5.0.0", "smtp; 550 MAIL FROM domain has a nullMX", "policy SENDER_REFUSED"],
  ["5.0.0", "smtp; 550 Sender <news@acme.example>: domain uses null MX", "policy SENDER_REFUSED"],
  ["4.1.0", "X-Postfix; Domain example.org does not accept mail (nullMX)", "soft TEMPORARY"],
])("status %s, %s: %s", (status, diagnostic, judgment) => {
  expect(short(status, diagnostic)).toBe(judgment);
});

describe("who refuses the mail, its sender or our server says nothing of the mailbox, so it is no strike", () => {
  test.each([
    "550 Rejected by header based manually Blocked Senders",
    "550 Envelope blocked - User Domain Entry",
    "550 permanent failure for one or more recipients (ada@example.com:blocked)",
    "554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.)",
    "553-Message filtered. Refer to the Troubleshooting page at http://www.symanteccloud.com/troubleshooting",
    "550 OFR_506 [506] Mail rejete. Mail rejected",
    "550 Sender has no A, AAAA, or MX DNS records.",
    "550 Domain may not exist or DNS check failed",
    "550 Suspected bounce attacks",
    "554 MI:SPB 163 mx1",
    "550 HELO should be a FQDN",
    "550 TLS required",
    "550 Mail is rejected by recipients",
    "550 You are not authorized to send to this recipient",
    "550 We do not accept newsletters",
    "550 Nachricht abgelehnt",
    "550 Сообщение отклонено как спам",
    "550 Greylisted",
    "550 Server too busy",
    "550 Callout verification failed: the mail server could not be reached",
    "554 Service currently unavailable",
    "554 Too many hops 26 (25 max): from <a@example.com> via localhost, to <b@example.com>",
    "550 mail loops back to myself",
    "550 Your server requires confirmation. Visit http://example.com/whitelist",
    "550 Rejected due to security restrictions",
    "550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour",
  ])("%s", (reply) => {
    expect(short("5.0.0", `smtp; ${reply}`)).toBe("policy MESSAGE_REFUSED");
  });

  test.each([
    ["550 Message rejected: no such user", "hard USER_UNKNOWN"],
    ["550 Message refusé: utilisateur inconnu", "hard USER_UNKNOWN"],
    ["550 Mail rejected, the mailbox is disabled", "soft ACCOUNT_DISABLED"],
    ["550 Mail refused, mailbox full", "soft MAILBOX_FULL"],
    ["550 Service unavailable: no such user", "hard USER_UNKNOWN"],
    ["550 Rejected", "soft UNKNOWN_PERMANENT"],
  ])("but what is said of the mailbox besides counts. %s: %s", (reply, judgment) => {
    expect(short("5.0.0", `smtp; ${reply}`)).toBe(judgment);
  });
});
