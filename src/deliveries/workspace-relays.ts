import type { Clock } from "#core/time/clock.ts";
import type { Share } from "#core/share.ts";
import type { Log } from "#log.ts";
import { captureName } from "#mail/capture/capture-name.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import { relayGroup, type RelayGroup } from "#mail/smtp/relay/relay-group.ts";
import type { NewSession } from "#mail/smtp/session/smtp-outcome.ts";

export type WorkspaceRelaysParts = {
  /** The service's relays; a workspace's own `smtpUrl` overrides them. */
  readonly relays: readonly RelayAddress[];
  /** The relay is our own capture server, which must know whose mail it gets. */
  readonly isCaptured?: boolean;
  /** Where the conversations with relays are held. */
  readonly newSession: NewSession;
  readonly clock: Clock;
  readonly log: Log;
  /** This process's share of a relay's connections. */
  readonly share: Share;
};

/**
 * The relays of each workspace: its own if it names some, otherwise the service's. What was learned about a relay
 * is kept by its URL until the process ends.
 */
export class WorkspaceRelays {
  readonly #ofService: RelayGroup;
  readonly #captured = new Map<string, RelayGroup>();
  readonly #own = new Map<string, RelayGroup>();

  constructor(private readonly parts: WorkspaceRelaysParts) {
    this.#ofService = this.#group(parts.relays);
  }

  /** `smtpUrl` is the workspace's setting; "" for none. */
  of(workspaceId: string, smtpUrl: string): RelayGroup | { readonly blocked: string } {
    if (smtpUrl !== "") return this.#ofUrl(smtpUrl);
    return this.parts.isCaptured === true ? this.#capturing(workspaceId) : this.#ofService;
  }

  all(): readonly RelayGroup[] {
    return [...new Set([this.#ofService, ...this.#captured.values(), ...this.#own.values()])];
  }

  /** Without those that only a workspace names. */
  ofService(): readonly RelayGroup[] {
    return [this.#ofService, ...this.#captured.values()];
  }

  #ofUrl(url: string): RelayGroup | { readonly blocked: string } {
    const known = this.#own.get(url);
    if (known) return known;
    const addresses = parseRelayUrls(url);
    if (!addresses.ok) return { blocked: `smtpUrl, ${addresses.refusal.message}` };
    // A relay that is named twice gets its connections only once.
    const isOfService = JSON.stringify(addresses.value) === JSON.stringify(this.parts.relays);
    const group = isOfService ? this.#ofService : this.#group(addresses.value);
    this.#own.set(url, group);
    return group;
  }

  #capturing(workspaceId: string): RelayGroup {
    const name = captureName(workspaceId);
    const known =
      this.#captured.get(name) ?? this.#group(this.parts.relays.map((relay) => ({ ...relay, name })));
    this.#captured.set(name, known);
    return known;
  }

  #group(addresses: readonly RelayAddress[]): RelayGroup {
    const { clock, log, newSession, share } = this.parts;
    return relayGroup(addresses, clock, log, newSession, share);
  }
}
