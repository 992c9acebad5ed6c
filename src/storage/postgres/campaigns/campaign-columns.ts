/** A campaign with its mailing's numbers, as `campaignOf` takes it (storage/common/campaigns/campaign-row.ts), of `campaigns c`. */
export const CAMPAIGN_COLUMNS = `c.seq, c.id, c.workspace, c.name, c.subject, c.status, l.id AS list_id, c.scheduled_at,
  c.sent_at, c.created_at, t.accepted, t.opened, t.clicked, t.bounced, t.sent AS delivered`;

/** Finds the mailing by its source, not by `campaigns.mailing`: a send that is being planned can be held too. */
export const CAMPAIGN_JOINS = `LEFT JOIN lists AS l ON l.seq = c.list
  LEFT JOIN mailings AS m ON m.kind = 'campaign' AND m.source_id = c.id
  LEFT JOIN LATERAL (SELECT sum(accepted)::int8 AS accepted, sum(opened)::int8 AS opened, sum(clicked)::int8 AS clicked,
      sum(bounced)::int8 AS bounced, sum(sent)::int8 AS sent FROM tallies WHERE mailing = m.seq) AS t ON true`;
