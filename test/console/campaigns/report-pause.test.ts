/** A send is paused and resumed from its report. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  beginSend,
  makeAudience,
  makeCampaign,
  reportOf,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
closesBrowser();

const pausedOf = async (id: string) =>
  (await api.call("GET", `/campaigns/${id}/report?include=paused`)).body.data;

describe.skipIf(lacksBrowser())("a send whose relay says that it is paused", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending({ CONNECT: "421 4.3.2 Deliveries are paused" });
  });
  afterAll(() => api.stop({ graceMs: 0 }));

  test("can be paused by a person, and only then resumed", async () => {
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    const id = await makeCampaign(api, listId, { name: "Under way" });
    beginSend(api, id);
    await eventually(async () => /Deliveries are paused/.test((await reportOf(api, id)).blocked));
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/${id}/report`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByText(/Deliveries are paused/).waitFor();
    expect(await button("Resume").count()).toBe(0);
    await button("Pause").click();
    await button("Resume").waitFor();
    expect(await pausedOf(id)).toMatchObject({ paused: true, sent: 0, remaining: 1 });
    expect(await reportOf(api, id)).not.toHaveProperty("paused");
    await button("Resume").click();
    await button("Pause").waitFor();
    expect(await pausedOf(id)).toMatchObject({ paused: false });
    await end();
  });
});
