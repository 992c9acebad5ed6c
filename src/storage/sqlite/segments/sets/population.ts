import type { Database } from "bun:sqlite";
import { CONTACT_STATUSES, type ContactStatus } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import { ContactBits } from "./contact-bits.ts";
import { sweepSeqs, type Values } from "./sweep.ts";

/** The contacts of a workspace at one moment, for all questions in one read transaction. */
export class Population {
  /** The highest `contacts.seq`. */
  readonly newest: number;
  readonly #byStatus = new Map<ContactStatus, ContactBits>();
  #everybody: ContactBits | null = null;

  constructor(
    readonly sqlite: Database,
    readonly workspace: number,
    readonly now: Instant,
  ) {
    this.newest = this.newestOf("contacts");
  }

  get everybody(): ContactBits {
    return (this.#everybody ??= CONTACT_STATUSES.map((status) => this.withStatus(status)).reduce(
      (all, some) => all.or(some),
    ));
  }

  withStatus(status: ContactStatus): ContactBits {
    const known = this.#byStatus.get(status);
    if (known !== undefined) return known;
    const bits = this.sweepContacts(
      `SELECT seq AS found FROM contacts INDEXED BY contacts_by_status
       WHERE workspace = $workspace AND status = $status AND seq > $after AND seq <= $through`,
      { status },
    );
    this.#byStatus.set(status, bits);
    return bits;
  }

  /** Sweeps a select over a range of `contacts.seq`, or over `among`, whose `found` is a contact. */
  sweepContacts(sql: string, values: Values, among: ContactBits | null = null): ContactBits {
    const bits = this.nobody();
    const asked = among === null ? this.all : { among };
    sweepSeqs(this.sqlite, { sql, values: { workspace: this.workspace, ...values }, ...asked }, (seqs) =>
      bits.addAll(seqs),
    );
    return bits;
  }

  /** The range of all `contacts.seq`. */
  get all(): { readonly after: number; readonly through: number } {
    return { after: 0, through: this.newest };
  }

  nobody(): ContactBits {
    return new ContactBits(this.newest);
  }

  newestOf(table: "contacts" | "events" | "deliveries"): number {
    const { sqlite } = this;
    const row = sqlite.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM ${table}`).get();
    return row?.seq ?? 0;
  }

  /** How many contacts the workspace has. */
  get size(): number {
    const { sqlite } = this;
    const row = sqlite
      .query<{ n: number }, [number]>(
        "SELECT coalesce(sum(n), 0) AS n FROM contact_counts WHERE workspace = ? AND tag = ''",
      )
      .get(this.workspace);
    return row?.n ?? 0;
  }
}
