import { present } from "#core/present.ts";
import { apiDocument } from "#app/http.ts";
import { flagOf, OPTIONS, readConfig } from "#config.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Command } from "#commands/line/command.ts";

const BASE_URL = present(
  OPTIONS.find(({ variable }) => variable === "BASE_URL"),
  "option BASE_URL",
);

export const openapi: Command = {
  name: "openapi",
  says: "Prints the OpenAPI document of the API; needs no database.",
  operands: [],
  flags: [
    {
      name: flagOf(BASE_URL.variable),
      value: BASE_URL.value,
      says: `${BASE_URL.says} Or ${BASE_URL.variable}.`,
    },
  ],
  takesJson: true,
  notes: ["A running server shows the same at /api/v1/openapi.json, and to people at /docs."],
  example: "openapi > postrider.openapi.json",
  async run({ flags, output, environment }) {
    const { baseUrl } = unwrap(readConfig({ flags, environment, onTerminal: output.onTerminal }));
    await output.write(`${JSON.stringify(apiDocument(baseUrl), null, 2)}\n`);
  },
};
