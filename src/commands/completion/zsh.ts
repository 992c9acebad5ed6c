import { allFlags, groupsOf, withValues, type CompletedCommand, type Place } from "./words.ts";

/** For zsh 5 with its completion system (compinit). */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const withValue = withValues(allFlags(commands));
  return `#compdef postrider
# Completion of postrider's commands. For this shell: source <(postrider completion zsh)
# For all: postrider completion zsh >"\${fpath[1]}/_postrider"
_postrider_words() {
  local -a found=("$@") keys=(\${(M)@:#*=})
  if (( $#keys )); then compadd -S '' -- $found; else compadd -- $found; fi
}
_postrider() {
  local typed="" i
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
    ${withValue.map(({ name }) => `--${name}`).join("|")}) ((i++)) ;;
    -*) ;;
    *) typed+=" $words[i]" ;;
    esac
  done
  case $words[CURRENT-1] in
${withValue.map(({ name, value }) => `  --${name}) ${place(value)}; return ;;`).join("\n")}
  esac
  local -a described
  case "\${typed# } " in
${commandCases(commands)}
  esac
}
if [[ $funcstack[1] == _postrider ]]; then _postrider "$@"
else
  # A shell without a configuration of its own has not loaded the completion system.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _postrider postrider
fi
`;
}

/** A complete name comes before the group it begins with; the beginning of a name comes last. */
function commandCases(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  const single = commands.filter(({ name }) => !name.includes(" "));
  const serve = commands.find(({ name }) => name === "serve");
  const first = [
    ...single,
    ...[...groups].map(([name, members]) => ({
      name,
      says: members.map((one) => one.name.slice(name.length + 1)).join(", "),
    })),
  ];
  return [
    ...commands.map((one) => `  "${one.name} "*) ${flagsOr(one, place(one.operands))} ;;`),
    ...[...groups].map(([group, members]) => {
      const rest = members.map(({ name, says }) => ({ name: name.slice(group.length + 1), says }));
      return `  "${group} ") ${described(rest)} ;;`;
    }),
    `  " ") ${flagsOr(serve, described(first))} ;;`,
  ].join("\n");
}

function flagsOr(command: CompletedCommand | undefined, operands: string): string {
  const flags = (command?.flags ?? []).map(({ name, says }) => ({ name: `--${name}`, says }));
  return `if [[ $words[CURRENT] == -* ]]; then ${described(flags)}; else ${operands}; fi`;
}

const described = (list: readonly { name: string; says: string }[]): string =>
  `described=(${list.map(({ name, says }) => quote(`${name}:${says}`)).join(" ")}); _describe postrider described`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function place(at: Place): string {
  if (at.kind === "words") return `_postrider_words ${at.words.join(" ")}`;
  if (at.kind === "file") return "_files";
  return at.kind === "directory" ? "_files -/" : ":";
}
