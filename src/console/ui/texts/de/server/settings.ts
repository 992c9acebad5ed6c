import type { Said } from "../../server-words.ts";

/** Why a setting is not taken: "KEY must be …". */
export const settings: readonly Said[] = [
  ["`{}` must be {}.", "Das geht hier nicht. Erlaubt: <2>."],
  ["`{}` must be {}: {}", "Das geht hier nicht. Erlaubt: <2>. <3>"],
  ["{}, or empty", "<1>, oder nichts"],
  ["{}, or null", "<1>, oder nichts"],
  [
    "one line of {} to {} characters, without control characters",
    "eine Zeile mit {1} bis {2} Zeichen, ohne Steuerzeichen",
  ],
  [
    "one line of at most {} characters, without control characters",
    "eine Zeile mit höchstens {1} Zeichen, ohne Steuerzeichen",
  ],
  [
    "at most {} characters; it may have several lines, but no other control characters",
    "höchstens {1} Zeichen, auch mehrere Zeilen, aber keine anderen Steuerzeichen",
  ],
  ["one email address such as news@example.com", "eine E-Mail-Adresse wie news@example.com"],
  [
    "a list of at most {} domains such as example.com, empty for none",
    "höchstens {1} Domains wie example.com, oder keine",
  ],
  [
    "the name of an IANA time zone, such as UTC or Europe/Berlin",
    "der Name einer Zeitzone, etwa UTC oder Europe/Berlin",
  ],
  [
    "HH:MM-HH:MM from 00:00 to 23:59 with two different times, such as 22:00-07:00",
    "zwei verschiedene Uhrzeiten von 00:00 bis 23:59, etwa 22:00-07:00",
  ],
  ["a whole number from 0", "eine ganze Zahl ab 0"],
  ["one of {}", "eines von {1}"],
  [
    "a colour such as #1f56c3, rgb(31, 86, 195) or navy",
    "eine Farbe wie #1f56c3, rgb(31, 86, 195) oder navy",
  ],
  ["the https address of an image", "die https-Adresse eines Bildes"],
  ["true or false", "ja oder nein"],
  [
    "a list of at most {} origins such as https://example.com, empty for any",
    "höchstens {1} Adressen wie https://example.com, oder keine für alle",
  ],
  [
    "messages on the first day, daily growth, days and first day, such as `200 30% 21 2026-12-01`",
    "Nachrichten am ersten Tag, Zuwachs je Tag, Tage und erster Tag, etwa 200 30% 21 2026-12-01",
  ],
  [
    'an object by domains, such as `{"gmail.com,googlemail.com":{"perHour":2000,"connections":5}}`',
    "Domains mit ihren Grenzen, etwa gmail.com 2000/hour 5 connections",
  ],
  ["whsec_ and the base64 of 24 to 64 bytes", "whsec_ und das Base64 von 24 bis 64 Bytes"],
  ["a domain such as example.com", "eine Domain wie example.com"],
  ["a DKIM selector such as mail2026", "ein DKIM-Selektor wie mail2026"],
  [
    "smtp://user:password@host:587 or smtps:, with special characters of the password percent-encoded; several separated by spaces",
    "smtp://benutzer:passwort@host:587 oder smtps:, Sonderzeichen des Passworts als Prozentzeichen und Code; mehrere mit Leerzeichen dazwischen",
  ],
  [
    "a domain of at most {} characters such as bounces.example.com",
    "eine Domain mit höchstens {1} Zeichen, etwa bounces.example.com",
  ],
  [
    "imaps://user:password@host/INBOX, or imap:, pop3s:, pop3:",
    "imaps://benutzer:passwort@host/INBOX, oder imap:, pop3s:, pop3:",
  ],
  ["32 to 64 letters, digits, - or _", "32 bis 64 Buchstaben, Ziffern, - oder _"],
  ["a key of 16 to 200 visible characters", "ein Schlüssel aus 16 bis 200 sichtbaren Zeichen"],
  ["the base64 of an ECDSA public key", "das Base64 eines öffentlichen ECDSA-Schlüssels"],
];
