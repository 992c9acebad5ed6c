import { api, ok, refusal } from "../../api/client.ts";

/**
 * Adds and removes the tags that differ. The others are left as they are by now: an automation may have changed them
 * since the page was loaded.
 * @returns the contact as it is afterwards
 * @throws ApiError if a tag was refused
 */
export async function saveTags(id: string, before: readonly string[], after: readonly string[]) {
  for (const tag of before) if (!after.includes(tag)) await act(id, "removeTag", tag);
  for (const tag of after) if (!before.includes(tag)) await act(id, "addTag", tag);
  return await ok(
    api.GET("/api/v1/contacts/{id}", { params: { path: { id }, query: { include: "attributes" } } }),
  );
}

async function act(id: string, action: "addTag" | "removeTag", tag: string): Promise<void> {
  const { data } = await ok(
    api.POST("/api/v1/contacts/actions", { body: { action, tag, contactIds: [id] } }),
  );
  const [problem] = data.problems;
  if (problem !== undefined) throw refusal(422, "VALIDATION_ERROR", problem.message);
}
