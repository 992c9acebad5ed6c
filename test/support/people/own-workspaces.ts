/** One service for all tests of a file, and a workspace of its own for each of them. */
import { afterAll, beforeAll, beforeEach } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../server/api.ts";

/** The service, in its first workspace. */
export let api: TestApi;
/** The same in the workspace of the test that runs. */
export let inOwn: TestApi;

/** Call it once in a file. */
export function hasOwnWorkspaces(): void {
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    inOwn = await inNewWorkspace(api);
  });
}
