/** What this process calls its connections: PostgreSQL can tell them from those of others. */
import type { Random } from "#core/random.ts";

const NAME = "postrider ";
const NAME_BYTES = 6;
/** So many characters name this process. A pooler may put more behind them. */
const NAME_CHARS = NAME.length + 2 * NAME_BYTES;

export const nameOf = (random: Random): string =>
  `${NAME}${Buffer.from(random.bytes(NAME_BYTES)).toString("hex")}`;

/** A condition: the connection belongs to this process. @param activity the alias of `pg_stat_activity` */
export const isOurs = (activity: string): string =>
  `left(${activity}.application_name, ${NAME_CHARS}) = left(current_setting('application_name'), ${NAME_CHARS})`;

/** A condition: it belongs to another program, and to no Postrider at all. */
export const isForeign = (activity: string): string =>
  `coalesce(${activity}.application_name, '') NOT LIKE '${NAME}%'`;
