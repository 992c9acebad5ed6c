import { actingAs, type Act, type ActingRequest } from "#core/request/acting.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { answeredTarget, isRecorded, pathTarget, recordedAs } from "./recorded.ts";
import type { AuditEntry } from "./entry.ts";
import type { AuditFilter, AuditStore } from "./store.ts";

export type AuditService = ReturnType<typeof auditService>;

export function auditService({ audit, clock }: { readonly audit: AuditStore; readonly clock: Clock }) {
  const record = async <T>(
    act: Omit<Act, "at" | "entry">,
    work: () => Promise<T>,
    targetOf: (answer: T) => string | null | undefined = () => undefined,
  ): Promise<T> => {
    const recorded: Act = { ...act, at: clock.now(), entry: null };
    const answer = await actingAs(recorded, work).catch(async (error: unknown) => {
      if (isRefusal(error)) await audit.takeBack(recorded);
      throw error;
    });
    const target = targetOf(answer);
    if (target !== undefined) recorded.target = target;
    await audit.settle(recorded);
    return answer;
  };

  const recordRequest = <T extends { readonly body?: unknown }>(
    request: ActingRequest,
    work: () => Promise<T>,
  ): Promise<T> => {
    const { method, path, params, workspaceId, who } = request;
    const recorded = recordedAs(method, path, request.body());
    if (recorded === null) return work();
    const { what, onlyIfChanged = false } = recorded;
    const act = { workspaceId, who, what, target: pathTarget(params), onlyIfChanged };
    return record(act, work, ({ body }) =>
      answeredTarget(method, path, { params, body: request.body(), data: dataOf(body) }),
    );
  };

  return {
    page: (workspaceId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>> =>
      audit.page(workspaceId, filter, page),

    /** The present names of the entries' targets: see `AuditStore.names`. */
    names: (workspaceId: string, entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, string>> =>
      audit.names(
        workspaceId,
        entries.flatMap(({ target }) => (target === null ? [] : [target])),
      ),

    /** See `AuditStore.entries`. */
    entries: (workspaceId: string | null): AsyncIterable<AuditEntry> => audit.entries(workspaceId),

    /**
     * Does the work and records it if it succeeds, in its first transaction that changes something. Not
     * recorded: work that throws before that, and work that is refused after it began, such as a send whose
     * plan shows that nobody is left.
     */
    record,

    /** The same for the requests of a route; null where none of them is recorded. */
    recorderOf: (method: string, path: string) => (isRecorded(method, path) ? recordRequest : null),
  };
}

/** A refused request changed nothing and sent nothing. After SEND_FAILED somebody may have got something. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code !== "SEND_FAILED";

function dataOf(body: unknown): Readonly<Record<string, unknown>> {
  const data = (body as { data?: unknown } | undefined)?.data;
  return typeof data === "object" && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
}
