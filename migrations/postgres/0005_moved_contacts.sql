-- As in 0001_schema.sql, and one more reason to leave a round to the rules: the contact has another address by now.
CREATE OR REPLACE PROCEDURE plain_round(
  own int8, own_epoch int8, own_timeline text, claims int8[], claimed_at int8[],
  sends int8[], sent_at int8[], codes int4[], enhanced text[], words text[], INOUT how text, INOUT emptying int8[]
) LANGUAGE plpgsql AS $$
DECLARE
  claimed record;
  settled record;
  plain record;
  is_free boolean;
BEGIN
  how := 'left';
  PERFORM FROM nodes WHERE id = own AND fenced_at IS NULL AND epoch = own_epoch
    AND left(pg_walfile_name(pg_current_wal_lsn()), 8) = own_timeline FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  WITH claim AS (
    UPDATE deliveries AS d
    SET state = 'dot', node = own, detail = NULL,
      first_attempt_at = coalesce(d.first_attempt_at, claimed_at[array_position(claims, d.seq)])
    WHERE d.seq = ANY(claims) AND d.state = 'queued' AND d.reason IS NULL
    RETURNING d.mailing, d.contact, d.address)
  SELECT count(*) AS n, array_agg(mailing) AS mailings, array_agg(contact) AS contacts, array_agg(address) AS addresses
    INTO claimed FROM claim;
  WITH settle AS (
    UPDATE deliveries AS d
    SET state = 'sent', attempts = d.attempts + 1, detail = NULL, settled_at = sent_at[array_position(sends, d.seq)],
      first_attempt_at = coalesce(d.first_attempt_at, sent_at[array_position(sends, d.seq)]),
      reply_code = codes[array_position(sends, d.seq)], reply_enhanced = enhanced[array_position(sends, d.seq)],
      reply_text = words[array_position(sends, d.seq)]
    WHERE d.seq = ANY(sends) AND d.state = 'dot' AND d.node = own AND d.reason IS NULL AND d.next_attempt_at IS NULL
    RETURNING d.mailing, d.address, d.settled_at - d.settled_at % 900000 AS quarter)
  SELECT count(*) AS n, array_agg(mailing) AS mailings, array_agg(address) AS addresses, array_agg(quarter) AS quarters
    INTO settled FROM settle;
  IF claimed.n < cardinality(claims) OR settled.n < cardinality(sends) THEN
    ROLLBACK;
    RETURN;
  END IF;
  SELECT array_agg(seq) AS mailings, array_agg(workspace) AS workspaces INTO plain FROM (
    SELECT seq, workspace FROM mailings
    WHERE seq = ANY(claimed.mailings || settled.mailings) AND kind = 'campaign' AND NOT is_test
      AND (phase = 'sending' AND held = 0 OR (seq = ANY(claimed.mailings)) IS NOT TRUE)
    ORDER BY seq FOR SHARE) AS m;
  IF ((claimed.mailings || settled.mailings) <@ plain.mailings) IS NOT TRUE THEN
    ROLLBACK;
    RETURN;
  END IF;
  SELECT NOT EXISTS (
      SELECT FROM unnest(claimed.mailings, claimed.contacts, claimed.addresses) AS c (mailing, contact, address)
      WHERE (SELECT status FROM contacts WHERE seq = c.contact AND email = c.address) IS DISTINCT FROM 'SUBSCRIBED'
        OR (SELECT seq FROM suppressions
          WHERE workspace = plain.workspaces[array_position(plain.mailings, c.mailing)] AND address = c.address) IS NOT NULL
        OR (SELECT seq FROM blocked_domains
          WHERE workspace = plain.workspaces[array_position(plain.mailings, c.mailing)]
            AND domain = substr(c.address, strpos(c.address, '@') + 1)) IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM unnest(settled.mailings, settled.addresses) AS s (mailing, address)
      WHERE (SELECT kind FROM address_strikes
        WHERE workspace = plain.workspaces[array_position(plain.mailings, s.mailing)] AND address = s.address
        LIMIT 1) IS NOT NULL)
    AND (settled.n = 0 OR NOT EXISTS (
      SELECT FROM webhooks WHERE workspace = ANY(plain.workspaces) AND state IN ('ENABLED', 'HELD')))
    INTO is_free;
  IF NOT is_free THEN
    ROLLBACK;
    RETURN;
  END IF;
  WITH tally AS (
    INSERT INTO tallies AS t (mailing, slot, queued, dot, sent, accepted)
    SELECT mailing, pg_backend_pid() % 16, -begun, begun - ended, ended, ended
    FROM (SELECT mailing, coalesce(cardinality(array_positions(claimed.mailings, mailing)), 0) AS begun,
        coalesce(cardinality(array_positions(settled.mailings, mailing)), 0) AS ended
      FROM unnest(plain.mailings) AS mailing) AS moved
    ON CONFLICT (mailing, slot) DO UPDATE SET queued = t.queued + excluded.queued, dot = t.dot + excluded.dot,
      sent = t.sent + excluded.sent, accepted = t.accepted + excluded.accepted),
  sent AS (
    SELECT mailing, quarter, count(*) AS n FROM unnest(settled.mailings, settled.quarters) AS s (mailing, quarter)
    GROUP BY mailing, quarter),
  timeline AS (INSERT INTO mailing_activity (mailing, at, sent) SELECT mailing, quarter, n FROM sent)
  INSERT INTO activity_counts (workspace, at, sent)
    SELECT plain.workspaces[array_position(plain.mailings, mailing)], quarter, n FROM sent;
  IF settled.n > 0 THEN
    emptying := ARRAY(SELECT t.mailing FROM tallies AS t WHERE t.mailing = ANY(settled.mailings)
      GROUP BY t.mailing HAVING sum(t.queued + t.dot) < 1024);
  END IF;
  COMMIT;
  how := 'written';
END $$;

-- As in 0001_schema.sql, and so waits whoever changes an address.
CREATE OR REPLACE FUNCTION await_claims() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  suppressed record;
BEGIN
  IF TG_TABLE_NAME = 'contacts' THEN
    PERFORM FROM deliveries WHERE state = 'queued' AND contact = ANY(ARRAY(
        SELECT a.seq FROM added AS a JOIN removed AS r ON r.seq = a.seq WHERE a.status <> r.status OR a.email <> r.email))
      ORDER BY seq FOR NO KEY UPDATE;
    RETURN NULL;
  END IF;
  FOR suppressed IN SELECT workspace, address FROM added ORDER BY address LOOP
    PERFORM FROM deliveries WHERE state = 'queued' AND address = suppressed.address AND mailing = ANY(ARRAY(
        SELECT seq FROM mailings WHERE workspace = suppressed.workspace AND phase = 'sending'))
      ORDER BY seq FOR NO KEY UPDATE;
  END LOOP;
  RETURN NULL;
END $$;
