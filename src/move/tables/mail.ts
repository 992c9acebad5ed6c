import type { MovedTable } from "#move/table.ts";

/** What is mailed, what comes back of it, and what is told to other programs. */
export const MAIL: readonly MovedTable[] = [
  // Campaigns.
  {
    name: "campaigns",
    key: ["seq"],
    columns: {
      int: "seq workspace list scheduled_at sent_at mailing next_try_at created_at",
      text: "id name subject search status blocked paused",
      flag: "held auto_paused",
    },
  },
  {
    name: "campaign_bodies",
    key: ["campaign"],
    columns: { int: "campaign", text: "html text" },
    isBig: true,
  },
  { name: "campaign_options", key: ["campaign"], columns: { int: "campaign", text: "options" } },
  { name: "campaign_segments", key: ["segment", "campaign"], columns: { int: "segment campaign" } },
  // Forms.
  {
    name: "forms",
    key: ["seq"],
    columns: {
      int: "seq workspace list created_at updated_at",
      text: "id name fields style success_message",
    },
    isBig: true,
  },
  { name: "form_submissions", key: ["seq"], columns: { int: "seq at", text: "client" } },
  {
    name: "confirmations",
    key: ["delivery"],
    columns: {
      int: "delivery workspace created_at confirmed_at voided_at",
      text: "form_id address",
      flag: "returns",
    },
  },
  // Single mails and templates.
  {
    name: "send_keys",
    key: ["workspace", "key"],
    columns: { int: "workspace created_at", text: "key answer", bytes: "body_hash" },
    isBig: true,
  },
  {
    name: "messages",
    key: ["workspace", "delivery"],
    columns: { int: "workspace delivery", text: "address state" },
  },
  {
    name: "templates",
    key: ["seq"],
    columns: { int: "seq workspace created_at updated_at", text: "id name subject format body" },
    isBig: true,
  },
  // What comes back, and webhooks.
  {
    name: "bounce_reports",
    key: ["seq"],
    columns: { int: "seq workspace delivery contact at", text: "address kind reason status words way" },
  },
  {
    name: "unread_mails",
    key: ["seq"],
    columns: { int: "seq workspace size_bytes received_at", bytes: "digest raw", text: "way sender subject" },
    isBig: true,
  },
  {
    name: "hook_tokens",
    key: ["workspace", "token"],
    columns: { int: "workspace expires_at", text: "token" },
  },
  {
    name: "webhooks",
    key: ["seq"],
    columns: {
      int: "seq workspace old_secret_until created_at failures failing_since resume_at",
      text: "id url events state disabled_reason secret old_secret",
    },
  },
  {
    name: "webhook_deliveries",
    key: ["seq"],
    columns: {
      int: "seq webhook created_at next_attempt_at tries first_tried_at",
      text: "nonce type data state attempts",
    },
  },
  // Imports and images.
  {
    name: "imports",
    key: ["seq"],
    columns: {
      int: "seq workspace lines_done rows created updated skipped failed created_at finished_at",
      text: "id file_name state job error",
    },
    isBig: true,
  },
  { name: "import_messages", key: ["seq"], columns: { int: "seq import line", text: "message" } },
  {
    name: "media",
    key: ["seq"],
    columns: { int: "seq workspace bytes width height created_at", text: "id name type token" },
  },
  {
    name: "media_slices",
    key: ["media", "number"],
    columns: { int: "media number", bytes: "content" },
    isBig: true,
  },
];
