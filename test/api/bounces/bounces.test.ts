/** Mails about failed mail that Postrider could not read (docs/contract.md "Bounces to look at"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import { suppressions } from "../../support/people/people.ts";
import { BOUNCE_DOMAIN, overSmtp } from "../../support/inbound/reports.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { signedIn } from "../../support/server/signed-in.ts";

let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
});
afterAll(() => service.stop());

let mails = 0;

/** Says that it is a report, and not what became of the mail. No two have the same bytes: those are kept once. */
const riddle = (subject: string, text = "Something happened.", type = "text/plain"): Buffer =>
  Buffer.from(
    `From: MAILER-DAEMON@mx.example.net\r\nSubject: ${subject}\r\nX-Mail: ${1_000 + mails++}\r\nMIME-Version: 1.0\r\n` +
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n' +
      `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n` +
      "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n--b--\r\n",
  );

const comes = async (raw: Uint8Array, workspaceId = api.workspaceId): Promise<void> => {
  const taken = await api.services.bounces.takeMail({
    raw,
    way: "mailbox",
    envelopeRecipients: [],
    workspaceIds: [workspaceId],
  });
  expect(taken).toBe("kept");
};

const list = async (query = "") => (await api.call("GET", `/bounces?${query}`)).body;
const subjects = async (query = ""): Promise<string[]> =>
  (await list(query)).data.map(({ subject }: { subject: string }) => subject);

describe("GET /bounces", () => {
  test("lists what came in for the workspace, newest first, page by page", async () => {
    for (const subject of ["One", "Two", "Three"]) await comes(riddle(subject));
    await comes(riddle("Theirs"), (await api.services.workspaces.create("Neighbours")).id);
    expect(await subjects()).toEqual(["Three", "Two", "One"]);
    const first = await list("limit=2");
    expect(first.pagination).toMatchObject({ total: 3, hasMore: true });
    expect(await subjects(`limit=2&after=${first.pagination.nextCursor}`)).toEqual(["One"]);
    expect(first.data[0]).toEqual({
      id: expect.stringMatching(/^bounce_\d+$/),
      way: "mailbox",
      from: "MAILER-DAEMON@mx.example.net",
      subject: "Three",
      sizeBytes: riddle("Three").length,
      receivedAt: expect.stringMatching(/^\d{4}-/),
    });
  });

  test("says what to do instead of filters it has not, and refuses another list's cursor", async () => {
    expect((await api.call("GET", "/bounces?email=ada@example.com")).body.error.message).toContain(
      "a person's bounces are in their timeline",
    );
    expect((await api.call("GET", "/bounces?after=nonsense")).status).toBe(422);
  });
});

describe("GET /bounces/{id}", () => {
  const read = async () => (await api.call("GET", `/bounces/${(await list()).data[0].id}`)).body.data;

  test("shows the text that people read, and the mail as it came", async () => {
    const mail = riddle(
      "Müll",
      "<p>Sorry, <b>no</b> &lt;mailbox&gt;</p><script>alert(1)</script>",
      "text/html",
    );
    await comes(mail);
    const shown = await read();
    expect(shown.source).toBe(mail.toString());
    expect(shown.text).toContain("Sorry,");
    expect(shown.text).toContain("<mailbox>");
    expect(shown.text).not.toContain("<b>");
  });

  test("shows bytes that are no text, and what cannot be taken apart", async () => {
    const deep = Array.from(
      { length: 40 },
      (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary="b${i + 1}"\r\n\r\n`,
    ).join("");
    await comes(
      Buffer.concat([
        Buffer.from('Subject: x\r\nContent-Type: multipart/mixed; boundary="b0"\r\n\r\n'),
        Buffer.from(deep),
        Buffer.from([0xff, 0xfe, 0x00]),
      ]),
    );
    const shown = await read();
    expect(shown.text).toBe("");
    expect(shown.source.endsWith("\uFFFD\uFFFD\0")).toBe(true);
  });

  test("has no id of another workspace, and none that is no number of ours", async () => {
    const other = await api.services.workspaces.create("Neighbours");
    await comes(riddle("Theirs"), other.id);
    const { id } = (await api.call("GET", "/bounces", undefined, other.key)).body.data[0];
    for (const path of [id, "bounce_0", "bounce_999999999999999", "bounce_1e3", "1", "nothing"])
      for (const method of ["GET", "DELETE"])
        expect([method, path, (await api.call(method, `/bounces/${path}`)).status]).toEqual([
          method,
          path,
          404,
        ]);
    expect((await api.call("GET", `/bounces/${id}`, undefined, other.key)).status).toBe(200);
  });
});

test("DELETE takes one off the list, suppresses nobody, and is in the audit log; a viewer may only look", async () => {
  await comes(riddle("One"));
  await comes(riddle("Two"));
  const [two] = (await list()).data;
  const viewer = await signedIn(api, "viewer", { workspaceId: api.workspaceId });
  expect((await viewer.call("GET", `/bounces/${two.id}`)).status).toBe(200);
  expect((await viewer.call("DELETE", `/bounces/${two.id}`)).status).toBe(403);
  const editor = await signedIn(api, "editor", { workspaceId: api.workspaceId });
  expect((await editor.call("DELETE", `/bounces/${two.id}`)).status).toBe(204);
  expect((await editor.call("DELETE", `/bounces/${two.id}`)).status).toBe(404);
  expect(await subjects()).toEqual(["One"]);
  expect(await suppressions(api)).toEqual({});
  const [entry] = (await api.call("GET", "/audit?what=bounce_deleted")).body.data;
  expect(entry).toMatchObject({ who: editor.email, target: two.id });
});

test("a mail to the complaint box of one workspace is that workspace's; one that several share is nobody's", async () => {
  const { workspaces } = api.services;
  const takes = { bounceDomain: BOUNCE_DOMAIN, inboundComplaints: true };
  await workspaces.changeSettings(api.workspaceId, takes);
  const box = `abuse@${BOUNCE_DOMAIN}`;
  expect(await overSmtp(api, riddle("Ours"), box)).toBe("kept");
  expect(await subjects()).toEqual(["Ours"]);
  const other = await workspaces.create("Neighbours");
  await workspaces.changeSettings(other.id, takes);
  expect(await overSmtp(api, riddle("Whose?"), box)).toBe("kept");
  expect(await subjects()).toEqual(["Ours"]);
  expect((await api.call("GET", "/bounces", undefined, other.key)).body.data).toEqual([]);
  expect(numberOf(api, "SELECT count(*) AS n FROM unread_mails WHERE workspace IS NULL")).toBe(1);
});

test("the same mail is kept once for each workspace that it came to, and once for nobody's", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  const mail = riddle("Twice");
  for (const workspaceId of [api.workspaceId, other.id]) {
    await comes(mail, workspaceId);
    const again = { raw: mail, way: "mailbox", envelopeRecipients: [], workspaceIds: [workspaceId] } as const;
    expect(await api.services.bounces.takeMail(again)).toBe("known");
  }
  expect(await subjects()).toEqual(["Twice"]);
  const theirs = (await api.call("GET", "/bounces", undefined, other.key)).body.data;
  expect(theirs).toMatchObject([{ subject: "Twice" }]);
  const [ours] = (await list()).data;
  expect((await api.call("DELETE", `/bounces/${ours.id}`)).status).toBe(204);
  expect((await api.call("GET", `/bounces/${theirs[0].id}`, undefined, other.key)).status).toBe(200);
  const nobodys = numberOf(api, "SELECT count(*) AS n FROM unread_mails WHERE workspace IS NULL");
  for (let n = 0; n < 2; n++)
    await api.services.bounces.takeMail({
      raw: mail,
      way: "smtp",
      envelopeRecipients: [],
      workspaceIds: null,
    });
  expect(numberOf(api, "SELECT count(*) AS n FROM unread_mails WHERE workspace IS NULL")).toBe(nobodys + 1);
});
