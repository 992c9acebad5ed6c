/** Parts of an upload that are encoded as in mail: nobody is imported from what is not the file. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

const part = (name: string, content: string, encoding: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n`;

async function imported(...parts: string[]) {
  const headers = {
    authorization: `Bearer ${api.key}`,
    "content-type": "multipart/form-data; boundary=edge",
  };
  const body = `${parts.join("")}--edge--\r\n`;
  const response = await fetch(`${api.url}/api/v1/imports`, { method: "POST", headers, body });
  return { status: response.status, message: ((await response.json()) as any).error?.message };
}

const FILE = "email,firstName\nada@example.com,J=C3=BCrgen\n";
const OPTIONS = JSON.stringify({ status: "SUBSCRIBED" });

test("a part in quoted-printable or base64 is refused, and nobody is imported", async () => {
  for (const encoding of ["quoted-printable", "Base64"]) {
    const message = `has \`Content-Transfer-Encoding: ${encoding.toLowerCase()}\`: send it as it is, without this header.`;
    expect(await imported(part("file", FILE, encoding))).toEqual({
      status: 422,
      message: `The part \`file\` ${message}`,
    });
    expect(await imported(part("file", FILE, "binary"), part("options", OPTIONS, encoding))).toEqual({
      status: 422,
      message: `The part \`options\` ${message}`,
    });
  }
  expect((await api.call("GET", "/imports")).body.data).toEqual([]);
});

test("a part that says it is as it is, is taken", async () => {
  for (const encoding of ["7bit", "8bit", "binary"])
    expect((await imported(part("file", FILE, encoding), part("options", OPTIONS, encoding))).status).toBe(
      202,
    );
});
