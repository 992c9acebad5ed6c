import typescript from "typescript-5";

/** The generator needs TypeScript's old programming interface, which our own TypeScript no longer has. */
Bun.plugin({
  name: "typescript with a programming interface",
  setup: (build) =>
    void build.module("typescript", () => ({
      exports: { ...typescript, default: typescript },
      loader: "object",
    })),
});

/** The types of what the routes accept and of their successful answers. */
export async function apiTypes(): Promise<string> {
  const { apiDocument } = await import("#app/http.ts");
  const { default: nodesOf, astToString } = await import("openapi-typescript");
  // Only paths are typed, so the address in the document does not matter.
  const document = JSON.stringify(apiDocument("http://localhost:8080"), withoutProse);
  const nodes = await nodesOf(document, {
    alphabetize: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  const head =
    "// Written by scripts/gen.ts from the API's document: run `bun run gen` after changing a route.";
  return `${head}\n${astToString(nodes)}`;
}

/**
 * Leaves out what makes the file long and its changes hard to read: descriptions and examples, which are in the
 * reference, and errors, which all have one shape (`api/client.ts`).
 */
function withoutProse(key: string, value: unknown): unknown {
  if ((key === "description" || key === "summary") && typeof value === "string") return undefined;
  if (key === "example" || key === "examples") return undefined;
  if (key !== "responses" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([status]) => !/^[45]/.test(status)));
}
