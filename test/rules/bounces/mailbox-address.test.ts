import { expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { mailboxIdentity, parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";

const identity = (url: string): string => mailboxIdentity(unwrap(parseMailboxUrl(url)));

test("URLs of one mailbox are known as such, and those of others are not", () => {
  const one = identity("imaps://bounces:secret@mail.example.com/INBOX");
  for (const same of [
    "imaps://bounces:secret@Mail.Example.com:993",
    "imaps://bounces:secret@mail.example.com./inbox",
    "imap://bounces:secret@mail.example.com/Inbox",
    "pop3://bounces:secret@mail.example.com",
    "pop3s://bounces:secret@mail.example.com:995/INBOX",
  ])
    expect([same, identity(same)]).toEqual([same, one]);
  for (const other of [
    "imaps://bounces:guessed@mail.example.com/INBOX",
    "imaps://replies:secret@mail.example.com/INBOX",
    "imaps://bounces:secret@mail.example.com/Bounces",
    "imaps://bounces:secret@mail.example.com:1993/INBOX",
    "imaps://bounces:secret@mx.example.com/INBOX",
  ])
    expect([other, identity(other) === one]).toEqual([other, false]);
});
