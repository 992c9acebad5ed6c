import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { readCommandLine } from "#commands/line/command-line.ts";
import { COMMANDS } from "#commands/line/table.ts";
import { END_MS } from "#commands/server/serve.ts";
import { OPTIONS, readConfig } from "#config.ts";

const at = (name: string): string =>
  readFileSync(resolve(import.meta.dir, "../../../scripts/packaging", name), "utf8");
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

  test("gives the server everything that .env may say, but where it is in the container", () => {
    expect([...Object.keys(postrider.environment), "HOST", "PORT", "DATA_DIR"].toSorted()).toEqual(
      variables.toSorted(),
    );
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

test.each(["compose.yaml", "compose-nodes.yaml"])(
  "%s: its line for .env writes what is typed, also a user that is an address",
  async (name) => {
    const relay = "smtp://news%40example.com:p%25w@smtp.example.com:587";
    const line = /^# +(printf .*) >\.env/m.exec(at(name))?.[1] ?? "";
    const typed = line
      .replace("smtp://user:password@smtp.example.com:587", relay)
      .replace("openssl rand -hex 16", "echo 0123");
    expect(typed).toContain(relay);
    const shell = Bun.spawn(["sh", "-c", typed], { stdout: "pipe", stderr: "pipe" });
    const written = await new Response(shell.stdout).text();
    expect(await new Response(shell.stderr).text()).toBe("");
    expect(written.split("\n")).toContain(`SMTP_URL=${relay}`);
    expect(written.trimEnd().split("\n")).toHaveLength(line.split("=").length - 1);
  },
);

test("the unit lets the server open port 25, as README asks for, and nothing else", () => {
  const unit = at("postrider.service");
  for (const set of ["CapabilityBoundingSet", "AmbientCapabilities"])
    expect(unit.match(new RegExp(`^${set}=.*`, "gm"))).toEqual([`${set}=CAP_NET_BIND_SERVICE`]);
});

test("whoever stops the server gives it the time to say that it did not end in order", () => {
  const files = ["postrider.service", "compose.yaml", "compose-nodes.yaml", "Dockerfile"].map(at).join("");
  const seconds = [...files.matchAll(/(?:TimeoutStopSec=|stop_grace_period: |--stop-timeout )(\d+)/g)];
  expect(seconds).toHaveLength(4);
  for (const [, given] of seconds) expect(Number(given) * 1_000).toBeGreaterThan(END_MS);
});

describe("`bun start`", () => {
  test("reads no .env of the checkout, like every other start: Compose's is there, with the real relay", () => {
    const { start, dev } = JSON.parse(
      readFileSync(resolve(import.meta.dir, "../../../package.json"), "utf8"),
    ).scripts;
    for (const line of [...start.split(" && "), ...dev.split(" && ")])
      expect(line).toStartWith("bun --no-env-file ");
  });
});

type Node = (typeof compose)["services"]["postrider"];
const several = Bun.YAML.parse(at("compose-nodes.yaml")) as {
  services: Record<string, Partial<Node> & { command?: string | string[] }>;
  configs: Record<string, { content: string }>;
  volumes: Record<string, null>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
};

describe("three nodes and PostgreSQL", () => {
  const names = ["node1", "node2", "node3"];
  const nodes = names.map((name) => several.services[name] as Node);

  test("the nodes are alike, start again when they have lost their lease, and are asked whether they are well", () => {
    for (const node of nodes) expect({ ...node, volumes: [] }).toEqual({ ...nodes[0]!, volumes: [] });
    expect(nodes[0]).toMatchObject({ restart: "unless-stopped" });
    expect(runs(nodes[0]!.healthcheck.test.slice(1))).toEqual(["postrider", "health"]);
  });

  test("each keeps a data directory of its own, and all have the same keys", () => {
    for (const name of names)
      expect(several.services[name]!.volumes).toEqual([`${name}:/data`, "keys:/data/dkim"]);
    expect(Object.keys(several.volumes)).toEqual(expect.arrayContaining([...names, "keys"]));
    expect(dockerfile).toContain("-o postrider -g postrider /data /data/dkim\n");
  });

  test("what they are given is what the server reads", () => {
    expect([...Object.keys(nodes[0]!.environment), "HOST", "PORT", "DATA_DIR"].toSorted()).toEqual(
      variables.toSorted(),
    );
    const given = {
      DATABASE_PASSWORD: "secret",
      DOMAIN: "mail.example.com",
      SMTP_URL: "smtp://relay.example.com",
    };
    const filled = (value: string): string =>
      value.replace(/\$\{(\w+)(?::-)?\}/g, (_, name: string) => Reflect.get(given, name) ?? "");
    const environment = Object.fromEntries(
      Object.entries(nodes[0]!.environment).map(([name, value]) => [name, filled(value)]),
    );
    const config = readConfig({ flags: {}, environment, onTerminal: false });
    if (!config.ok) throw new Error(config.refusal.message);
    expect(config.value.database?.url).toBe("postgres://postrider:secret@database:5432/postrider");
    expect(config.value.baseUrl).toBe("https://mail.example.com");
    const [address] = several.networks.default.ipam.config[0]!.subnet.split("/");
    expect(config.value.isTrustedProxy(address!.replace(/0$/, "9"))).toBe(true);
  });

  test("the balancer asks all of them, and nothing is written before the standby has it", () => {
    const { content: caddyfile } = several.configs["caddyfile"]!;
    for (const name of names) expect(caddyfile).toContain(`${name}:8080`);
    // Nothing needs one that always sends a browser to the same node.
    expect(caddyfile).toContain("lb_policy round_robin");
    expect(several.configs["standbys"]!.content).toContain("synchronous_standby_names = 'standby'");
    expect(JSON.stringify(several.services["standby"])).toContain("application_name=standby");
    expect(several.services["database"]!.command).toContain("synchronous_commit=on");
  });
});
