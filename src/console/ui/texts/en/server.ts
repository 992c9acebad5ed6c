import { serverWords, type Said } from "../server-words.ts";

/**
 * Sentences of the server that use words of the API or of the command line, reworded for people on screens. All
 * others are shown as the server wrote them. For the form see `server-words.ts`.
 */
export const SAID: readonly Said[] = [
  [
    "Nobody is left to mail: the campaign's list and segment have no SUBSCRIBED contact that is not excluded, suppressed or on a blocked domain.",
    "Nobody in this audience may be mailed: all of them are left out, suppressed, on a blocked domain or not subscribed.",
  ],
  [
    "The workspace has no physical mailing address. Set `mailingAddress` in its settings.",
    "The workspace has no postal address. Enter it in the settings.",
  ],
  [
    "The workspace has no sender address. Set `fromEmail` in its settings.",
    "The workspace has no sender's address. Enter it in the settings.",
  ],
  [
    "`fromEmail`: the workspace has no sender address. Set `fromEmail` or `senderDomains` in its settings.",
    "The workspace has no sender's address. Enter one in the settings, or more sender domains.",
  ],
  [
    "`fromEmail` must be an address at {}, not {}. Other domains go into the setting `senderDomains`.",
    "The sender's address must be at {1}, not {2}. The settings have a place for more sender domains.",
  ],
  [
    "It is quiet hours in this workspace. Send later, schedule the campaign, or set `overrideQuietHours`.",
    "It is quiet hours in this workspace. Send later, or schedule the campaign.",
  ],
  ["{} Turn on `sending` in its settings.", "{1} Turn it on again in the settings, under Hours and limits."],
  [
    "The campaign has no list and no segment to be sent to. Set `listId`, or `segmentId` in its options, first.",
    "The campaign has no list and no segment to be sent to. Choose one first.",
  ],
  [
    "`scheduledAt` must be at least 30 seconds in the future. Use send to send now.",
    "The time must be at least 30 seconds in the future. To send now, use the button for it.",
  ],
  [
    "The campaign is a DRAFT: there is no schedule to cancel.",
    "The campaign is a draft: there is no schedule to cancel.",
  ],
  [
    "A send can be paused, resumed and stopped from its start, by a call or by its schedule, until the campaign is SENT.",
    "A send can be paused, resumed and stopped from its start until all of it is sent.",
  ],
  [
    "Its send has begun: read `GET /campaigns/{}/deliveries`.",
    "Its send has begun. Who gets it stands in the report.",
  ],
  [
    "The {} holds what looks like merge tags: {}. It is sent as written, so everybody reads them as they stand. Take them out, or set `personalize` with PATCH /campaigns/{id}/options and write them as Liquid.",
    "The {1} holds what looks like merge tags: {2}. It is sent as written, so everybody reads them as they stand. Take them out, or write them as Liquid.",
  ],
  [
    "What looks like a merge tag stands in the {}: {}. Everybody reads it as it is, since `personalize` is off. Take it out, or set `personalize`.",
    "What looks like a merge tag stands in the {1}: {2}. Everybody reads it as it is. Take it out, or put one in by Insert: then all of them are filled in.",
  ],
  [
    'An image has no `alt`: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.',
    'An image has no description: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.',
  ],
  ["`to` names {} twice. Name every address once.", "{1} stands there twice. Name every address once."],
  ["Every entry of `to` must be an address.", "Each of them must be an email address."],
  ["The mail has no text: give `html` or `mjml`.", "The mail has no text. Write it."],
  [
    "`html` is MJML: send it as `mjml`.",
    "The mail is MJML, but its format is HTML. Choose MJML as its format.",
  ],
  [
    'An edge from a condition needs `sourceHandle` "true" or "false"; this one is never followed.',
    "A way from a condition needs “yes” or “no”; this one is never followed.",
  ],
  ["There is no list {} in this workspace.", "This list is no longer there. Choose another."],
  ["There is no segment {} in this workspace.", "This segment is no longer there. Choose another."],
  ["`tag` is missing.", "Enter a tag."],
  ["`eventName` is missing.", "Enter the name of an event."],
  ["`value` is missing.", "Enter a value."],
  ["`subject` is missing.", "The mail has no subject. Write one."],
  ["`listId` is missing.", "Choose a list."],
  ["`url` is missing.", "Enter an address."],
  ["`{}` needs at least one letter or digit.", "The name of an event needs at least one letter or digit."],
  [
    "`field` must be status, email, firstName, lastName, attributes.<name>, tag, list, score, event, opened, clicked or trigger.<path>.",
    "Choose what is asked about.",
  ],
  ["`amount` must be a whole number from 1 to {} {}.", "Enter a whole number from 1 to {1} {2}."],
  ["`until` must be a date and time like 2026-11-21T09:30:00Z.", "Enter a day and a time."],
  [
    "More than one edge leads on from here, to different steps. Keep one.",
    "More than one way leads on from here, to different steps. Keep one.",
  ],
  ["The automation is LIVE already.", "The automation is live already."],
  [
    "Only a LIVE automation can be paused; this one is {}.",
    "Only an automation that is live can be paused. Load this page again to see how it stands.",
  ],
  [
    "A published automation cannot return to DRAFT; this one is {}. Pause it instead.",
    "An automation that was live cannot become a draft again. Pause it instead.",
  ],
  ["The backup is {}, not DONE.", "The backup is not done."],
  [
    "Give your password first: `POST /backups/{}/unlock`. It holds five minutes.",
    "Enter your password first. It holds five minutes.",
  ],
  [
    "`encoding`: the file has one that cannot be recognized. Name it (--encoding), such as windows-1250, or save the file as CSV in UTF-8.",
    "It cannot be told how the letters of this file are written. Choose it here, or save the file as CSV in UTF-8.",
  ],
  [
    "The import is over: only one that is RUNNING can be cancelled.",
    "The import is over: only one that is running can be cancelled.",
  ],
  [
    "The file has no status column: say with `status` (--status) what these people are, SUBSCRIBED if they agreed to marketing mail.",
    "The file has no column for the status: say how these people agreed.",
  ],
  [
    "By its name this is Mailchimp's file of people who never agreed to marketing mail: leave it out, or import it with the `status` (--status) PENDING.",
    "By its name this is Mailchimp's file of people who never agreed to marketing mail: leave it out, or choose that you do not know.",
  ],
  [
    "the column {} may say who left, and {} is neither a yes nor a no: write one, or say what the column becomes instead (`mapping`, --map '{}=')",
    "the column {1} may say who left, and {2} is neither a yes nor a no: write one, or choose what the column becomes instead",
  ],
  [
    "the status {} is none of {}: write one of them, or have the column read as another tool's (`mapping`, --map '{}=subscribed')",
    "the status {1} is none of {2}: write one of them, or choose “Who is subscribed” for the column where another tool wrote it",
  ],
  [
    "This is JSON, no CSV: export the contacts as CSV, or send them to `POST /contacts/bulk`.",
    "This is JSON, no CSV: export the contacts as CSV.",
  ],
  [
    "The first row has no column email. It has {}: say with `mapping` (--map) which one holds the addresses.",
    "The first row has no column email. It has {1}: say which one holds the addresses.",
  ],
  [
    "A workspace has at most {} public lists. Take `public` off another one first.",
    "A workspace has at most {1} public lists. Take “Public” off another one first.",
  ],
  [
    "The webhook is not enabled, so nothing goes out: PATCH `enabled` to true.",
    "The webhook is off, so nothing goes out: switch it on.",
  ],
  ["`{}` is not your current password.", "This is not your current password."],
  ["`password` must have at least {} characters.", "The password needs at least {1} characters."],
  [
    "`password` is longer than {} characters. Shorten it.",
    "The password is longer than {1} characters. Shorten it.",
  ],
  [
    "`password` is one of those that are tried first. Take another, for example four words.",
    "This password is one of those that are tried first. Take another, for example four words.",
  ],
  [
    "`code` is not the one that the app shows now. Check the clock of the phone.",
    "This is not the code that the app shows now. Check the clock of the phone.",
  ],
  [
    "Send `code` too: six digits of your authenticator app.",
    "Enter the code too: six digits of your authenticator app.",
  ],
  [
    "There is no secret to confirm: ask for one with `POST /session/totp`.",
    "There is nothing to confirm: begin to set it up again.",
  ],
  ["`email` is not the address that this link was made for.", "This link was made for another address."],
  [
    "The relay did not accept the message ({}). Nothing was delivered: the request may be sent again.",
    "The relay did not take the message, so nothing was sent. The reason: {1}",
  ],
  [
    "set SMTP_URL for the service, or smtpUrl for this workspace",
    "Enter a relay for this workspace, or ask whoever runs the server for one.",
  ],
  ["it takes no login, though SMTP_URL has one", "it takes no login, though its address has one"],
  [
    "check user and password in SMTP_URL; special characters are percent-encoded",
    "Check the user and the password in the relay's address.",
  ],
  [
    "write smtp:// instead of smtps:// in SMTP_URL: such a port, for example 587, changes to TLS later (STARTTLS)",
    "Write smtp:// instead of smtps:// in the relay's address: such a port, for example 587, changes to TLS later (STARTTLS).",
  ],
  [
    "check host and port in SMTP_URL, and whether this machine may reach it (many networks block port 25)",
    "Check the host and the port in the relay's address, and whether this server may reach it (many networks block port 25).",
  ],
  [
    "The part of the email address before the @ must be ASCII letters, digits, single dots inside, or any of !#$%&'*+-/=?^_`{|}~: no spaces, quotes, comments or display name.",
    "Before the @ may stand letters without accents, digits, single dots and signs such as + - _: no spaces, no quotes, no name.",
  ],
  ["`email` is required.", "Enter your email address."],
  ["settings of {}: complete", "Settings: complete"],
  ["settings of {}: sending is {}", "Settings: sending is {2}"],
  [
    "settings of {}: mailingAddress is not set: campaigns are refused",
    "Settings: the postal address is missing, so campaigns are refused",
  ],
  [
    "settings of {}: fromEmail is not set: campaigns are refused",
    "Settings: the sender's address is missing, so campaigns are refused",
  ],
  [
    "settings of {}: mailingAddress and fromEmail are not set: campaigns are refused",
    "Settings: the postal address and the sender's address are missing, so campaigns are refused",
  ],
  [
    "when it may go on: postrider settings set --workspace {} sending=on",
    "Turn it on again in the settings, under Hours and limits.",
  ],
  [
    "postrider dkim create, unless your relay signs",
    "Run “postrider dkim create” on the server, unless your relay signs.",
  ],
  [
    "make one: postrider dkim create --selector NEW",
    "Make one on the server: “postrider dkim create --selector NEW”.",
  ],
  [
    "SPF, DMARC and DKIM were not looked at: run this where DNS answers",
    "SPF, DMARC and DKIM were not looked at: the server cannot ask the DNS.",
  ],
  ["run this where DNS answers", "The server cannot ask the DNS."],
  ["postrider settings set --workspace {} {}", "Enter it in the settings."],
  ["correct it with postrider settings set", "Correct it in the settings."],
  [
    'correct the receiver, then PATCH /api/v1/webhooks/{} with {"enabled":true}',
    "Correct the receiver, then switch the webhook on again.",
  ],
  [
    "`firstName` must be one line without control characters. Take them out.",
    "The first name must be one line without control characters. Take them out.",
  ],
  [
    "`lastName` must be one line without control characters. Take them out.",
    "The last name must be one line without control characters. Take them out.",
  ],
  [
    "`name` must be one line without control characters. Take them out.",
    "The name must be one line without control characters. Take them out.",
  ],
  ["`{}` must be {}.", "This must be {2}."],
  ["`{}` must be {}: {}", "This must be {2}: {3}"],
  [
    "`firstName` is longer than {} characters. Shorten it.",
    "The first name is longer than {1} characters. Shorten it.",
  ],
  [
    "`lastName` is longer than {} characters. Shorten it.",
    "The last name is longer than {1} characters. Shorten it.",
  ],
  ["`name` is longer than {} characters. Shorten it.", "The name is longer than {1} characters. Shorten it."],
  ["`subject` must not be empty.", "The subject must not be empty."],
  ["`name` must not be empty.", "The name must not be empty."],
  ["`body` must not be empty.", "The letter is empty. Write something."],
  [
    "`body` has {} bytes of UTF-8; at most {} are allowed.",
    "The letter has {1} bytes; at most {2} are allowed. Pictures that stand in its source (data:) need most of them: upload them instead.",
  ],
  [
    "`text` has {} bytes of UTF-8; at most {} are allowed.",
    "The text part has {1} bytes; at most {2} are allowed. Make it shorter.",
  ],
  [
    "`subject` is longer than {} characters. Shorten it.",
    "The subject is longer than {1} characters. Shorten it.",
  ],
  [
    "`attributes.{}` is longer than {} characters. Shorten it.",
    "“{1}” is longer than {2} characters. Shorten it.",
  ],
];

export const fromServer = serverWords(SAID);
