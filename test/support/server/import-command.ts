/** `postrider import contacts` beside a running server, each time into a workspace of its own. */
import { writeFileSync } from "node:fs";
import { callApi } from "./api.ts";
import { postrider, startPostrider, temporaryDirectory } from "./postrider.ts";

export type ImportCommand = Awaited<ReturnType<typeof startImportCommand>>;

export async function startImportCommand() {
  const home = temporaryDirectory();
  const file = `${home.path}/people.csv`;
  const server = await startPostrider(home.path);
  let { workspace, key } = { workspace: "", key: "" };
  const api = async (method: string, path: string, body?: unknown) =>
    (await callApi(`${server.url}/api/v1${path}`, method, key, body)).body.data;
  return {
    /** The following calls concern a new workspace beside the others. */
    async inNewWorkspace(): Promise<void> {
      const created = JSON.parse(
        (await postrider(home.path, ["workspace", "create", "--name", "Import", "--json"])).out,
      );
      workspace = created.id;
      key = created.key;
    },
    async importing(text: string | Uint8Array, ...flags: string[]) {
      writeFileSync(file, text);
      const ended = await postrider(home.path, [
        "import",
        "contacts",
        file,
        "--workspace",
        workspace,
        "--json",
        ...flags,
      ]);
      return { ...ended, result: ended.out === "" ? null : JSON.parse(ended.out) };
    },
    /** Any command, for the same workspace; its last file is `file`. */
    run: (args: string[]) => postrider(home.path, [...args, "--workspace", workspace]),
    file,
    api,
    /** The contacts as a CSV would have them, oldest first. */
    async people(path = "/contacts"): Promise<string[][]> {
      const contacts = await api("GET", `${path}?limit=100`);
      return contacts
        .map((one: any) => [one.email, one.firstName, one.lastName, one.tags.join(";"), one.status])
        .toReversed();
    },
    async stop(): Promise<void> {
      await server.end("SIGTERM");
      home.remove();
    },
  };
}
