// Written by scripts/gen.ts from migrations/sqlite: run `bun run gen` after adding a file there.
import m0001 from "../../../../migrations/sqlite/0001_initial.sql" with { type: "text" };
import m0002 from "../../../../migrations/sqlite/0002_forms.sql" with { type: "text" };
import m0003 from "../../../../migrations/sqlite/0003_transactional.sql" with { type: "text" };
import m0004 from "../../../../migrations/sqlite/0004_automations.sql" with { type: "text" };
import m0005 from "../../../../migrations/sqlite/0005_machine_hits.sql" with { type: "text" };
import m0006 from "../../../../migrations/sqlite/0006_search.sql" with { type: "text" };
import m0007 from "../../../../migrations/sqlite/0007_events.sql" with { type: "text" };
import m0008 from "../../../../migrations/sqlite/0008_search_index.sql" with { type: "text" };
import m0009 from "../../../../migrations/sqlite/0009_returning.sql" with { type: "text" };
import m0010 from "../../../../migrations/sqlite/0010_people.sql" with { type: "text" };
import m0011 from "../../../../migrations/sqlite/0011_key_scopes.sql" with { type: "text" };
import m0012 from "../../../../migrations/sqlite/0012_suppression_order.sql" with { type: "text" };
import m0013 from "../../../../migrations/sqlite/0013_attributes.sql" with { type: "text" };
import m0014 from "../../../../migrations/sqlite/0014_activity.sql" with { type: "text" };
import m0015 from "../../../../migrations/sqlite/0015_segments.sql" with { type: "text" };
import m0016 from "../../../../migrations/sqlite/0016_imports.sql" with { type: "text" };
import m0017 from "../../../../migrations/sqlite/0017_campaign_options.sql" with { type: "text" };
import m0018 from "../../../../migrations/sqlite/0018_templates.sql" with { type: "text" };
import m0019 from "../../../../migrations/sqlite/0019_pausing.sql" with { type: "text" };
import m0020 from "../../../../migrations/sqlite/0020_campaign_figures.sql" with { type: "text" };
import m0021 from "../../../../migrations/sqlite/0021_media.sql" with { type: "text" };
import m0022 from "../../../../migrations/sqlite/0022_automation_nodes.sql" with { type: "text" };
import m0023 from "../../../../migrations/sqlite/0023_audiences.sql" with { type: "text" };
import m0024 from "../../../../migrations/sqlite/0024_message_values.sql" with { type: "text" };
import m0025 from "../../../../migrations/sqlite/0025_bounces.sql" with { type: "text" };
import m0026 from "../../../../migrations/sqlite/0026_auto_pause.sql" with { type: "text" };
import m0027 from "../../../../migrations/sqlite/0027_public_lists.sql" with { type: "text" };
import m0028 from "../../../../migrations/sqlite/0028_hook_secrets.sql" with { type: "text" };
import m0029 from "../../../../migrations/sqlite/0029_webhooks.sql" with { type: "text" };
import m0030 from "../../../../migrations/sqlite/0030_warm_up.sql" with { type: "text" };
import m0031 from "../../../../migrations/sqlite/0031_test_sends.sql" with { type: "text" };
import m0032 from "../../../../migrations/sqlite/0032_hook_tokens.sql" with { type: "text" };
import m0033 from "../../../../migrations/sqlite/0033_people.sql" with { type: "text" };
import m0034 from "../../../../migrations/sqlite/0034_domain_sends.sql" with { type: "text" };
import m0035 from "../../../../migrations/sqlite/0035_form_figures.sql" with { type: "text" };
import m0036 from "../../../../migrations/sqlite/0036_delivery_detail.sql" with { type: "text" };
import m0037 from "../../../../migrations/sqlite/0037_event_properties.sql" with { type: "text" };
import m0038 from "../../../../migrations/sqlite/0038_passkeys.sql" with { type: "text" };
import m0039 from "../../../../migrations/sqlite/0039_messages.sql" with { type: "text" };
import m0040 from "../../../../migrations/sqlite/0040_personal_links.sql" with { type: "text" };
import m0041 from "../../../../migrations/sqlite/0041_returned.sql" with { type: "text" };
import m0042 from "../../../../migrations/sqlite/0042_reasons.sql" with { type: "text" };
import m0043 from "../../../../migrations/sqlite/0043_moved.sql" with { type: "text" };
import m0044 from "../../../../migrations/sqlite/0044_used_challenges.sql" with { type: "text" };
import m0045 from "../../../../migrations/sqlite/0045_bounced_later.sql" with { type: "text" };
import m0046 from "../../../../migrations/sqlite/0046_complained_elsewhere.sql" with { type: "text" };
import m0047 from "../../../../migrations/sqlite/0047_waiting_triggers.sql" with { type: "text" };
import m0048 from "../../../../migrations/sqlite/0048_search_merges.sql" with { type: "text" };

export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_initial", sql: m0001 },
  { name: "0002_forms", sql: m0002 },
  { name: "0003_transactional", sql: m0003 },
  { name: "0004_automations", sql: m0004 },
  { name: "0005_machine_hits", sql: m0005 },
  { name: "0006_search", sql: m0006 },
  { name: "0007_events", sql: m0007 },
  { name: "0008_search_index", sql: m0008 },
  { name: "0009_returning", sql: m0009 },
  { name: "0010_people", sql: m0010 },
  { name: "0011_key_scopes", sql: m0011 },
  { name: "0012_suppression_order", sql: m0012 },
  { name: "0013_attributes", sql: m0013 },
  { name: "0014_activity", sql: m0014 },
  { name: "0015_segments", sql: m0015 },
  { name: "0016_imports", sql: m0016 },
  { name: "0017_campaign_options", sql: m0017 },
  { name: "0018_templates", sql: m0018 },
  { name: "0019_pausing", sql: m0019 },
  { name: "0020_campaign_figures", sql: m0020 },
  { name: "0021_media", sql: m0021 },
  { name: "0022_automation_nodes", sql: m0022 },
  { name: "0023_audiences", sql: m0023 },
  { name: "0024_message_values", sql: m0024 },
  { name: "0025_bounces", sql: m0025 },
  { name: "0026_auto_pause", sql: m0026 },
  { name: "0027_public_lists", sql: m0027 },
  { name: "0028_hook_secrets", sql: m0028 },
  { name: "0029_webhooks", sql: m0029 },
  { name: "0030_warm_up", sql: m0030 },
  { name: "0031_test_sends", sql: m0031 },
  { name: "0032_hook_tokens", sql: m0032 },
  { name: "0033_people", sql: m0033 },
  { name: "0034_domain_sends", sql: m0034 },
  { name: "0035_form_figures", sql: m0035 },
  { name: "0036_delivery_detail", sql: m0036 },
  { name: "0037_event_properties", sql: m0037 },
  { name: "0038_passkeys", sql: m0038 },
  { name: "0039_messages", sql: m0039 },
  { name: "0040_personal_links", sql: m0040 },
  { name: "0041_returned", sql: m0041 },
  { name: "0042_reasons", sql: m0042 },
  { name: "0043_moved", sql: m0043 },
  { name: "0044_used_challenges", sql: m0044 },
  { name: "0045_bounced_later", sql: m0045 },
  { name: "0046_complained_elsewhere", sql: m0046 },
  { name: "0047_waiting_triggers", sql: m0047 },
  { name: "0048_search_merges", sql: m0048 },
];
