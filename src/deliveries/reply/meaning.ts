import type { StrikeKind } from "./strikes.ts";

/**
 * What a reply means. `sent`: the stage was passed (at DOT: the relay has the mail). `bounced`: the address
 * is dead, suppress it. `deferred`: try this mail again later; its strike, if any, counts. `failed`: never
 * try this mail again; only its strike may lead to suppression. `relay`: the fault is the relay's or ours;
 * the mail stays queued and the attempt does not count.
 */
export type Meaning =
  | { readonly kind: "sent" }
  | { readonly kind: "bounced"; readonly reason: string }
  | {
      readonly kind: "deferred";
      readonly reason: string;
      readonly minPauseMs: number;
      readonly strike: StrikeKind | null;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly strike: StrikeKind | null }
  | {
      readonly kind: "relay";
      readonly trouble: "rate" | "config" | "block" | "down";
      readonly reason: string;
    };
