import { apiDocument } from "#app/http.ts";
import type { Command } from "#commands/line/command.ts";
import { configOf, optionFlags } from "#commands/line/option-flags.ts";

export const openapi: Command = {
  name: "openapi",
  says: "Prints the OpenAPI document of the API; needs no database.",
  operands: [],
  flags: optionFlags(["BASE_URL"], ({ variable, says }) => `${says} Or ${variable}.`),
  takesJson: true,
  notes: ["A running server shows the same at /api/v1/openapi.json, and to people at /docs."],
  example: "openapi > postrider.openapi.json",
  async run(call) {
    const { baseUrl } = configOf(call);
    await call.output.write(`${JSON.stringify(apiDocument(baseUrl), null, 2)}\n`);
  },
};
