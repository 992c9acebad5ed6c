import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Random } from "#core/random.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import type { Delivery, DeliveryState } from "./delivery.ts";
import { TEST_TYPE } from "./event-type.ts";
import { newWebhookSecret } from "#core/webhook-secret.ts";
import type { WebhookStore } from "./store.ts";
import type { TroubledWebhook, Webhook, WebhookChange, WebhookContent } from "./webhook.ts";

/** A limit, because every event looks at all webhooks of its workspace. */
const WEBHOOKS_MAX = 50;

type Parts = {
  readonly webhooks: WebhookStore;
  readonly workspaces: Pick<WorkspaceService, "settings">;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
};

type WithSecret = { readonly webhook: Webhook; readonly secret: string };

export type WebhookService = ReturnType<typeof webhookService>;

/** Every method that names a webhook throws AppError NOT_FOUND if the workspace has no such webhook. */
export function webhookService(parts: Parts) {
  const { webhooks, clock, random, newId } = parts;
  let tell = (): void => undefined;

  return {
    ...deliveriesOf(parts, () => tell()),

    /** Calls the listener after every change. One listener: the job that delivers. */
    onChange(listener: () => void): void {
      tell = listener;
    },

    allowsPrivate: async (workspaceId: string): Promise<boolean> =>
      (await parts.workspaces.settings(workspaceId)).allowPrivateWebhooks,

    /** @throws AppError VALIDATION_ERROR if the workspace has as many as are allowed */
    async create(workspaceId: string, content: WebhookContent): Promise<WithSecret> {
      const secret = newWebhookSecret(random);
      const fresh = { ...content, id: newId("wh"), secret, createdAt: clock.now() };
      const webhook = await webhooks.insert(workspaceId, fresh, WEBHOOKS_MAX);
      if (webhook !== null) return { webhook, secret };
      throw new AppError(
        "VALIDATION_ERROR",
        `A workspace has at most ${WEBHOOKS_MAX} webhooks: delete one first.`,
      );
    },

    find: async (workspaceId: string, id: string): Promise<Webhook> =>
      (await webhooks.find(workspaceId, id)) ?? gone(id),

    page: (workspaceId: string, request: PageRequest): Promise<Page<Webhook>> =>
      webhooks.page(workspaceId, request),

    async change(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook> {
      const changed = (await webhooks.change(workspaceId, id, change)) ?? gone(id);
      tell();
      return changed;
    },

    /** The previous secret signs for a day too. */
    async rotate(workspaceId: string, id: string): Promise<WithSecret> {
      const secret = newWebhookSecret(random);
      const webhook = (await webhooks.rotate(workspaceId, id, secret, clock.now())) ?? gone(id);
      tell();
      return { webhook, secret };
    },

    async delete(workspaceId: string, id: string): Promise<void> {
      if (!(await webhooks.delete(workspaceId, id))) gone(id);
      tell();
    },

    /** See `WebhookStore.troubled`. */
    troubled: (workspaceId: string): Promise<readonly TroubledWebhook[]> => webhooks.troubled(workspaceId),
  };
}

/** Everything that was or is sent to a webhook. */
function deliveriesOf({ webhooks, clock }: Parts, tell: () => void) {
  return {
    deliveries: async (
      workspaceId: string,
      id: string,
      state: DeliveryState | null,
      request: PageRequest,
    ): Promise<Page<Delivery>> => (await webhooks.deliveries(workspaceId, id, state, request)) ?? gone(id),

    /** @throws AppError WRONG_STATE if it is not enabled */
    async test(workspaceId: string, id: string): Promise<Delivery> {
      const message = { type: TEST_TYPE, data: { webhookId: id } };
      const owed = ifEnabled((await webhooks.owe(workspaceId, id, message, clock.now())) ?? gone(id));
      tell();
      return owed;
    },

    /** @throws AppError NOT_FOUND, also for an unknown delivery; WRONG_STATE if the webhook is not enabled */
    async replay(workspaceId: string, id: string, deliveryId: string): Promise<Delivery> {
      const owed = await webhooks.replay(workspaceId, id, deliveryId, clock.now());
      if (owed === null) throw notFound(`The delivery ${deliveryId}`);
      const delivery = ifEnabled(owed);
      tell();
      return delivery;
    },
  };
}

function ifEnabled(owed: Delivery | "disabled"): Delivery {
  if (owed !== "disabled") return owed;
  throw new AppError(
    "WRONG_STATE",
    "The webhook is not enabled, so nothing goes out: PATCH `enabled` to true.",
  );
}

function gone(id: string): never {
  throw notFound(`The webhook ${id}`);
}
