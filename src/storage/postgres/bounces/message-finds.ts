import type { BounceStore, ReportedMessage } from "#bounces/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { deliveries, workspaces } from "#storage/postgres/schema/schema.ts";
import { WENT } from "#storage/common/ledger/states-in-sql.ts";

type Finds = Pick<BounceStore, "findMessage" | "findBySource" | "findSentTo" | "complaintsGoTo">;
type Numbered = { number: Value<typeof deliveries, "seq"> };

const BY_NUMBER = `SELECT d.seq AS number, w.id AS workspace_id, d.address, m.is_test
  FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing JOIN workspaces AS w ON w.seq = m.workspace
  WHERE d.seq = $1`;
// An automation has a mailing for each month and letter. Their sources begin with its id and a colon, which is
// followed by a semicolon in ASCII.
const BY_SOURCE = `SELECT d.seq AS number FROM mailings AS m JOIN deliveries AS d ON d.mailing = m.seq
  WHERE m.workspace = $1 AND m.kind = $2 AND (m.source_id = $3 OR (m.source_id > $4 AND m.source_id < $5))
    AND d.address = $6 AND d.state IN ${WENT} LIMIT 2`;
// Single mail also goes to people who are no contacts.
const SENT_TO = `(SELECT d.seq AS number FROM contacts AS c JOIN deliveries AS d ON d.contact = c.seq
    WHERE c.workspace = $1 AND c.email = $2 AND d.address = $2 AND d.state IN ${WENT} LIMIT 2)
  UNION
  (SELECT d.seq AS number FROM messages AS x JOIN deliveries AS d ON d.seq = x.delivery
    WHERE x.workspace = $1 AND x.address = $2 AND d.state IN ${WENT} LIMIT 2)
  LIMIT 2`;
const COMPLAINT_BOX = `SELECT w.id FROM settings AS a JOIN settings AS b ON b.workspace = a.workspace
  JOIN workspaces AS w ON w.seq = a.workspace
  WHERE a.key = 'bounceDomain' AND a.value = $1 AND b.key = 'inboundComplaints' AND b.value = 'on'
  ORDER BY w.seq LIMIT 2`;

/** Finds the message that a report is about. */
export function messageFinds({ read, seqOf }: PostgresDatabase): Finds {
  const numbers = async (statement: string, values: readonly (string | number)[]): Promise<number[]> =>
    (await read(({ rows }) => rows<Numbered>(statement, values))).map(({ number }) => number);

  return {
    findMessage: (number) => read(({ row }) => row<ReportedMessage>(BY_NUMBER, [number])),

    async findBySource({ workspaceId, kind, id }, address) {
      const seq = await seqOf(workspaceId);
      return await numbers(BY_SOURCE, [seq, kind, id, `${id}:`, `${id};`, address]);
    },

    async findSentTo(workspaceId, address) {
      return await numbers(SENT_TO, [await seqOf(workspaceId), address]);
    },

    async complaintsGoTo(domain) {
      const found = await read(({ rows }) => rows<Row<typeof workspaces, "id">>(COMPLAINT_BOX, [domain]));
      return found.map(({ id }) => id);
    },
  };
}
