/** Attributes of contacts, as tests of the API set and read them. */
import type { Answer, TestApi } from "../server/api.ts";
import { person } from "./people.ts";

/** For the API that `apiNow` gives: it starts after the helpers are made. */
export function attributeCalls(apiNow: () => TestApi) {
  let count = 0;
  const list = async (key = apiNow().key): Promise<any[]> =>
    (await apiNow().call("GET", "/attributes", undefined, key)).body.data;
  return {
    /** A contact at an address of its own. */
    newPerson: (attributes?: object): Promise<any> =>
      person(apiNow(), `reader${count++}@example.com`, attributes === undefined ? {} : { attributes }),
    change: (id: string, attributes: unknown, query = ""): Promise<Answer> =>
      apiNow().call("PATCH", `/contacts/${id}${query}`, { attributes }),
    attributesOf: async (id: string): Promise<unknown> =>
      (await apiNow().call("GET", `/contacts/${id}?include=attributes`)).body.data.attributes,
    list,
    /** Null: nobody has it. */
    named: async (name: string) => (await list()).find((each) => each.name === name) ?? null,
  };
}
