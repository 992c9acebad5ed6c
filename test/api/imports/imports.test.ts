/** docs/contract.md "Many at once": files that are imported. */
import { describe, expect, test } from "bun:test";
import {
  ended,
  errorsOf,
  imported,
  peopleOf,
  untilNoFileWaits,
  upload,
  waitingFiles,
} from "../../support/people/imports.ts";
import { listOf } from "../../support/people/people.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const people = (path?: string) => peopleOf(inOwn, path);

const untilNoneWaits = () => untilNoFileWaits(api);
const waiting = () => waitingFiles(api);

describe("POST /imports", () => {
  test("answers at once, imports by itself, and tells how far it is", async () => {
    const file =
      "email,firstName,status\nada@example.com,Ada,SUBSCRIBED\nnobody,,PENDING\ngrace@example.com,,PENDING\n";
    const started = await upload(inOwn, "/imports", file);
    expect(started.status).toBe(202);
    expect(started.body.data).toMatchObject({
      fileName: "people.csv",
      state: "RUNNING",
      error: null,
    });
    const done = await ended(inOwn, started.body.data.id);
    expect(done).toMatchObject({
      id: started.body.data.id,
      state: "DONE",
      rows: 3,
      created: 2,
      updated: 0,
      skipped: 0,
      failed: 1,
      finishedAt: expect.any(String),
    });
    expect(await errorsOf(inOwn, done.id)).toEqual([[3, expect.stringContaining("@")]]);
    expect((await inOwn.call("GET", "/imports")).body.data).toEqual([done]);
    expect(Object.keys(await people()).toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
    await untilNoneWaits();
  });

  test("how much is read is shown where `include` asks for it, beside the other members", async () => {
    const members = "created,createdAt,error,failed,fileName,finishedAt,id,rows,skipped,state,updated".split(
      ",",
    );
    const started = await upload(inOwn, "/imports", "email,status\nada@example.com,PENDING\n");
    const { id } = started.body.data;
    const paths = [`/imports/${id}`, "/imports"];
    const read = async (query: string) =>
      (
        await Promise.all(paths.map(async (path) => (await inOwn.call("GET", path + query)).body.data))
      ).flat();
    // The header is read where it runs, and all of it where that is over.
    for (const { share } of await read("?include=share")) expect([0.5, 1]).toContain(share);
    await ended(inOwn, id);
    await untilNoneWaits();
    for (const one of [started.body.data, ...(await read("")), ...(await read("?include="))])
      expect(Object.keys(one).toSorted()).toEqual(members);
    for (const one of await read("?include=share")) {
      expect(one.share).toBe(1);
      expect(Object.keys(one).toSorted()).toEqual([...members, "share"].toSorted());
    }
    for (const one of await read("?include=share,format"))
      expect(one).toMatchObject({ share: 1, format: { encoding: "utf-8", delimiter: "," } });
    for (const path of paths)
      expect((await inOwn.call("GET", `${path}?include=rows`)).body.error.message).toContain(
        "`share` or `format`",
      );
    expect((await inOwn.call("GET", "/imports/nothing?include=rows")).status).toBe(404);
  });

  test.each([
    ["no column for the address", "name,status\nAda,PENDING\n", {}, "no column email"],
    ["a person in its first row", "ada@b.example\n", { status: "PENDING" }, "first row is a person"],
    [
      "a person in its first row, whatever is mapped",
      "ada@b.example,Ada\nbob@b.example,Bob\n",
      { status: "PENDING", mapping: { "ada@b.example": "email", Ada: null } },
      "put such a row on top",
    ],
    ["no word on the status", "email\nada@example.com\n", {}, "`status`"],
    ["an empty file", "", { status: "PENDING" }, "empty"],
    [
      "a mapping of a column that is not there",
      "email\na@b.example\n",
      { status: "PENDING", mapping: { Mail: "email" } },
      "Mail",
    ],
    [
      "two columns for one field",
      "a,b\nx,y\n",
      { status: "PENDING", mapping: { a: "email", b: "email" } },
      "twice",
    ],
    ["a field that is none", "a\nx\n", { mapping: { a: "phone" } }, "`mapping`"],
    ["an attribute that can be none", "a\nx\n", { mapping: { a: "attributes.two words" } }, "`mapping`"],
    ["a status that is none", "email\nx\n", { status: "ACTIVE" }, "`status`"],
    ["unknownColumns that is none", "email\nx\n", { unknownColumns: "keep" }, "`unknownColumns`"],
    ["existing that is none", "email\nx\n", { existing: "replace" }, "`existing`"],
    ["a delimiter that is none", "email\nx\n", { delimiter: "::" }, "`delimiter`"],
    ["another service's name", "email\nx\n", { listId: "x" }, "`listIds`"],
    ["options that are no object", "email\nx\n", "[1]", "`options`"],
    ["options that are no JSON", "email\nx\n", "{", "`options`"],
  ])("with %s is 422; nothing is kept", async (_, file, options, says) => {
    const answer = await upload(inOwn, "/imports", file, options);
    expect([answer.status, answer.body.error?.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(says);
    expect((await inOwn.call("GET", "/imports")).body.data).toEqual([]);
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  const zip = (name: string): Uint8Array =>
    Buffer.from(`PK\x03\x04${"\0".repeat(26)}${name}\x93\xff\x01`, "latin1");
  const OTHERS: [what: string, file: string | Uint8Array, says: string][] = [
    ["an archive", zip("subscribed_1.csv"), "unpack it and import each file"],
    ["a workbook", zip("[Content_Types].xml"), "save the sheet as CSV"],
    ["an old workbook", Buffer.from(`d0cf11e0a1b11ae1${"00".repeat(600)}`, "hex"), "save the sheet as CSV"],
    ["a PDF", Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "latin1"), "This is a PDF"],
    ["gzip", Bun.gzipSync("email\nada@x.example\n"), "unpack it"],
    ["a page that begins with a comment", "<!-- made by a tool -->\n<html>email</html>\n", "This is a page"],
    ["a page", "\n<!DOCTYPE html>\n<html><head><title>503</title>email</head></html>\n", "This is a page"],
    [
      "a page in UTF-16",
      Buffer.from("\uFEFF<html><table><tr><td>email</td></tr>", "utf16le"),
      "This is a page",
    ],
    ["JSON", '[{"email":"ada@x.example","status":"unsubscribed"}]', "This is JSON"],
    ["JSON in lines", '{"email":"ada@x.example"}\n{"email":"bob@x.example"}\n', "This is JSON"],
    ["JSON over lines", '\uFEFF{\n  "contacts": [{"email":"ada@x.example"}]\n}\n', "This is JSON"],
  ];
  test.each(OTHERS)("with %s is 422 and says what to do, in a preview too", async (_, file, says) => {
    for (const path of ["/imports", "/imports/preview"]) {
      const { status, body } = await upload(inOwn, path, file, { status: "PENDING" });
      expect([status, body.error?.message]).toEqual([422, expect.stringContaining(says)]);
      expect(body.error.message).toContain("no CSV");
    }
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  test.each([
    "[email],[name]\nada@x.example,Ada\n",
    "<email>;name\nada@x.example;Ada\n",
    "{email},name\nada@x.example,A\n",
  ])("with a header in brackets is a table: %j", async (file) => {
    const mapping = { [/^[^,;]+/.exec(file)?.[0] ?? ""]: "email" };
    expect((await upload(inOwn, "/imports", file, { status: "PENDING", mapping })).status).toBe(202);
  });

  test("with a list of nobody or of another workspace is 404", async () => {
    const theirs = await listOf(api, "Theirs");
    for (const listIds of [["list_none"], [theirs]]) {
      const answer = await upload(inOwn, "/imports", "email\na@b.example\n", { status: "PENDING", listIds });
      expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  test.each([
    ["JSON", "application/json", "{}"],
    ["no boundary", "multipart/form-data", "x"],
    [
      "no file in it",
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="options"\r\n\r\n{}\r\n--x--\r\n',
    ],
    [
      "a file that is cut off",
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nemail',
    ],
    ["nothing", "multipart/form-data; boundary=x", ""],
  ])("of %s is 422", async (_, type, body) => {
    const headers = { authorization: `Bearer ${inOwn.key}`, "content-type": type };
    const response = await fetch(`${api.url}/api/v1/imports`, { method: "POST", headers, body });
    const answer = {
      status: response.status,
      body: (await response.json()) as any,
      headers: response.headers,
    };
    api.check("POST", "/imports", answer);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(waiting()).toEqual([]);
  });
});

describe("imports of a workspace", () => {
  test("are listed newest first and seen by nobody else", async () => {
    const first = await imported(inOwn, "email\na@example.com\n", { status: "PENDING" });
    const second = await imported(inOwn, "email\nx\n", { status: "PENDING" });
    const listed = (await inOwn.call("GET", "/imports?limit=1")).body;
    expect([listed.data[0].id, listed.pagination.total]).toEqual([second.id, 2]);
    const next = (await inOwn.call("GET", `/imports?after=${listed.pagination.nextCursor}`)).body.data;
    expect(next.map(({ id }: any) => id)).toEqual([first.id]);
    for (const [method, path] of [
      ["GET", `/imports/${first.id}`],
      ["GET", `/imports/${second.id}/errors`],
      ["DELETE", `/imports/${first.id}`],
    ] as const)
      expect([path, (await api.call(method, path)).status]).toEqual([path, 404]);
    expect((await api.call("GET", "/imports")).body.data).toEqual([]);
  });

  test("have their errors in pages, by line, the first 1,000 of them", async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => (i % 3 === 2 ? `p${i}@example.com` : "no address"));
    const done = await imported(inOwn, ["email", ...rows].join("\n"), { status: "PENDING" });
    expect(done).toMatchObject({ rows: 1_500, created: 500, failed: 1_000 });
    const lines: number[] = [];
    for (let after = ""; ;) {
      const page = (await inOwn.call("GET", `/imports/${done.id}/errors?limit=100&after=${after}`)).body;
      lines.push(...page.data.map(({ line }: any) => line));
      expect(page.pagination.total).toBe(1_000);
      after = page.pagination.nextCursor;
      if (after === null) break;
    }
    expect(lines).toEqual(rows.flatMap((row, i) => (row === "no address" ? [i + 2] : [])));
  });

  test("that are over cannot be cancelled", async () => {
    const done = await imported(inOwn, "email\na@example.com\n", { status: "PENDING" });
    expect(await inOwn.call("DELETE", `/imports/${done.id}`)).toMatchObject({
      status: 422,
      body: { error: { code: "WRONG_STATE" } },
    });
    expect((await inOwn.call("DELETE", "/imports/imp_none")).status).toBe(404);
  });

  test("that are cancelled keep what was kept and read no further", async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `c${i}@example.com`);
    const id = (await upload(inOwn, "/imports", ["email", ...rows].join("\n"), { status: "PENDING" })).body
      .data.id;
    expect((await inOwn.call("DELETE", `/imports/${id}`)).status).toBe(204);
    const { state, created } = (await inOwn.call("GET", `/imports/${id}`)).body.data;
    expect(state).toBe("CANCELLED");
    expect(created).toBeLessThan(30_000);
    await imported(inOwn, "email\nlast@example.com\n", { status: "PENDING" });
    const { total } = (await inOwn.call("GET", "/contacts?q=c&limit=1")).body.pagination;
    expect((await inOwn.call("GET", `/imports/${id}`)).body.data.created).toBe(created);
    expect(total).toBe(created + 1);
    await untilNoneWaits();
  });

  test("whose list is deleted meanwhile go on without it", async () => {
    const [kept, deleted] = [await listOf(inOwn, "Kept"), await listOf(inOwn, "Deleted")];
    const rows = Array.from({ length: 5_000 }, (_, i) => `l${i}@example.com`);
    const options = { status: "PENDING", listIds: [kept, deleted] };
    const id = (await upload(inOwn, "/imports", ["email", ...rows].join("\n"), options)).body.data.id;
    await inOwn.call("DELETE", `/lists/${deleted}`);
    expect(await ended(inOwn, id)).toMatchObject({ state: "DONE", created: 5_000, error: null });
    expect((await inOwn.call("GET", `/lists/${kept}`)).body.data.contactCount).toBe(5_000);
  });
});

describe("a hostile file", () => {
  test("a line of 40 MB, NUL, 10,000 columns, quotes that never close: each is one error, the rest is imported", async () => {
    const wide = Array.from({ length: 9_000 }, (_, i) => `c${i}`).join(",");
    const file = [
      `email,firstName,${wide}`,
      "ada@example.com,A\0da",
      "x".repeat(40 * 1024 * 1024),
      ",".repeat(500_000),
      '"b"ad,quotes',
      "grace@example.com,Grace",
      'linus@example.com,"never closed',
      "lost@example.com,Lost",
    ].join("\n");
    const done = await imported(inOwn, file, { status: "PENDING" });
    expect(done).toMatchObject({ state: "DONE", created: 2, failed: 4 });
    expect((await errorsOf(inOwn, done.id)).map(([line]) => line)).toEqual([3, 4, 5, 7]);
    expect((await people())["ada@example.com"].firstName).toBe("Ada");
  });

  test("of broken rows alone ends, and names the first of them", async () => {
    const done = await imported(inOwn, `email\n${'"a"b\n'.repeat(20_000)}`, { status: "PENDING" });
    expect(done).toMatchObject({ state: "DONE", rows: 20_000, failed: 20_000, created: 0 });
  });
});
