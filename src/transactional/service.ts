/**
 * POST /send: each request is a mailing of its own in the ledger, with one message for each recipient. It is
 * sent while the caller waits.
 *
 *   key looked up -> guardrails -> letter composed -> committed (key, mailing, rows, quota) -> sent -> concluded -> answered
 *
 * Nothing is promised and nothing is sent before the commit. The letter is never stored. So if the server
 * ends during a request, the request is over (deliveries/moves/left-behind.ts), and its key stays closed.
 */
import { sleep } from "#core/time/clock.ts";
import { AppError, errorOf, unwrap } from "#core/errors/errors.ts";
import type { NewId } from "#core/ids.ts";
import { localTime } from "#workspaces/local-time.ts";
import { checkQuota } from "#workspaces/quota.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { SendAnswer } from "./answer.ts";
import { dispatch, type DispatchParts } from "./dispatch.ts";
import { checkMaySend } from "#workspaces/sending-switch.ts";
import { decideRepeat, type KeyedRequest } from "#transactional/request/idempotency.ts";
import { decideTest, TEST_ADDRESSES_MAX, type EarlierTest } from "./test-rate.ts";
import { composeRequest, type LetterParts, type RequestLetter } from "./letter.ts";
import type { SendRequest } from "#transactional/request/send-request.ts";
import type { Template } from "#templates/template.ts";
import { decideSender } from "#transactional/request/sender-identity.ts";
import type { NewSend, SendStore } from "./store.ts";

/** `repeated`: this is the first answer to the key again; nothing was sent. */
export type Sent = { readonly answer: SendAnswer; readonly repeated: boolean };

export type TransactionalService = ReturnType<typeof transactionalService>;

type ServiceParts = Omit<DispatchParts, "stop" | "sends"> &
  Omit<LetterParts, "workspaceId"> & {
    readonly sends: SendStore;
    readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
    readonly templates: { find(workspaceId: string, id: string): Promise<Template> };
    readonly newId: NewId;
    /** Why the workspace's mail from an address cannot be sent (its DKIM key is unusable), or null. */
    blockedBy(workspaceId: string, from: string): Promise<string | null>;
  };

export function transactionalService(parts: ServiceParts) {
  const { sends, workspaces, clock } = parts;
  const unanswered = new Set<Promise<unknown>>();
  const end = new AbortController();

  const carryOut = async (
    workspaceId: string,
    request: SendRequest,
    keyed: KeyedRequest | null,
  ): Promise<Sent> => {
    const kept = keyed && (await sends.findKey(workspaceId, keyed.key));
    const before = unwrap(decideRepeat(kept, keyed, clock.now()));
    if (before) return { answer: before, repeated: true };
    const { templateId } = request;
    const template = templateId === null ? null : await parts.templates.find(workspaceId, templateId);
    const settings = await workspaces.settings(workspaceId);
    const refusal = checkMaySend(settings);
    if (refusal) throw errorOf(refusal);
    const identity = unwrap(decideSender(request, settings));
    const blocked = await parts.blockedBy(workspaceId, identity.from.address);
    if (blocked !== null) throw new AppError("VALIDATION_ERROR", blocked);
    const letter = unwrap(await composeRequest(request, template, identity, { ...parts, workspaceId }));
    const send = { ...newSend(parts, workspaceId, request, keyed, settings), from: identity.from };
    const begun = await sends.begin(send);
    if (begun.kind === "refused") throw errorOf(begun.refusal);
    if (begun.kind === "repeated") return { answer: begun.answer, repeated: true };
    const { answer, isKeyFree, failures } = await dispatch(
      { ...parts, stop: end.signal },
      { ...begun, id: send.id, workspaceId, keyed, begunAt: send.now },
      letter,
    );
    if (isKeyFree) throw new AppError("SEND_FAILED", failureText(answer, failures));
    return { answer, repeated: false };
  };

  const watched = <T>(run: Promise<T>): Promise<T> => {
    const known = run.catch(() => undefined).finally(() => unanswered.delete(known));
    unanswered.add(known);
    return run;
  };

  return {
    /**
     * @throws AppError CONFLICT, NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, QUOTA_EXCEEDED: nothing was sent; SEND_FAILED:
     * nobody got it
     */
    send(workspaceId: string, request: SendRequest, keyed: KeyedRequest | null): Promise<Sent> {
      return watched(carryOut(workspaceId, request, keyed));
    },

    /**
     * Sends a test of a campaign, with the promises of a request: no address gets it twice. It counts nowhere
     * but in the limit for tests. @throws AppError RATE_LIMITED: nothing was sent
     */
    sendTest: (
      workspaceId: string,
      addresses: readonly string[],
      letter: RequestLetter,
    ): Promise<SendAnswer> => watched(sendTest(parts, workspaceId, addresses, letter, end.signal)),

    /**
     * Stops all further attempts. Messages whose final dot was sent may finish. Every request is answered
     * within `graceMs`.
     */
    async stop(graceMs: number): Promise<void> {
      end.abort();
      await Promise.race([Promise.all(unanswered), sleep(clock, graceMs)]);
    },
  };
}

async function sendTest(
  parts: ServiceParts,
  workspaceId: string,
  addresses: readonly string[],
  letter: RequestLetter,
  stop: AbortSignal,
): Promise<SendAnswer> {
  const now = parts.clock.now();
  const id = parts.newId("tst");
  const checkRate = (earlier: readonly EarlierTest[]) => decideTest(earlier, addresses.length, now);
  const begun = await parts.sends.beginTest({ id, workspaceId, addresses, now, checkRate });
  if (begun.kind === "too many") throw tooManyTests(begun.retryAfterS);
  const send = { ...begun, id, workspaceId, keyed: null, begunAt: now };
  return (await dispatch({ ...parts, stop }, send, letter)).answer;
}

const tooManyTests = (retryAfterS: number): AppError =>
  new AppError(
    "RATE_LIMITED",
    `At most ${TEST_ADDRESSES_MAX} addresses get tests in an hour. Try again in ${retryAfterS} seconds.`,
    { retryAfterS },
  );

function newSend(
  { clock, newId }: Pick<ServiceParts, "clock" | "newId">,
  workspaceId: string,
  request: SendRequest,
  keyed: KeyedRequest | null,
  settings: Settings,
): Omit<NewSend, "from"> {
  const now = clock.now();
  const { month } = localTime(now, settings.timezone);
  return {
    id: newId("snd"),
    workspaceId,
    addresses: request.to.map(({ email }) => email),
    tags: request.tags,
    keyed,
    month,
    now,
    repeat: (kept) => decideRepeat(kept, keyed, now),
    checkQuota: (counts) =>
      checkQuota({ ...counts, period: "month", periodKey: month, limit: settings.monthlyLimit }),
  };
}

function failureText({ failed }: SendAnswer, failures: readonly string[]): string {
  const refused =
    failed === 1
      ? "The relay did not accept the message"
      : `None of the ${failed} messages was accepted by the relay`;
  return `${refused} (${failures.join(", ")}). Nothing was delivered: the request may be sent again.`;
}
