import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { COMMANDS } from "#commands/line/table.ts";
import { lacksProgram, lacksTerminal } from "../../support/common/needs.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";

const home = temporaryDirectory();
const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, out } = await postrider(home.path, ["completion", shell]);
    expect(code).toBe(0);
    writeFileSync(`${home.path}/completion.${shell}`, out);
  }
  // Stands for the program: it prints the words a shell hands it.
  writeFileSync(`${home.path}/echo.sh`, `postrider() { printf '<%s>' "$@"; echo; }\n`);
  writeFileSync(`${home.path}/people of today.csv`, "email\n");
  mkdirSync(`${home.path}/folder`);
});
afterAll(() => home.remove());

const START: Record<"bash" | "zsh", readonly string[]> = {
  bash: ["bash --norc --noprofile -i", "PS1=''"],
  zsh: ["zsh -f -i", "PS1=''; autoload -U compinit; compinit -u -D"],
};

/** Types lines with tabs into an interactive shell on a terminal, and reads which words the program got. */
async function typed(shell: "bash" | "zsh", lines: readonly string[]): Promise<string[]> {
  const [command, prepare] = START[shell];
  const child = Bun.spawn(["script", "-qec", command!, "/dev/null"], {
    cwd: home.path,
    env: { ...process.env, TERM: "dumb", HISTFILE: "" },
    stdin: new Blob([
      [prepare, `source ./echo.sh; source ./completion.${shell}`, ...lines, "exit", ""].join("\n"),
    ]),
    stderr: "ignore",
  });
  const shown = await new Response(child.stdout).text();
  await child.exited;
  return shown.split(/\r?\n/).flatMap((line) => /(?:<[^<>]*>)+$/.exec(line.trimEnd())?.[0] ?? []);
}

describe.each(["bash", "zsh"] as const)("%s, really run,", (shell) => {
  const CASES: readonly (readonly [string, string])[] = [
    ["postrider key li\t", "<key><list>"],
    ["postrider im\tco\tpeo\t--st\tSUB\t", "<import><contacts><people of today.csv><--status><SUBSCRIBED>"],
    ["postrider settings set timez\tUTC", "<settings><set><timezone=UTC>"],
    ["postrider settings get from\tE\t", "<settings><get><fromEmail>"],
    ["postrider ver\t--js\t", "<version><--json>"],
    ["postrider --data-dir fold\tkey --na", "<--data-dir><folder/key><--na>"],
    ["postrider --data-dir=x key cr\t--na\tx", "<--data-dir=x><key><create><--name><x>"],
    [
      "postrider --workspace ws_1 suppression add a@example.com --rea\tCOMP\t",
      "<--workspace><ws_1><suppression><add><a@example.com><--reason><COMPLAINT>",
    ],
    ["postrider completion fi\t", "<completion><fish>"],
    ["postrider help suppr\t", "<help><suppression>"],
  ];
  test.skipIf(lacksTerminal(shell))("completes commands, flags, values, settings and files", async () => {
    expect(
      await typed(
        shell,
        CASES.map(([line]) => line),
      ),
    ).toEqual(CASES.map(([, words]) => words));
  });
});

test.skipIf(lacksProgram("zsh"))("zsh without a configuration of its own completes too", async () => {
  const script = "source ./completion.zsh; print -r -- $_comps[postrider]";
  const env = { ...process.env, ZDOTDIR: home.path, HOME: home.path };
  const child = Bun.spawn(["zsh", "-f", "-c", script], { cwd: home.path, env, stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([out, err]).toEqual(["_postrider\n", ""]);
});

test.skipIf(lacksProgram("fish"))(
  "fish, really run, completes commands, flags, values, settings and files",
  async () => {
    const ask = async (line: string): Promise<string[]> => {
      const script = `source ./completion.fish; complete -C '${line}'`;
      const child = Bun.spawn(["fish", "--no-config", "-c", script], { cwd: home.path, stderr: "pipe" });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(err).toBe("");
      return out
        .trimEnd()
        .split("\n")
        .map((found) => found.split("\t")[0]!);
    };
    expect(await ask("postrider key li")).toEqual(["list"]);
    expect(await ask("postrider --data-dir x key ")).toEqual(["create", "list", "revoke"]);
    expect(await ask("postrider import contacts --status SUB")).toContain("SUBSCRIBED");
    expect(await ask("postrider user add ada@example.com --role ")).toEqual(["editor", "owner", "viewer"]);
    expect(await ask("postrider serve --port ")).toEqual([""]);
    expect(await ask("postrider settings set timez")).toEqual(["timezone="]);
    expect(await ask("postrider import contacts peo")).toEqual(["people of today.csv"]);
    expect(await ask("postrider key create --na")).toContain("--name");
  },
);

describe.each(SHELLS)("the script for %s", (shell: Shell) => {
  test("knows every command and every flag that help knows", async () => {
    const { out } = await postrider(home.path, ["completion", shell]);
    for (const { name, flags } of COMMANDS) {
      for (const word of name.split(" ")) expect(out).toContain(word);
      for (const flag of flags)
        expect(out).toContain(shell === "fish" ? `-l ${flag.name} ` : `--${flag.name}`);
    }
  });

  test.skipIf(lacksProgram(shell))("can be read by the shell", async () => {
    const read = Bun.spawn([shell, "-n", `${home.path}/completion.${shell}`], { stderr: "pipe" });
    expect([await new Response(read.stderr).text(), await read.exited]).toEqual(["", 0]);
  });
});

test("another shell is refused with those there are", async () => {
  const ended = await postrider(home.path, ["completion", "tcsh"]);
  expect(ended).toEqual({ code: 2, out: "", err: "postrider: SHELL must be one of bash, zsh, fish\n" });
});
