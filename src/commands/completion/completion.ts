import { UsageError, type Command } from "#commands/line/command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completedCommands, type CompletedCommand } from "./words.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const SHELLS = Object.keys(SCRIPTS);

/** Takes the table of commands as a function, because the command is itself part of the table. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  says: "Prints a script with which a shell completes postrider's commands and flags.",
  operands: ["SHELL"],
  choices: SHELLS,
  flags: [],
  takesJson: false,
  notes: [
    "SHELL is bash, zsh or fish. To try it in bash: source <(postrider completion bash)",
    "The script's first lines say where to put it. Print it anew after an upgrade.",
  ],
  example: "completion bash >/etc/bash_completion.d/postrider",
  async run({ operands, output }) {
    const [shell = ""] = operands;
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw new UsageError(`SHELL must be one of ${SHELLS.join(", ")}`);
    await output.write(script(completedCommands(commands())));
  },
});
