/**
 * Letters that are made in threads (src/work). They go out like all others, and one that cannot be made says
 * so.
 */
import { afterEach, expect, test } from "bun:test";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { lastMail, post } from "../../support/server/transactional.ts";

let api: SendingApi;
afterEach(() => api.stop());

const paragraphs = (count: number): string => "<p>Some words, <b>and more</b></p>".repeat(count);

test("A campaign of 200 KB of HTML goes out, links, footer and text part and all", async () => {
  api = await startSending();
  const { listId } = await makeAudience(api, 3);
  const body = `${paragraphs(6_000)}<a href="https://shop.example.org/new">news</a>`;
  const answer = await send(api, await makeCampaign(api, listId, { body }));
  expect(answer.body.data).toEqual({ sent: 3, failed: 0, remaining: 0, complete: true });
  const { mail } = await lastMail(api);
  expect(mail.html).toContain("Unsubscribe");
  expect(mail.html).toMatch(/\/c\/[\w-]{22}\/0"/);
  expect(mail.text).toContain("Some words, and more");
});

test("A campaign whose text part would be larger than 1 MB fails message by message, and the next one goes out", async () => {
  api = await startSending();
  const { listId } = await makeAudience(api, 2);
  const body = `${"<blockquote>".repeat(300)}${"word ".repeat(60_000)}`;
  const id = await makeCampaign(api, listId, { body });
  expect((await send(api, id)).body.data).toMatchObject({ sent: 0, failed: 2 });
  expect(await reportOf(api, id)).toMatchObject({ failed: 2, remaining: 0 });
  const next = await send(api, await makeCampaign(api, listId));
  expect(next.body.data).toMatchObject({ sent: 2, failed: 0 });
});

test("A request whose templates take many steps is answered, and one that takes too many is a 422", async () => {
  api = await startSending();
  const many = "{% for i in (1..20000) %}{{ i }} {% endfor %}";
  expect((await post(api, { text: many, variables: {} })).body.data).toMatchObject({ sent: 1 });
  expect((await lastMail(api)).mail.text).toContain(" 19999 20000");
  const loops = "{% for i in (1..9999) %}".repeat(3) + "{% endfor %}".repeat(3);
  const refused = await post(api, { text: loops, variables: {} });
  expect(refused.status).toBe(422);
  expect(refused.body.error.message).toContain("takes more steps than a letter may");
  expect(api.relay.accepted).toHaveLength(1);
});
