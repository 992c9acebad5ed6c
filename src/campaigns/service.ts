import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError, errorOf, unwrap, type Result } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { LetterCheck } from "#deliveries/letters/letter-check.ts";
import type { RampOf } from "#deliveries/ramp.ts";
import type { DeliveryFilter, DeliveryRecord, ReasonCount } from "#deliveries/delivery-record.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { fittingRows } from "#scheduler/fitting-rows.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import { noSuchCampaign, type Campaign } from "./campaign.ts";
import { copyName, type CampaignChange, type NewCampaign } from "./campaign-input.ts";
import {
  checkNotSent,
  decideCancel,
  decideChange,
  decideOptions,
  decideSchedule,
  namedIn,
  stateOf,
} from "./edit.ts";
import type { CampaignLetter, CampaignOptions, OptionsChange } from "#campaigns/options/options.ts";
import { DELIVERY_HEADER, deliveryLine } from "#campaigns/report/delivery-lines.ts";
import { campaignReport, type CampaignReport } from "#campaigns/report/report.ts";
import type { WarningsOf } from "#campaigns/check/warning-service.ts";
import { noSuchList } from "#lists/list-input.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { CampaignFilter, CampaignStore, DecideCampaign, StoredCampaign } from "./store.ts";

export type CampaignService = ReturnType<typeof campaignService>;

type ServiceParts = {
  readonly campaigns: CampaignStore;
  readonly ledger: Pick<LedgerStore, "progress" | "deliveries" | "reasons">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly checkLetter: LetterCheck;
  readonly rampOf: RampOf;
  readonly clock: Clock;
  readonly newId: NewId;
};

/** What a report takes from the sending. */
type ReportSources = { blockedBy(mailing: number): string | null; readonly warningsAtHand: WarningsOf };

type Find = (workspaceId: string, id: string) => Promise<StoredCampaign>;

/** Everything about campaigns except the sending itself. Every method throws AppError. */
export function campaignService(parts: ServiceParts) {
  const { campaigns, clock, newId } = parts;

  const found: Find = async (workspaceId, id) => {
    const stored = await campaigns.find(workspaceId, id);
    if (!stored) throw noSuchCampaign(id);
    return stored;
  };

  return {
    page: (workspaceId: string, filter: CampaignFilter, page: PageRequest): Promise<Page<Campaign>> =>
      campaigns.page(workspaceId, filter, page),

    async create(workspaceId: string, wanted: NewCampaign): Promise<Campaign> {
      const row = { ...wanted, id: newId("cmp"), createdAt: clock.now() };
      const created = await campaigns.insert(workspaceId, row);
      return created ?? unwrap(noSuchList(wanted.listId ?? ""));
    },

    find: async (workspaceId: string, id: string): Promise<Campaign> =>
      (await found(workspaceId, id)).campaign,

    async duplicate(workspaceId: string, id: string): Promise<Campaign> {
      const copy = { id: newId("cmp"), createdAt: clock.now(), nameOf: copyName };
      const made = await campaigns.duplicate(workspaceId, id, copy);
      if (!made) throw noSuchCampaign(id);
      return made;
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await campaigns.delete(workspaceId, id))) throw noSuchCampaign(id);
    },

    /** For `postrider campaign release`: lets a held campaign start. @throws AppError CONFLICT if it is not held */
    async releaseCampaign(workspaceId: string, id: string): Promise<void> {
      const outcome = await campaigns.release(workspaceId, id, clock.now());
      if (outcome === "not found") throw noSuchCampaign(id);
      if (outcome === "not held")
        throw new AppError("CONFLICT", `Campaign ${id} is not held: there is nothing to release.`);
    },

    ...changes(parts, found),
    ...letters(parts, found),
    ...outcomes(parts, found),
  };
}

/** Reads what the body asks for, only if the campaign may still be changed. */
function readIfChangeable<T>(stored: StoredCampaign, read: () => Result<T>): T {
  const sent = checkNotSent(stateOf(stored));
  if (sent) throw errorOf(sent);
  return unwrap(read());
}

/** What a person changes in a campaign's row: its content, and when it is sent. */
function changes(parts: ServiceParts, found: Find) {
  const { campaigns, clock, checkLetter } = parts;
  const { letter } = letters(parts, found);

  const change = async (
    workspaceId: string,
    id: string,
    listIds: readonly string[],
    decide: DecideCampaign,
  ): Promise<Campaign> => {
    const changed: Result<Campaign> | null = await campaigns.change(workspaceId, id, listIds, decide);
    if (!changed) throw noSuchCampaign(id);
    return unwrap(changed);
  };

  return {
    /** `read` returns what the body asks for. It is called only after the campaign's state was checked. */
    async change(workspaceId: string, id: string, read: () => Result<CampaignChange>): Promise<Campaign> {
      const asked = readIfChangeable(await found(workspaceId, id), read);
      const listIds = asked.listId.kind === "set" ? [asked.listId.value] : [];
      return change(workspaceId, id, listIds, (current, known) => decideChange(current, asked, known));
    },

    /**
     * `read` returns the time that the body asks for. It is called only after the campaign's state was
     * checked. A letter that does not compile is refused last. @throws WorkLate
     */
    async schedule(
      workspaceId: string,
      id: string,
      read: (now: Instant) => Result<Instant>,
    ): Promise<Campaign> {
      const stored = await found(workspaceId, id);
      const at = readIfChangeable(stored, () => read(clock.now()));
      const before = stateOf(stored);
      unwrap(decideSchedule(before, at));
      const fault = await checkLetter(workspaceId, await letter(workspaceId, id));
      if (fault) throw errorOf(fault);
      return change(workspaceId, id, [], (current) => decideSchedule(current, at, before));
    },

    cancelSchedule: (workspaceId: string, id: string): Promise<Campaign> =>
      change(workspaceId, id, [], decideCancel),
  };
}

/** The campaign's content as its author wrote it, and its options. */
function letters({ campaigns, workspaces }: ServiceParts, found: Find) {
  return {
    async letter(workspaceId: string, id: string): Promise<CampaignLetter> {
      const letter = await campaigns.letter(workspaceId, id);
      if (!letter) throw noSuchCampaign(id);
      return letter;
    },

    /** `read` returns what the body asks for. It is called only after the campaign's state was checked. */
    async changeOptions(
      workspaceId: string,
      id: string,
      read: () => Result<OptionsChange>,
    ): Promise<CampaignOptions> {
      const asked = readIfChangeable(await found(workspaceId, id), read);
      const senders = await workspaces.settings(workspaceId);
      const changed = await campaigns.changeOptions(workspaceId, id, namedIn(asked), (current, known) =>
        decideOptions(current, asked, senders, known),
      );
      if (!changed) throw noSuchCampaign(id);
      return unwrap(changed);
    },
  };
}

/** The time limit for a piece of a file, so that nobody else waits long. */
const PIECE = { sliceMs: 5, first: 100, min: 10, max: 500 } as const;

/** What became of a campaign's send. */
function outcomes({ ledger, rampOf, clock }: ServiceParts, found: Find) {
  /** Several files at once take turns, piece by piece. */
  const inTurn = oneAfterAnother();

  async function* csvOf(mailing: number | null, filter: DeliveryFilter): AsyncGenerator<string> {
    yield DELIVERY_HEADER;
    if (mailing === null) return;
    const fitting = fittingRows(clock, PIECE);
    for (let before: number | null = null; ;) {
      const request: PageRequest = { limit: fitting.rows, before };
      const { text, next } = await inTurn(async () => {
        const startedMs = clock.monotonicMs();
        const { items, nextPosition } = await ledger.deliveries(mailing, filter, request);
        const made = { text: items.map(deliveryLine).join(""), next: nextPosition };
        fitting.learn(startedMs);
        return made;
      });
      yield text;
      if (next === null) return;
      before = next;
    }
  }

  return {
    /** Why recipients got nothing, or not yet; empty until the plan is complete. */
    async reasons(workspaceId: string, id: string): Promise<ReasonCount[]> {
      const { mailing } = await found(workspaceId, id);
      return mailing === null ? [] : ledger.reasons(mailing);
    },

    /**
     * The recipients as a CSV, newest first, in pieces with turns of the event loop between them. No transaction
     * stays open: each row shows its state when its piece was read.
     */
    async deliveriesCsv(
      workspaceId: string,
      id: string,
      readFilter: () => DeliveryFilter,
    ): Promise<AsyncGenerator<string>> {
      const { mailing } = await found(workspaceId, id);
      return csvOf(mailing, readFilter());
    },

    /** `blockedBy` says why a send in progress does not move now. */
    async report(
      workspaceId: string,
      id: string,
      { blockedBy, warningsAtHand }: ReportSources,
    ): Promise<CampaignReport> {
      const { mailing, held, paused, blocked } = await found(workspaceId, id);
      const campaign = { id, held, paused, warnings: await warningsAtHand(workspaceId, id) };
      if (mailing === null) return campaignReport({ ...campaign, blocked }, null);
      const progress = await ledger.progress(mailing);
      const ramp = progress.remaining > 0 ? await rampOf(workspaceId) : null;
      return campaignReport({ ...campaign, ramp, blocked: blocked ?? blockedBy(mailing) }, progress);
    },

    /** Every recipient of the campaign's send and the outcome, newest first; empty until the plan is complete. */
    async deliveries(
      workspaceId: string,
      id: string,
      readFilter: () => { readonly filter: DeliveryFilter; readonly page: PageRequest },
    ): Promise<Page<DeliveryRecord>> {
      const { mailing } = await found(workspaceId, id);
      const { filter, page } = readFilter();
      if (mailing === null) return { items: [], total: 0, nextPosition: null };
      return ledger.deliveries(mailing, filter, page);
    },
  };
}
