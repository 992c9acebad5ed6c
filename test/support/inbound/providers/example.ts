import type { ProviderReport } from "#bounces/incoming.ts";
import type { Provider } from "#inbound/hooks/provider.ts";

/** An event as a provider publishes it in its documentation, about a message of ours. */
export type Example = {
  readonly name: string;
  readonly provider: Provider;
  readonly kind: ProviderReport["kind"] | null;
  /** Whether the event carries our Message-ID. */
  readonly namesMessage: boolean;
  body(recipient: string, messageId: string): unknown;
};
