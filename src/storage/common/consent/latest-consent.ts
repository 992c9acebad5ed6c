/** SQL of both engines: what the log last says about all marketing mail, of a contact or of an address. */
const LATEST = "list_id IS NULL ORDER BY seq DESC LIMIT 1";

export const LATEST_OF_CONTACT = `SELECT action FROM consent_log WHERE contact_id = $1 AND ${LATEST}`;
export const LATEST_OF_ADDRESS = `SELECT action FROM consent_log WHERE workspace = $1 AND address = $2 AND ${LATEST}`;
