import type { Contact } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Reference, Surroundings } from "./references.ts";
import type { Segment, SegmentCount } from "./segment.ts";

/** What a person writes of a segment. */
type SegmentContent = Pick<Segment, "name" | "rules">;

/**
 * Saved segments. Every method is one transaction; the rules it takes are pure and synchronous. `references`
 * are the ids in the rules that are written: `check` is told which of them the workspace does not have.
 */
export type SegmentStore = {
  insert(
    workspaceId: string,
    segment: Omit<Segment, "updatedAt">,
    references: readonly Reference[],
    check: (found: Surroundings & { readonly segments: number }) => Result<null>,
  ): Promise<Result<Segment>>;
  find(workspaceId: string, id: string): Promise<Segment | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Segment>>;
  /** Writes what `decide` returns. `updatedAt` changes only if something changed. Null: no such segment. */
  change(
    workspaceId: string,
    id: string,
    references: readonly Reference[] | null,
    decide: (current: SegmentContent, found: Surroundings) => Result<SegmentContent>,
    at: Instant,
  ): Promise<Result<Segment> | null>;
  /** Deletes a segment that nothing uses; else says who uses it, and it stays. Null: no such segment. */
  delete(workspaceId: string, id: string): Promise<SegmentUser | "deleted" | null>;
  /** Segments, and campaigns not yet SENT, that use a segment: at most 100. Null: no such segment. */
  users(workspaceId: string, id: string): Promise<SegmentUser[] | null>;
  /** Those of the references that the workspace does not have. */
  missing(workspaceId: string, references: readonly Reference[]): Promise<Reference[]>;
  /** The names of lists, segments and campaigns that the workspace has, by id. */
  names(workspaceId: string, references: readonly Reference[]): Promise<ReadonlyMap<string, string>>;
};

/** What uses a segment, so that it cannot be deleted. */
export type SegmentUser = {
  readonly kind: "segment" | "campaign";
  readonly id: string;
  readonly name: string;
};

/**
 * Who rules hold for. Nothing of it is stored: every call asks the database as it is at that moment. No other
 * request waits for it. `now` is the end of "the last days".
 */
export type SegmentMembersStore = {
  count(workspaceId: string, rules: JsonValue, now: Instant): Promise<SegmentCount>;
  /** With the newest `sample` of them. */
  preview(
    workspaceId: string,
    rules: JsonValue,
    now: Instant,
    sample: number,
  ): Promise<SegmentCount & { readonly sample: readonly Contact[] }>;
  /** Newest first. */
  page(workspaceId: string, asked: MembersAsked, request: PageRequest): Promise<Page<Contact>>;
  /**
   * Everybody, newest first, in pieces. Who belongs to it is settled when the walk begins. Each contact is
   * shown as it is when its piece is read; a contact that was deleted meanwhile is left out.
   */
  walk(workspaceId: string, asked: MembersAsked): AsyncIterable<readonly Contact[]>;
};

type MembersAsked = {
  readonly rules: JsonValue;
  readonly now: Instant;
  readonly filter: ContactFilter;
};
