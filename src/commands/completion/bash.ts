import { firstWord } from "#commands/line/command.ts";
import { allFlags, groupsOf, withValues, type CompletedCommand, type Place } from "./words.ts";

/**
 * For bash 4.1 or later; does not need the package bash-completion. Bash splits `--flag=value` at the `=`.
 */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const flags = allFlags(commands);
  const withValue = withValues(flags);
  return `# Completion of postrider's commands. For this shell: source <(postrider completion bash)
# For all: postrider completion bash >/etc/bash_completion.d/postrider
_postrider_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
_postrider_files() {
  local IFS=$'\\n'
  compopt -o filenames
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_postrider() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} typed="" flags="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    =) ((i++)) ;;
    ${withValue.map(({ name }) => `--${name}`).join(" | ")})
      [[ \${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;
    -*) ;;
    *) typed+=" \${COMP_WORDS[i]}" ;;
    esac
  done
  if [[ $cur == = ]]; then cur=""
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
${withValue.map(({ name, value }) => `  --${name}) ${place(value)} return ;;`).join("\n")}
  esac
  case "\${typed# } " in
${commandCases(commands)}
  esac
}
complete -F _postrider postrider
`;
}

/** A complete name comes before the group it begins with; the beginning of a name comes last. */
function commandCases(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  const firsts = [...new Set(commands.map(({ name }) => firstWord(name)))];
  const serve = commands.find(({ name }) => name === "serve");
  return [
    ...commands.map((command) => oneCase(`"${command.name} "*`, flagsOf(command), place(command.operands))),
    ...[...groups].map(([group, members]) =>
      oneCase(`"${group} "`, "", words(members.map(({ name }) => name.slice(group.length + 1)))),
    ),
    oneCase(`" "`, flagsOf(serve), words(firsts)),
  ].join("\n");
}

function oneCase(pattern: string, flags: string, operands: string): string {
  return `  ${pattern}) flags="${flags}"; if [[ $cur == -* ]]; then _postrider_words "$flags"; else ${operands} :; fi ;;`;
}

const flagsOf = (command: CompletedCommand | undefined): string =>
  (command?.flags ?? []).map(({ name }) => `--${name}`).join(" ");

const words = (list: readonly string[]): string => `_postrider_words "${list.join(" ")}";`;

/** What completes a place, as shell commands that end with a semicolon. */
function place(at: Place): string {
  if (at.kind === "words") return words(at.words);
  if (at.kind === "file") return "_postrider_files -f;";
  return at.kind === "directory" ? "_postrider_files -d;" : "";
}
