import type { Taking } from "#inbound/taking.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { Amazon } from "./amazon.ts";
import { hookSecrets } from "./hook-secrets.ts";
import { isProvider, PROVIDERS, type Provider } from "./provider.ts";
import { checkMailgun, type SignedBytes } from "./signatures.ts";
import { isAmazons, readSnsMessage, type SnsMessage } from "./sns.ts";
import type { HookTokenStore } from "./store.ts";
import { usedTokens } from "./used-tokens.ts";

export type HookService = ReturnType<typeof hookService>;

/** A request at a hook's address whose secret is right. */
export type Hook = { readonly provider: Provider; readonly workspaceId: string; readonly settings: Settings };

/** What a provider sent. */
export type HookRequest = SignedBytes & {
  /** Reads the bytes as JSON. @throws AppError INVALID_JSON */
  json(): Promise<unknown>;
};

/** This many events of a list are handled together, in one commit. The event loop has a turn before the next ones. */
const AT_ONCE = 25;

type Parts = {
  readonly workspaces: WorkspaceService;
  readonly bounces: Pick<Taking, "takeReport">;
  readonly amazon: Amazon;
  readonly tokens: HookTokenStore;
  readonly clock: Clock;
  readonly log: Log;
};

/** Reports of mail providers (docs/contract.md "Ways in for reports"). */
export function hookService({ workspaces, bounces, amazon, tokens, clock, log }: Parts) {
  const secrets = hookSecrets(workspaces);
  const mailgunTokens = usedTokens(tokens);
  const take = eventTaking(bounces);

  /** Mailgun signs a token in the body; the token is free again if the reports could not be stored. */
  async function takeMailguns(hook: Hook, request: HookRequest): Promise<number> {
    const body = await request.json();
    const signed = checkMailgun(body, hook.settings.mailgunSigningKey, clock.now());
    const token = signed && (await mailgunTokens.take(hook.workspaceId, signed));
    if (token === null) throw forged(hook);
    try {
      const taken = await take(hook, body);
      await token.use(clock.now());
      return taken;
    } finally {
      token.release();
    }
  }

  /** @throws AppError INTERNAL_ERROR if Amazon has to send it again */
  async function takeAmazons(hook: Hook, request: HookRequest): Promise<number> {
    const message = readSnsMessage(await request.json());
    if (message === null || !leadsToAmazon(message)) throw forged(hook);
    const verdict = await amazon.judge(message);
    if (verdict === "forged") throw forged(hook);
    if (verdict === "unknown") throw amazonIsSilent("its certificate");
    if (message.type === "Notification") return await take(hook, parsed(message.message));
    if (message.type === "SubscriptionConfirmation") {
      if (!(await amazon.confirm(message))) throw amazonIsSilent("the confirmation");
      log.info("the subscription of Amazon SNS is confirmed", { workspaceId: hook.workspaceId });
    }
    return 0;
  }

  return {
    /**
     * The hook at an address.
     * @throws AppError NOT_FOUND for an unknown provider or secret; FORBIDDEN without the provider's key
     */
    async open(provider: string, secret: string): Promise<Hook> {
      const workspaceId = isProvider(provider) ? await secrets.workspaceOf(secret) : null;
      if (!isProvider(provider) || workspaceId === null)
        throw new AppError("NOT_FOUND", "There is no such hook: `postrider hook show` prints the address.");
      const settings = await workspaces.settings(workspaceId);
      const { signature } = PROVIDERS[provider];
      if (signature !== undefined && settings[signature.key] === "")
        throw new AppError(
          "FORBIDDEN",
          `Set \`${signature.key}\` first: without it nobody knows who sent this.`,
        );
      return { provider, workspaceId, settings };
    },

    /**
     * Takes the reports of a request, and resolves when their effect is durable. Returns how many there were. Their
     * effect: `Taking.takeReport`.
     * @throws AppError FORBIDDEN for a signature that is wrong or too old; INVALID_JSON
     */
    async take(hook: Hook, request: HookRequest): Promise<number> {
      if (hook.provider === "mailgun") return await takeMailguns(hook, request);
      if (hook.provider === "ses") return await takeAmazons(hook, request);
      const { signature } = PROVIDERS[hook.provider];
      const isSigned = signature?.isSigned?.(request, hook.settings[signature.key], clock.now());
      if (isSigned === false) throw forged(hook);
      return await take(hook, await request.json());
    },
  };
}

/** Takes the reports in what a provider sent: one event, or a list of them. Returns how many there were. */
function eventTaking(bounces: Parts["bounces"]) {
  return async ({ provider, workspaceId }: Hook, body: unknown): Promise<number> => {
    let taken = 0;
    const pieces = Array.isArray(body) ? Math.ceil(body.length / AT_ONCE) : 1;
    for (let piece = 0; piece < pieces; piece++) {
      // Events without a report never await: without this, a long list of them would block the event loop.
      if (piece > 0) await nextLoopTurn();
      const events: unknown = Array.isArray(body) ? body.slice(piece * AT_ONCE, (piece + 1) * AT_ONCE) : body;
      const reports = PROVIDERS[provider].read(events);
      await Promise.all(reports.map((report) => bounces.takeReport(workspaceId, report, provider)));
      taken += reports.length;
    }
    return taken;
  };
}

const leadsToAmazon = ({ type, subscribeUrl }: SnsMessage): boolean =>
  type !== "SubscriptionConfirmation" || isAmazons(subscribeUrl);

const forged = ({ provider }: Hook): AppError =>
  new AppError(
    "FORBIDDEN",
    `This is not signed by ${PROVIDERS[provider].name}, or it is too old, or was used before.`,
  );

const amazonIsSilent = (what: string): AppError =>
  new AppError("INTERNAL_ERROR", `Amazon did not answer when asked for ${what}: send this again later.`);

/** SES sends JSON inside the message; its own test message is plain text and no report. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
