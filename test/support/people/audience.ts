/** Ten people in two lists and three segments, for tests of who gets a campaign. */
import { listOf, person } from "./people.ts";
import { LETTER } from "../sending/campaigns.ts";
import { startSending, type SendingApi } from "../sending/sending.ts";

/** Whose tags and lists: `A` is the campaign's list, `B` one that is excluded. */
const PEOPLE: Record<string, { tags?: string[]; lists?: string[]; status?: string }> = {
  "ada@example.com": { tags: ["vip"], lists: ["A"] },
  "grace@example.com": { lists: ["A"] },
  "linus@example.com": { tags: ["vip"] },
  "ken@example.com": { tags: ["vip"], lists: ["A", "B"] },
  "eve@example.com": { tags: ["vip", "staff"], lists: ["A"] },
  "sam@example.com": { tags: ["vip"], lists: ["A"] },
  "bob@blocked.example": { tags: ["vip"], lists: ["A"] },
  "pia@example.com": { tags: ["vip"], lists: ["A"], status: "PENDING" },
  "una@example.com": { tags: ["vip"], status: "UNSUBSCRIBED" },
  "zoe@example.com": {},
};

export type Scene = {
  lists: Record<string, string>;
  segments: Record<string, string>;
  ids: Record<string, string>;
};

/** A service with all of them. */
export async function audienceScene(
  options: Parameters<typeof startSending>[1] = {},
): Promise<{ api: SendingApi; scene: Scene }> {
  const api = await startSending({}, options);
  const segmentOf = async (tag: string): Promise<string> =>
    (await api.call("POST", "/segments", { name: tag, rules: { field: "tag", op: "equals", value: tag } }))
      .body.data.id;
  const ids: Record<string, string> = {};
  for (const [email, { tags = [], status }] of Object.entries(PEOPLE))
    ids[email] = (await person(api, email, { tags, ...(status === undefined ? {} : { status }) })).id;
  const on = (list: string) =>
    Object.entries(PEOPLE).flatMap(([email, { lists = [] }]) => (lists.includes(list) ? [ids[email]!] : []));
  const lists = { A: await listOf(api, "A", on("A")), B: await listOf(api, "B", on("B")) };
  const segments = {
    vip: await segmentOf("vip"),
    staff: await segmentOf("staff"),
    nobody: await segmentOf("none"),
  };
  await api.services.suppressions.add(api.workspaceId, "sam@example.com", "MANUAL");
  await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
  return { api, scene: { lists, segments, ids } };
}

/** A campaign with these options; returns its id. */
export async function campaignWith(api: SendingApi, listId: string | null, options: object): Promise<string> {
  const { id } = (await api.call("POST", "/campaigns", { ...LETTER, listId })).body.data;
  await changeOptions(api, id, options);
  return id;
}

export async function changeOptions(api: SendingApi, id: string, options: object): Promise<void> {
  const answer = await api.call("PATCH", `/campaigns/${id}/options`, options);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** Whom the relay took mail for, in the order of their addresses. */
export const mailedAddresses = ({ relay }: SendingApi): string[] =>
  relay.accepted.map(({ rcptTo }) => rcptTo.join()).toSorted();
