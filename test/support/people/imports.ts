/** Uploads files to be imported, and waits until they are imported. */
import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, TestApi } from "../server/api.ts";
import { eventually } from "../common/eventually.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/imports");
export const fixture = (name: string): Uint8Array => readFileSync(`${FIXTURES}/${name}`);

/** POSTs a file under /api/v1 as a form does, with the service's own key unless another is given. */
export async function upload(
  api: TestApi,
  path: string,
  file: string | Uint8Array,
  options?: object | string,
  key = api.key,
  name = "people.csv",
): Promise<Answer> {
  const form = new FormData();
  if (options !== undefined)
    form.append("options", typeof options === "string" ? options : JSON.stringify(options));
  form.append("file", new Blob([file]), name);
  const response = await fetch(`${api.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const answer = { status: response.status, body: await response.json(), headers: response.headers };
  api.check("POST", path, answer);
  return answer;
}

/** The import when it is over. */
export async function ended(api: TestApi, id: string): Promise<any> {
  for (;;) {
    const { data } = (await api.call("GET", `/imports/${id}`)).body;
    if (data.state !== "RUNNING") return data;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Imports a file, and gives the import when it is over. */
export async function imported(api: TestApi, file: string | Uint8Array, options?: object): Promise<any> {
  const started = await upload(api, "/imports", file, options);
  if (started.status !== 202) throw new Error(JSON.stringify(started.body));
  return await ended(api, started.body.data.id);
}

export const errorsOf = async (api: TestApi, id: string): Promise<[number, string][]> =>
  (await api.call("GET", `/imports/${id}/errors?limit=100`)).body.data.map(
    ({ line, message }: { line: number; message: string }) => [line, message],
  );

/** The contacts by address, with their attributes. */
export async function peopleOf(api: TestApi, path = "/contacts"): Promise<Record<string, any>> {
  const { data } = (await api.call("GET", `${path}?limit=100&include=attributes`)).body;
  return Object.fromEntries(data.map((one: any) => [one.email, one]));
}

/** The files that wait to be imported, of all workspaces. */
export function waitingFiles({ dataDir }: TestApi): string[] {
  try {
    return readdirSync(join(dataDir, "imports"));
  } catch {
    return [];
  }
}

/** An import is over a moment before its file is deleted. */
export const untilNoFileWaits = (api: TestApi): Promise<void> =>
  eventually(() => waitingFiles(api).length === 0);

/** How everybody in a file stands after its import, by the part of their address before the @. No row may fail. */
export async function statusesOf(
  api: TestApi,
  file: string,
  options: object,
): Promise<Record<string, string>> {
  const done = await imported(api, file, options);
  expect([done.state, done.failed]).toEqual(["DONE", 0]);
  const all = Object.entries(await peopleOf(api));
  return Object.fromEntries(all.map(([email, { status }]) => [email.replace(/@.*/, ""), status]));
}

/** What a preview suggests for each column. */
export async function suggestedOf(api: TestApi, file: string): Promise<Record<string, string | null>> {
  const { columns } = (await upload(api, "/imports/preview", file)).body.data;
  return Object.fromEntries(columns.map(({ header, suggested }: any) => [header, suggested]));
}
