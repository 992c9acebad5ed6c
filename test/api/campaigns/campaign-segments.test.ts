import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { refusal, startApi, type TestApi } from "../../support/server/api.ts";
import { freeze, markSent, newCampaign, newList, newScheduled } from "../../support/sending/campaigns.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.services.workspaces.changeSettings(api.workspaceId, {
    fromEmail: "news@shop.example.org",
    senderDomains: ["letters.example.net", "shop.example"],
  });
});
afterAll(() => api.stop());

const RULES = { field: "tag", op: "equals", value: "vip" };
const newSegment = async (key = api.key): Promise<string> =>
  (await api.call("POST", "/segments", { name: "VIP", rules: RULES }, key)).body.data.id;
const options = (id: string) => api.call("GET", `/campaigns/${id}/options`);
const change = (id: string, body: unknown) => api.call("PATCH", `/campaigns/${id}/options`, body);
const INVALID = [422, "VALIDATION_ERROR"];

describe("scheduling needs a list or a segment", () => {
  const AT = "2030-11-22T09:00:00Z";
  const schedule = (id: string) => api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: AT });
  const statusOf = async (id: string) => (await api.call("GET", `/campaigns/${id}`)).body.data.status;

  test("neither: 422; a segment alone is enough", async () => {
    const { id } = await newCampaign(api);
    const refused = await schedule(id);
    expect([refusal(refused), refused.body.error.message]).toEqual([
      INVALID,
      expect.stringContaining("segmentId"),
    ]);
    await change(id, { segmentId: await newSegment() });
    expect((await schedule(id)).status).toBe(200);
    expect(await statusOf(id)).toBe("SCHEDULED");
  });

  test("a SCHEDULED campaign that loses its segment, and has no list, is a DRAFT again; other changes leave it", async () => {
    const { id } = await newCampaign(api);
    await change(id, { segmentId: await newSegment() });
    await schedule(id);
    await change(id, { preheader: "Snow", segmentId: await newSegment() });
    await api.call("PATCH", `/campaigns/${id}`, { subject: "Snow" });
    expect(await statusOf(id)).toBe("SCHEDULED");
    await change(id, { segmentId: null });
    expect((await api.call("GET", `/campaigns/${id}`)).body.data).toMatchObject({
      status: "DRAFT",
      scheduledAt: null,
    });
  });

  test("with a list it stays SCHEDULED without its segment; without its list it is a DRAFT, whatever segment it has", async () => {
    const campaign = await newScheduled(api, AT);
    await change(campaign.id, { segmentId: await newSegment() });
    await change(campaign.id, { segmentId: null });
    expect(await statusOf(campaign.id)).toBe("SCHEDULED");
    await change(campaign.id, { segmentId: await newSegment() });
    await api.call(
      "DELETE",
      `/lists/${campaign.listId ?? (await api.call("GET", `/campaigns/${campaign.id}`)).body.data.listId}`,
    );
    expect(await statusOf(campaign.id)).toBe("DRAFT");
  });
});

describe("a segment that a campaign uses", () => {
  const remove = (segment: string) => api.call("DELETE", `/segments/${segment}`);

  test.each(["segmentId", "excludeSegmentIds"])(
    "as %s is not deleted before the campaign is SENT; the message names it",
    async (name) => {
      const segment = await newSegment();
      const { id } = await newCampaign(api, { name: `Letter with ${name}`, listId: await newList(api) });
      await change(id, { [name]: name === "segmentId" ? segment : [segment] });
      for (const step of [async () => undefined, () => freeze(api, id, { queued: 1 })]) {
        await step();
        const answer = await remove(segment);
        expect([refusal(answer), answer.body.error.message]).toEqual([
          [409, "CONFLICT"],
          expect.stringContaining(`Letter with ${name}`),
        ]);
      }
      await markSent(api, id);
      expect((await remove(segment)).status).toBe(204);
      expect((await options(id)).body.data[name]).toEqual(name === "segmentId" ? segment : [segment]);
    },
  );

  test("can be deleted once the campaign lets it go, or is gone", async () => {
    const [one, two] = [await newSegment(), await newSegment()];
    const [kept, gone] = [await newCampaign(api), await newCampaign(api)];
    await change(kept.id, { segmentId: one });
    await change(gone.id, { segmentId: two });
    await change(kept.id, { segmentId: null });
    await api.call("DELETE", `/campaigns/${gone.id}`);
    expect([(await remove(one)).status, (await remove(two)).status]).toEqual([204, 204]);
  });

  test("and that is deleted later, is named by a copy too: what is read can be sent back, nothing else", async () => {
    const [segment, excluded, strange] = [await newSegment(), await newSegment(), await newSegment()];
    const list = await newList(api);
    const { id } = await newCampaign(api, { listId: await newList(api) });
    await change(id, { segmentId: segment, excludeListIds: [list], excludeSegmentIds: [excluded] });
    await markSent(api, id);
    for (const each of [segment, excluded, strange]) expect((await remove(each)).status).toBe(204);
    expect((await api.call("DELETE", `/lists/${list}`)).status).toBe(204);

    const copy = await api.call("POST", `/campaigns/${id}/duplicate`);
    expect(copy.status).toBe(201);
    const read = await options(copy.body.data.id);
    expect(read.body.data).toMatchObject({ segmentId: segment, excludeListIds: [list] });
    expect((await change(copy.body.data.id, read.body.data)).body).toEqual(read.body);
    expect((await api.call("POST", `/campaigns/${copy.body.data.id}/duplicate`)).status).toBe(201);
    expect((await change(copy.body.data.id, { excludeSegmentIds: [excluded, strange] })).status).toBe(404);
    // Once it was taken out it is as unknown as any.
    expect((await change(copy.body.data.id, { excludeListIds: [], segmentId: null })).status).toBe(200);
    expect((await change(copy.body.data.id, { excludeListIds: [list] })).status).toBe(404);
    expect((await change(copy.body.data.id, { segmentId: segment })).status).toBe(404);
  });
});
