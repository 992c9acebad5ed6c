import { AsyncLocalStorage } from "node:async_hooks";
import type { Instant } from "#core/time/clock.ts";

/**
 * What a request or a command does, for the audit log. It is carried along with the work
 * (`AsyncLocalStorage`), so that storage can write the entry in the same transaction, and the code in between
 * need not pass it on.
 */
export type Act = {
  readonly workspaceId: string;
  /** An address, `key <name>` or `command line`. */
  readonly who: string;
  readonly what: string;
  readonly at: Instant;
  /** Record it only if it changed something: blocking a domain that is blocked already is no news. */
  readonly onlyIfChanged?: boolean;
  /** What it is done to, if that is known yet. */
  target: string | null;
  /** Its entry in the log; null until it was written. */
  entry: { readonly seq: number; readonly target: string | null } | null;
};

/** A request under `/api/v1` that was admitted to a workspace, as the audit log sees it. */
export type ActingRequest = {
  readonly method: string;
  /** The route's pattern, after `/api/v1`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  readonly who: string;
  /** The body as it was sent. Of an upload it is known only after the handler has run. */
  body(): Readonly<Record<string, unknown>>;
};

const acts = new AsyncLocalStorage<Act>();

/** Runs `work`, and everything that it begins, as this act. */
export const actingAs = <T>(act: Act, work: () => Promise<T>): Promise<T> => acts.run(act, work);

/** What is being done now; undefined where nothing is recorded. */
export const presentAct = (): Act | undefined => acts.getStore();

/** Names the target, for work that learns it only while it runs. */
export function nameTarget(target: string): void {
  const act = acts.getStore();
  if (act !== undefined) act.target = target;
}
