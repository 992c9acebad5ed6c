/**
 * A service with sign-up forms: with a clock that can be moved, a relay that shows its mail, and clients with
 * any address.
 */
import { systemClock, type Clock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { parseTrustedProxies } from "#http/client/client-address.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { BASE_URL, type TestApi, type TestOptions } from "../server/api.ts";
import { eventually } from "../common/eventually.ts";
import { startSending, type SendingApi } from "../sending/sending.ts";

export type FormsApi = SendingApi & {
  readonly clock: ShiftableClock;
  /** Posts to a form as JSON, from an address nobody used before unless one is given. */
  submit(formId: string, fields: object, how?: HowToSubmit): Promise<Response>;
  /** The mails that went to an address so far. */
  mailsTo(address: string): SendingApi["relay"]["accepted"];
  /**
   * Waits until `count` confirmation mails went to an address, and returns their links as paths on the
   * service.
   */
  confirmLinks(address: string, count?: number): Promise<string[]>;
};

type HowToSubmit = {
  readonly ip?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Body;
};

export type Body = string | URLSearchParams | FormData | Blob;

/** Runs like the machine's clock, and jumps on request. */
export type ShiftableClock = Clock & { shift(byMs: number): void };

export function shiftableClock(): ShiftableClock {
  let offset = 0;
  return { ...systemClock, now: () => systemClock.now() + offset, shift: (byMs) => void (offset += byMs) };
}

let clients = 0;
/** An address of the documentation ranges' spirit that no client had before. */
export const freshIp = (): string => `10.${(++clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;

export async function startForms(
  settings: Partial<Settings> = {},
  options: TestOptions = {},
): Promise<FormsApi> {
  const clock = shiftableClock();
  const api = await startSending(
    {},
    { clock, isTrustedProxy: unwrap(parseTrustedProxies("loopback")), ...options },
  );
  await api.services.workspaces.changeSettings(api.workspaceId, { name: "Ada's Shop", ...settings });
  const mailsTo = (address: string) => api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === address);
  return {
    ...api,
    clock,
    submit: (formId, fields, { ip = freshIp(), headers = {}, body = JSON.stringify(fields) } = {}) =>
      fetch(`${api.url}/api/forms/${formId}/submit`, {
        method: "POST",
        body,
        headers: { "X-Forwarded-For": ip, ...headers },
      }),
    mailsTo,
    async confirmLinks(address, count = 1) {
      await eventually(() => mailsTo(address).length >= count);
      return mailsTo(address).map(({ raw }) => linkIn(raw));
    },
  };
}

/** The confirmation link of a message, as a path on the service. */
function linkIn(raw: string): string {
  const decoded = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return new RegExp(`${BASE_URL}(/confirm/[A-Za-z0-9_-]+)`).exec(decoded)![1]!;
}

/** Makes a form with a list; the form's data as the API shows it. */
export async function newForm(api: TestApi, fields: Record<string, unknown> = {}): Promise<any> {
  const list = await api.call("POST", "/lists", { name: "Newsletter" });
  const { status, body } = await api.call("POST", "/forms", {
    name: "Stay in touch",
    listId: list.body.data.id,
    ...fields,
  });
  if (status !== 201) throw new Error(`POST /forms answered ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** The people on a form's list, with their statuses. */
export async function membersOf(api: FormsApi, form: { listId: string }): Promise<Record<string, string>> {
  const { body } = await api.call("GET", `/lists/${form.listId}/contacts?limit=100`);
  return Object.fromEntries(
    body.data.map(({ email, status }: { email: string; status: string }) => [email, status]),
  );
}

export const json = async (response: Response): Promise<[status: number, body: any]> => [
  response.status,
  await response.json(),
];
