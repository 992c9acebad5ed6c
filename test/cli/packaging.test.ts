import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readCommandLine } from "#commands/line/command-line.ts";
import { COMMANDS } from "#commands/line/table.ts";
import { OPTIONS, readConfig } from "#config.ts";

const at = (name: string): string =>
  readFileSync(resolve(import.meta.dir, "../../scripts/packaging", name), "utf8");
const dockerfile = at("Dockerfile");
const variables: readonly string[] = OPTIONS.map(({ variable }) => variable);

type Compose = {
  services: {
    postrider: {
      restart: string;
      environment: Record<string, string>;
      volumes: string[];
      ports: string[];
      healthcheck: { test: string[] };
    };
  };
  networks: { default: { ipam: { config: { gateway: string }[] } } };
};
const compose = Bun.YAML.parse(at("compose.yaml")) as Compose;
const { postrider } = compose.services;

/** What a line such as `CMD ["postrider", "serve"]` runs. */
const runs = (words: readonly string[]) => {
  const typed = readCommandLine(words.slice(1), COMMANDS);
  return [words[0], "helpOn" in typed ? "" : typed.command.name];
};

describe("the container", () => {
  test("runs commands that there are, and asks itself whether it is well", () => {
    const listed = [...dockerfile.matchAll(/CMD (\[.*\])$/gm)].map(([, words]) => runs(JSON.parse(words!)));
    expect(listed).toEqual([
      ["postrider", "health"],
      ["postrider", "serve"],
    ]);
    expect(runs(postrider.healthcheck.test.slice(1))).toEqual(["postrider", "health"]);
    expect(postrider.healthcheck.test[0]).toBe("CMD");
  });

  test("sets nothing the server does not read, and what it sets is accepted", () => {
    const environment = Object.fromEntries(
      /^ENV (.*)$/m
        .exec(dockerfile)![1]!
        .split(" ")
        .map((pair) => pair.split("=")),
    );
    expect(variables).toEqual(
      expect.arrayContaining(Object.keys({ ...environment, ...postrider.environment })),
    );
    // As with a file that names nothing: every ${NAME:-default} is its default.
    const given = Object.entries(postrider.environment).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, "$1"),
    ]);
    const config = readConfig({
      flags: {},
      environment: { ...environment, ...Object.fromEntries(given) },
      onTerminal: false,
    });
    if (!config.ok) throw new Error(config.refusal.message);
    expect(config.value).toMatchObject({ host: "0.0.0.0", dataDir: "/data", relays: null });
    expect(config.value.isTrustedProxy(compose.networks.default.ipam.config[0]!.gateway)).toBe(true);
    expect(config.value.isTrustedProxy("172.17.0.1")).toBe(false);
  });

  test("keeps its data in a volume, is reached from this machine only, and comes back by itself", () => {
    expect(dockerfile).toContain("VOLUME /data");
    expect(postrider).toMatchObject({
      restart: "unless-stopped",
      volumes: ["data:/data"],
      ports: ["127.0.0.1:${PORT:-8080}:8080"],
    });
  });

  test("tells about TRUSTED_PROXIES, without which every visitor has the proxy's address", () => {
    for (const text of [dockerfile, at("compose.yaml")]) expect(text).toContain("TRUSTED_PROXIES");
  });
});
