/** What the words of a reply say, independent of its codes. */
export type TextMark =
  | "rate"
  | "tooFast"
  | "limitReached"
  | "dailyLimit"
  | "full"
  | "fullForGood"
  | "systemFull"
  | "localTrouble"
  | "greylist"
  | "tryLater"
  | "tooLarge"
  | "blocked"
  | "ours"
  | "sender"
  | "client"
  | "login"
  | "relaying"
  | "disabled"
  | "userUnknown"
  | "noAccount"
  | "notNamed"
  | "hostUnknown"
  | "badSyntax"
  | "accessDenied"
  | "refusal";

const anyOf = (...patterns: readonly (RegExp | string)[]): RegExp =>
  new RegExp(patterns.map((pattern) => (typeof pattern === "string" ? pattern : pattern.source)).join("|"));

const WRONG = "(?:invalid|unknown|bad|wrong|failed|rejected|undeliverable|non-?exist(?:ent|ing))";
const ADDRESSEES = "(?:recipients?|rcpts?|users?|address(?:es)?|mailbox(?:es)?|accounts?)";

/**
 * Alternatives of literal words and limited repeats only, so no pattern can backtrack further than a few dozen
 * characters on the 512 it gets. They are matched against lower-case text without addresses (`wordsOf`).
 */
const PATTERNS: Readonly<Record<TextMark, RegExp>> = {
  rate: anyOf(
    /throttl|rate limit|\brate that|frequency limited|too many (?:messages|mails|emails|connections|concurrent)(?! (?:on the server|stored|in (?:the |this |his |her |their )?(?:mail|in)box))|too much mail(?! (?:stored|in))|too quickly|sending rate|(?:recipients|emails|messages|mails) (?:this|per|an) (?:hour|minute|day)|unusual rate/,
    // Wrong addresses of ours are counted, and none of them is named. Too many hops or headers are a message's.
    `too many (?:[a-z-]{1,16} )?(?:${WRONG} (?:[a-z-]{1,16} )?(?:${ADDRESSEES}|commands)\\b|(?:recipients?|rcpts?|users|addresses|mailboxes) (?:[a-z]{1,8} ){0,2}(?:${WRONG}|not exist)\\b|errors?\\b(?! in))`,
    `(?:excessive|(?:number|count|limit|maximum) of) (?:[a-z-]{1,16} )?${WRONG} ${ADDRESSEES}\\b|(?<!(?:message|e?mail|delivery|is|was) )${WRONG} ${ADDRESSEES} (?:limit|count|threshold|rate)\\b`,
    /directory[- ]harvest/,
  ),
  // Only with a temporary reply: a permanent one may be about the recipients of a mailing list.
  tooFast:
    /too many (?:recipients?|requests)\b|ratelimit|rate (?:is |was )?exceeded|sender thread limit|concurrent connections limit/,
  // Our account has sent what it may. A reader's mailbox has no such limit: it is full.
  limitReached:
    /(?:send(?:ing|er)?|smtp relay|submission) (?:rate |message |mail )?(?:limit|quota) (?:is |was |has been )?(?:exceeded|reached)|over your relay quota|exceeded (?:your |its |the )?(?:hourly |24-hour )?sending limit|allowed outgoing messages|submissionquotaexceeded|unusual sending activity|max defers and failures per hour/,
  dailyLimit: /daily (?:[a-z]{1,12} ){0,3}(?:quota|limit)/,
  full: /(?:mailbox|inbox|mail box|account|user|recipient)(?: for)?(?: is| has| storage){0,2} (?:full|over ?quota|exceeded (?:its|their|the) (?:storage|quota|mailbox))|over ?quota|out of storage|(?:mailbox|storage|disk|mail) quota|quota (?:is )?(?:exceeded|full)|exceeded (?:storage|quota)|mailbox (?:limit|size|storage) (?:limit )?exceeded|mailbox (?:is )?temporarily full|mailbox (?:has )?exceed(?:s|ed) (?:the |its )?(?:allowed|maximum)(?: allowed)? size|not enough storage|too (?:much|many) (?:mails?|messages|emails) (?:on the server|stored|in (?:the |this |his |her |their )?(?:mail|in)box)/,
  fullForGood: /overquotaperm|out of storage space and inactive/,
  systemFull:
    /(?:insufficient|not enough|no) (?:system |disk |free )?(?:storage|disk space|space left|space)|system (?:is )?full|disk full/,
  localTrouble:
    /(?:couldn't|could not|cannot|can't|unable to) (?:create|open|write|read|lock|execute|load)\b|temporary failure|configuration error/,
  greylist: /gr[ea]y[- ]?list/,
  tryLater: /try again later|try later|temporarily (?:deferred|rejected)/,
  tooLarge:
    /(?:message|mail|email|size|length|data|attachment)(?: is| was| size| length| file){0,2} (?:too (?:large|big|long)|exceed|larger)|too (?:large|big) (?:message|mail)|too much mail data|(?<!mailbox (?:has )?)exceed[a-z]{0,3} (?:the )?(?:maximum |fixed |max |incoming |inbound |allowed ){0,3}(?:message |mail )?(?:size|length)/,
  blocked:
    /\bspam|\bube\b|unsolicited|\bbulk mail|dnsbl|\brbl\b|\bbl\b|spamhaus|spamcop|sorbs|barracuda|proofpoint|cloudmark|block ?list|black ?list|deny ?list|banned|blocked (?:by|using|for)|(?:ip|host|sender|message|mail|address) (?:[a-z]{1,12} ){0,2}blocked|reputation|\bpolic(?:y|ies)\b|\bspf\b|\bdkim\b|\bdmarc\b|reverse dns|\bptr\b|\bvirus\b|phish|malware|suspicious|s31[45]0|content (?:rejected|denied)|not accept(?:ing|ed)? (?:connections|mail from)|unauthenticated|mismatches client ip|open relay/,
  // Nobody says this about a recipient. A server that checks our sender adds what it heard about it, often "no such
  // user"; and providers judge our account and its senders after the dot. "Your account" is ours: no recipient reads it.
  ours: /sender verif|(?<!(?:recipient|rcpt|address|user|mailbox) (?:verify |verification )?)(?:callback (?:verification )?failed|verification failed for)|callback setup failed while verifying|invalid dns mx or a\/aaaa resource record|postmaster verification failed|email address is not verified|the \S{1,253} domain is not verified|must be verified in your account|you can only send testing emails|verified sender identity|sender domain not verified|sender signature on your account|not allowed to send (?:as|from)|\bdomain \S{1,253} is not allowed to send:|not authori[sz]ed to send from this header|permissions? to send as|sendasdenied|from address is not one of your|unconfigured sending domain|relaying disallowed as|sending (?:is |has been )?(?:paused|suspended|disabled) for (?:this|your) account|not authori[sz]ed to perform .{0,4}ses:|your (?:[a-z]{1,12} )?account (?:has been |is |was )?(?:currently |temporarily )?(?:suspended|disabled|deactivated|blocked|locked|closed|inactive|not active)|(?:smtp|sender|sending) account (?:has been |is )?(?:suspended|disabled|blocked|locked|not (?:yet )?activated)|outgoing mail from (?:\S{1,253} )?(?:has been |is )?suspended/,
  sender:
    /sender (?:address |domain )?(?:is )?(?:rejected|denied|refused|unknown|invalid|does(?: not|n't) exist|must exist|not (?:allowed|verified|authori[sz]ed|accepted|owned))|(?:invalid|unknown|bad|no such|no valid) (?:envelope )?(?:sender|mail from|return[- ]path)|(?:verify|domain of|mx (?:record )?for) (?:the |your )?sender|refused mailfrom|not owned by|(?:(?:mail|envelope)[- ]from|(?:^|\b(?:your|the) )from(?=:? (?:address|domain|header))|(?<!\bto (?:[a-z]{1,12} ){0,2})sender(?:'s)?|return[- ]?path|(?<!\b(?:in|no|not) )reply[- ]?to|originator):?(?: (?:e-?mail|account|mailbox|header|address|domain|host|hostname):?){0,2}(?: [[']?[\w-]{1,63}\.[\w.-]{1,190}[\]']?:?)? (?:(?:rejected|refused|denied):? )?(?:(?:user |recipient |mailbox |account |host |domain )?(?:is )?(?:not found|unknown|does(?: not|n't) exist)|(?:has )?no (?:such|mx|valid)|(?:has |uses )?(?:an? )?null ?mx)/,
  // The server that brings the mail is refused. Lists of senders that spam are "blocked".
  client:
    /(?:\b(?:helo|ehlo)(?:\/(?:helo|ehlo))?(?: (?:command|name|host|hostname|domain|argument)){0,2}|client (?:host|hostname|name)):?(?: [[']?[\w-]{1,63}\.[\w.-]{1,190}[\]']?:?)? (?:(?:is|was|has) )?(?:an? )?(?:(?:host|domain) )?(?:rejected|refused|denied|invalid|unknown|not found|does(?: not|n't) (?:exist|resolve)|no (?:such|mx|valid))(?!: blocked)|your (?:sending |mail )?(?:domain|host ?name|host|server)(?: name)?:?(?: [[']?[\w-]{1,63}\.[\w.-]{1,190}[\]']?:?)? (?:(?:is|was|has) )?(?:an? )?(?:unknown|not found|does(?: not|n't) (?:exist|resolve)|no (?:such|mx))|(?:unknown|no such) (?:host|domain)(?: name)? in (?:your |the )?(?:helo|ehlo)\b|(?:find|resolve) your (?:reverse )?host ?name|\b(?:reverse lookup|rdns)\b.{0,40}(?:not found|unknown|nxdomain|no such)|(?:invalid|bad|unknown|no such) (?:helo|ehlo|client)\b|unknown host:? \[?(?:\d{1,3}\.){3}\d|unknown host:? \[?[\da-f]{1,4}:[\da-f:]|(?:in reply to|after)(?: pipelined)? (?:helo|ehlo|mail from)\b/,
  // Whom the relay knows it lets in. Postfix says "client host rejected" where a submission port got no login. Exchange
  // says of a group that it takes mail only from its own people. A reader must "log in to reactivate" their mailbox.
  login:
    /client host rejected: access denied|(?:please|you (?:must|need to|have to)) (?:first )?(?:authenticate\b|log ?in\b(?! (?:and|at|into|on|via|to(?! (?:relay|send|use)))\b))|authenticate first|(?<!resolver\.rst\.[a-z]{1,60}; |\b(?:spf|dkim|dmarc) )\bauthentication (?:is )?required|(?:requires|requiring) (?:smtp )?authentication(?! (?:by|of|with)\b)|turn on smtp authentication|client was not authenticated/,
  relaying:
    /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:allowed|permitted)|prohibited)|(?:not (?:permitted|allowed|configured|authori[sz]ed) to|unable to|do not|cannot|won't) relay/,
  disabled:
    /(?:account|mailbox|user|recipient|address|inbox)(?: that you tried to reach)?(?: has been| was| is| currently| temporarily){0,2} (?:disabled|inactive|suspended|blocked|locked|deactivated|not active|expired|closed|frozen)|(?:disabled|inactive|suspended|deactivated) (?:account|mailbox|user|recipient)|account (?:is )?unavailable/,
  userUnknown:
    /(?:user|recipient|mailbox|account|alias|local part)(?: name| address| account){0,2}(?: is| was| does| did){0,2} (?:unknown|not found|not exist|unavailable|not known|invalid|not listed)|(?:unknown|invalid|nonexistent|non-existent|bad destination) (?:user|recipient|mailbox|account|local|address)|no such (?:user|recipient|mailbox|account|address|person|local|email)|no (?:mailbox|user|account|recipient) (?:here|by that name|with that)|(?:user|recipient|address|account|mailbox|email|reach|person) (?:does not|doesn't|do not|don't|did not|didn't) exist|not a (?:known|valid) (?:user|recipient|mailbox)|(?:isn't|is not) (?:a known|a valid|known|our) (?:user|recipient|customer)|not our (?:user|customer)|recipnotfound|recipientnotfound|no longer (?:on server|here|exists|available|employed|with|valid)|address (?:unknown|not found|no longer)|does not have an? [a-z.]{0,24} ?account|not listed in (?:public|domino|the)/,
  noAccount:
    /\bdd (?:this )?(?:user|recipient|address|sorry)?.{0,24}doesn't have an? \S{1,64} account|user doesn't have an? \S{1,64} account/,
  notNamed: /^:/,
  hostUnknown:
    /(?:host|domain)(?: or domain)?(?: name)?(?: is)? (?:unknown|not found|does not exist|lookup failed)|unknown (?:host|domain)|no such (?:host|domain)|nxdomain|no mx (?:record )?found|null ?mx|no smtp service|no mail hosts for|non-?existent domain|(?:host|domain) \S{1,253} (?:not found|(?:does not|doesn't) exist)|unrouteable (?:mail )?(?:domain|address)|couldn't find any host/,
  badSyntax: /syntax|malformed|illegal (?:address|alias|character)/,
  accessDenied: /access denied|recipient address rejected/,
  // The mail, its sender or the server that brings it is refused, or the other server has trouble. Of the mailbox it
  // says nothing, so it is asked last.
  refusal: anyOf(
    /(?:message|mail|email|e-mail) (?:(?:is|was|has been|content) ){0,2}(?:refused|rejected|rejete|refus.|denied|filtered|limited|quarantined|not allowed|not accepted)|rejected by (?:the )?(?:user|recipient|header)|(?:recipient|user) (?:has )?(?:blocked you|only accepts|does not accept)|not accept newsletters|not (?:allowed|authori[sz]ed|permitted) to (?:send|mail|write|deliver)|^(?:connection )?(?:denied|blocked|refused)\b|^not authori[sz]ed$|envelope blocked|administrative prohibition|permanent failure for one or more recipients|allow ?list|white ?list|nachricht (?:wurde )?abgelehnt|mensaje rechazado|messaggio rifiutato|mensagem recusada|wiadomo.. odrzucona|(?:сообщение|письмо) отклонено|スパム|垃圾/,
    /\bip (?:\S{1,45} )?is (?:rejected|listed)|dns check failed|dns records|\br(?:everse )?dns\b|reverse lookup|\bhelo\b|\bfqdn\b|\b(?:tls|encryption|authentication) (?:is )?required|arc failure|bounce attack|surbl|njabl|\b(?:dt|hl|mi|rp):[a-z]{3}\b|a problem occurred\. ask your postmaster/,
    /(?:missing|invalid|bad|duplicate) (?:message-?id|date|from|headers?|subject)\b|headers? fail|from header|line too long|attachment|url blocked|(?:link|url) to a/,
    /too many hops|hop count exceeded|(?:mail|message)(?: is)? loop(?:s|ing)?\b|loops back to|service (?:is )?(?:currently |temporarily )?(?:unavailable|not available)|security (?:polic|reason|restriction)/,
    // Who writes for the first time, or is no member, must ask to be let in: the reader is there.
    /sender (?:is )?not pre-?approved|requires confirmation|not a (?:list )?member\b|\bonly (?:list )?members\b/,
    /try again|temporar|too busy|timed out|(?:internal|system|local) error|lookup failed|unable to verify|callout|trop de connexions|gr[ea]y[- ]?list|frequency limit|messages they can receive|message receive limit/,
  ),
};

export const hasMark = (words: string, mark: TextMark): boolean => PATTERNS[mark].test(words);

/**
 * The text for the patterns: in lower case, and without mail addresses, since a recipient named
 * `no.such.user@example.com` or `spam@example.com` must not decide about itself. The punctuation around an
 * address is removed too. A colon at the start of the text stays (`: user unknown` names nobody).
 */
export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[\s<>"()]/)
    .filter((token, at) => token !== "" && !token.includes("@") && (at === 0 || !/^[:;,.]{1,8}$/.test(token)))
    .join(" ");
}
