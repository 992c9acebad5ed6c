/**
 * The plan of the house as tables. `architecture.ts` reads nothing else. To change a wall, change it here and
 * say why in the commit.
 */

/** Which feature may use which other: the closest thing to a map of the product. It has no cycle (tested). */
export const FEATURE_USES: Readonly<Record<string, readonly string[]>> = {
  keys: [],
  // A workspace is made together with its first key.
  workspaces: ["keys"],
  suppression: ["workspaces"],
  attributes: [],
  contacts: ["attributes", "suppression", "workspaces"],
  lists: ["contacts", "workspaces"],
  events: ["contacts", "workspaces"],
  scoring: ["contacts", "events", "workspaces"],
  // Conditions on mail name campaigns by id, and storage finds them: segments know nothing of campaigns.
  segments: ["attributes", "contacts", "events"],
  // Actions on contacts that somebody chose.
  selections: ["contacts", "lists", "segments"],
  // A confirmation mail is a row of the ledger.
  forms: ["attributes", "contacts", "deliveries", "lists", "suppression", "workspaces"],
  deliveries: ["contacts", "suppression", "workspaces"],
  exports: ["attributes", "contacts", "lists", "segments", "selections", "suppression"],
  imports: ["attributes", "contacts", "lists", "suppression", "workspaces"],
  // What readers choose about their mail, through a link in it.
  preferences: ["contacts", "deliveries", "suppression", "workspaces"],
  tracking: ["contacts", "deliveries", "workspaces"],
  // A test of a campaign is sent as a request is: its caller waits.
  campaigns: ["contacts", "deliveries", "lists", "stats", "suppression", "transactional", "workspaces"],
  automations: [
    "attributes",
    "contacts",
    "deliveries",
    "events",
    "lists",
    "scoring",
    "segments",
    "suppression",
    "webhooks",
    "workspaces",
  ],
  templates: [],
  media: [],
  // Any HTML: it knows nothing of campaigns.
  previews: [],
  transactional: ["contacts", "deliveries", "suppression", "templates", "workspaces"],
  // A report is about a message of the ledger, and about the person it went to.
  bounces: ["contacts", "deliveries", "suppression", "workspaces"],
  // What happened, for other programs. It shows contacts and campaigns as their answers do.
  webhooks: ["campaigns", "contacts", "deliveries", "workspaces"],
  // What happened, by time: in the workspace's time zone.
  stats: ["workspaces"],
  // Who did what. Storage writes it in the transaction of the act.
  audit: [],
  // Who may sign in, and who has.
  users: [],
  sessions: ["users", "workspaces"],
  // Another way to sign in.
  passkeys: ["sessions"],
  // Only after the password was given once more.
  backups: ["sessions"],
  // Which processes share the database.
  nodes: [],
  // One person's history, made from what the others keep.
  timeline: ["bounces", "contacts", "deliveries", "events", "suppression", "workspaces"],
  // From one engine to the other. It knows tables, not their meaning.
  move: [],
  // The three ways in for reports; only bounces knows what they mean.
  inbound: ["bounces", "deliveries", "workspaces"],
};

/** The roles that touch the outside. A file of a feature has the one that its name ends with, and is a rule without. */
export const ROLES = ["routes", "public-routes", "schema", "service", "store", "job"] as const;

/** Files whose role is not at the end of their name: path to role. */
export const OUTSIDE_FILES: Readonly<Record<string, Role>> = {
  "src/backups/backup-files.ts": "service",
  "src/backups/backup-maker.ts": "service",
  "src/automations/run/automation-work.ts": "service",
  "src/automations/run/calls.ts": "service",
  "src/automations/mail/letter.ts": "service",
  "src/automations/run/ended-holds.ts": "service",
  "src/automations/run/patient-work.ts": "service",
  "src/automations/run/ready-flow.ts": "service",
  "src/automations/run/slicing.ts": "service",
  "src/bounces/addressee.ts": "service",
  "src/bounces/mail-taking.ts": "service",
  "src/bounces/matching.ts": "service",
  "src/bounces/taking.ts": "service",
  "src/campaigns/send/auto-pause.ts": "service",
  "src/campaigns/send/cut-off.ts": "service",
  "src/campaigns/send/given-up-plans.ts": "service",
  "src/campaigns/send/plan-maker.ts": "service",
  "src/contacts/page-wire.ts": "schema",
  "src/campaigns/send/plan-slices.ts": "service",
  "src/deliveries/domains/domain-lanes.ts": "service",
  "src/deliveries/sender/attempt.ts": "service",
  "src/deliveries/sender/ending.ts": "service",
  "src/deliveries/sender/feed.ts": "service",
  "src/deliveries/sender/mailings.ts": "service",
  "src/deliveries/sender/owed-reader.ts": "service",
  "src/deliveries/sender/composing.ts": "service",
  "src/deliveries/sender/block.ts": "service",
  "src/deliveries/sender/conclusion.ts": "service",
  "src/deliveries/sender/delivery.ts": "service",
  "src/deliveries/sender/pump.ts": "service",
  "src/deliveries/sender/recorder.ts": "service",
  "src/deliveries/sender/sender.ts": "service",
  "src/deliveries/letter.ts": "service",
  "src/deliveries/ramp.ts": "service",
  "src/deliveries/letters/campaign-letter.ts": "service",
  "src/deliveries/letters/letter-check.ts": "service",
  "src/deliveries/letters/letter-preview.ts": "service",
  "src/deliveries/letters/patient-letters.ts": "service",
  "src/deliveries/letters/personal-letter.ts": "service",
  "src/deliveries/letters/shown-letter.ts": "service",
  "src/deliveries/letters/web-version.ts": "service",
  "src/deliveries/way-out.ts": "service",
  "src/deliveries/workspace-relays.ts": "service",
  "src/templates/compiled-templates.ts": "service",
  "src/transactional/dispatch.ts": "service",
  "src/transactional/letter.ts": "service",
  "src/imports/batches.ts": "service",
  "src/imports/csv/csv-rows.ts": "service",
  "src/imports/import-run.ts": "service",
  "src/imports/file-reading.ts": "service",
  "src/imports/rows/first-rows.ts": "service",
  "src/imports/import-files.ts": "service",
  "src/imports/shared-import-files.ts": "service",
  "src/imports/rows/samples.ts": "service",
  "src/sessions/proof.ts": "service",
  "src/users/hashing.ts": "service",
  "src/webhooks/calls/address-book.ts": "service",
  "src/webhooks/calls/attempt.ts": "service",
  "src/webhooks/calls/caller.ts": "service",
  "src/forms/signup/confirm-routes.ts": "public-routes",
  "src/forms/signup/letter.ts": "service",
  "src/inbound/hooks/amazon.ts": "service",
  "src/inbound/mailbox/reader.ts": "service",
  "src/inbound/hooks/hook-secrets.ts": "service",
  "src/inbound/hooks/used-tokens.ts": "service",
};

export type Role = (typeof ROLES)[number] | "rule";

/** What a file of a role may import from its own feature and from the features that feature uses. */
export const ROLE_USES: Readonly<Record<Role, readonly Role[]>> = {
  routes: ["service", "schema", "rule"],
  "public-routes": ["service", "schema", "rule"],
  job: ["service", "store", "rule"],
  service: ["service", "store", "rule"],
  schema: ["schema", "rule"],
  store: ["store", "rule"],
  rule: ["rule"],
};

/** What a role may import besides features. `pure mail` is a file of mail/ that is not in MAIL_OUTSIDE. */
export const ROLE_USES_AREAS: Readonly<Record<Role, readonly string[]>> = {
  routes: ["core", "log", "config", "http", "pages", "texts"],
  "public-routes": ["core", "log", "config", "http", "pages", "texts"],
  job: ["core", "log", "mail", "scheduler", "work"],
  service: ["core", "log", "mail", "scheduler", "work", "texts"],
  schema: ["core", "http"],
  store: ["core", "pure mail"],
  rule: ["core", "pure mail", "texts"],
};

/**
 * Areas of src/ outside the features: folder or file name to what it may import. `feature:x` is any feature's
 * role x.
 */
export const AREA_USES: Readonly<Record<string, readonly string[]>> = {
  main: ["commands", "core", "log", "config"],
  commands: [
    "commands",
    "app",
    "config",
    "core",
    "doctor",
    "log",
    "version",
    "feature:service",
    "feature:rule",
  ],
  app: [
    "app",
    "threads",
    "config",
    "console",
    "core",
    "doctor",
    "http",
    "log",
    "mail",
    "metrics",
    "pages",
    "scheduler",
    "storage",
    "system",
    "version",
    "work",
  ].concat([...ROLES, "rule"].map((role) => `feature:${role}`)),
  // Calls of the system that the runtime has no function for.
  system: [],
  // Starts threads, by the names of their files.
  threads: [],
  // Entries of threads: they call the part of storage that runs there.
  "checkpoint-worker": ["storage"],
  "backup-worker": ["storage"],
  "segment-worker": ["storage"],
  "job-worker": ["work"],
  "sender-worker": ["mail"],
  "signature-worker": ["mail"],
  // Jobs are pure functions of mail, and rules that take long: a flow's problems read every template in it.
  work: ["work", "core", "log", "pure mail", "feature:rule"],
  // Each part of the configuration is read by the rule of the feature that uses it.
  config: ["config-values", "core", "http", "log", "pure mail"],
  "config-values": ["core", "http", "pure mail"],
  log: ["core"],
  version: ["core"],
  core: ["core"],
  // The page and the files of the console. What runs in the browser is src/console/ui, with rules of its own.
  console: ["console", "core", "http"],
  // Texts for readers, in their language: nothing but words.
  texts: ["texts"],
  http: ["http", "core", "log"],
  mail: ["mail", "core", "log", "texts"],
  scheduler: ["scheduler", "core", "log"],
  metrics: ["metrics", "core", "http", "feature:store", "feature:rule"],
  // It greets relays and asks DNS; everything else that it checks is passed in. One route shows its findings about
  // mail.
  doctor: ["doctor", "core", "http", "mail", "feature:rule"],
  pages: ["pages", "core", "http", "texts"],
  storage: ["storage", "core", "log", "feature:store", "feature:rule", "pure mail"],
};

/** The files of mail/ that talk to a socket or a disk. */
export const MAIL_OUTSIDE: readonly string[] = [
  "smtp/session/smtp-session",
  "capture/capture-server",
  "capture/captured-mail",
  "inbound/inbound-server",
  "mailbox/imap-mailbox",
  "mailbox/imap-socket",
  "mailbox/open-mailbox",
  "mailbox/pop3-connection",
  "mailbox/pop3-mailbox",
  "smtp/session/relay-connection",
  "smtp/session/wire",
  "smtp/relay/relay",
  "smtp/relay/relay-group",
  "dkim/dkim-signers",
  "dkim/threads/faster-key",
  "dkim/threads/run-signature-thread",
  "dkim/threads/signature-threads",
  "dkim/threads/system-openssl",
  "smtp/threads/run-sender-thread",
  "smtp/threads/sender-threads",
];

/** Who may import a package (and its subpaths): exact files, folders with a closing `/`, or `role:x`. */
export const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  nodemailer: ["src/mail/smtp/session/relay-connection.ts", "src/mail/smtp/session/relay-socket.ts"],
  imapflow: ["src/mail/mailbox/imap-mailbox.ts", "src/mail/mailbox/imap-socket.ts"],
  "smtp-server": ["src/mail/capture/", "src/mail/inbound/"],
  mjml: ["src/mail/html/mjml/mjml.ts"],
  "bun:sqlite": ["src/storage/"],
  // Calls of the system's libraries: short, few, and each in a file of its own.
  "bun:ffi": [
    "src/system/code-pages.ts",
    "src/system/short-slices.ts",
    "src/mail/dkim/threads/system-openssl.ts",
  ],
  "drizzle-orm": ["src/storage/"],
  "csv-parse": ["src/imports/csv/csv-rows.ts"],
  "@fastify/busboy": ["src/http/body/multipart.ts"],
  elysia: ["src/http/", "src/pages/", "role:routes", "role:public-routes", "role:schema"],
};

/** Packages no rule imports: each reaches a clock, a file, a socket, a process or a framework. */
export const RULES_NEVER_IMPORT =
  /^(?:bun$|bun:|drizzle-orm|elysia|@elysiajs\/|nodemailer|smtp-server|imapflow|(?:node:)?(?:fs|net|tls|dgram|dns|http|https|http2|os|process|child_process|worker_threads|cluster|timers|perf_hooks|readline|stream|events)(?:\/|$))/;

/** What imports from outside src/: the generated lists of migrations, and the version in package.json. */
export const MAY_CLIMB: readonly string[] = [
  "src/storage/sqlite/schema/migrations.gen.ts",
  "src/storage/postgres/schema/migrations.gen.ts",
  "src/version.ts",
];

/** A folder with more files is several rooms. */
export const FILES_IN_FOLDER_MAX = 20;

/** Folders that may be larger, each with the role that all its files have. */
export const SAME_ROLE_FOLDERS: Readonly<Record<string, string>> = {
  "src/commands": "one command a file",
  "src/console/ui/texts/de": "the German texts, a file for each place of the console",
  "src/console/ui/texts/en": "the English texts, a file for each place of the console",
  "src/storage/postgres/schema/tables": "tables, those of a feature in a file",
  "src/storage/sqlite/schema/tables": "tables, those of a feature in a file",
};
