/** What PostgreSQL says of itself, and of the way to it. Storage asks, and the doctor judges. */
export type PostgresServer = {
  /** The value of `server_version`. */
  readonly version: string;
  readonly versionNumber: number;
  /** The database's, as PostgreSQL names it. */
  readonly encoding: string;
  readonly hasTrigrams: boolean;
  /** pg_trgm is installed where this role does not look for it. */
  readonly hidesTrigrams: boolean;
  /** It follows another server, and accepts no writes. */
  readonly isStandby: boolean;
  /** It is none, but accepts no writes on this role's connections, because that is set. */
  readonly isReadOnly: boolean;
  /** The role may create tables, and pg_trgm if it does not exist yet. */
  readonly mayMakeTables: boolean;
  /** Connections have the settings that Postrider needs, even without Postrider setting them. */
  readonly hasSettings: boolean;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** `synchronous_standby_names`; empty: none. */
  readonly standbys: string;
  readonly replicas: number;
  readonly isEncrypted: boolean;
  /** Two clients were given the same connection of the server, so there is a pooler in between. */
  readonly isPooled: boolean;
};
