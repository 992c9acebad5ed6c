import { allFlags, groupsOf, withValues, type CompletedCommand, type Place } from "./words.ts";

/** For fish 3. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const withValue = withValues(allFlags(commands));
  return `# Completion of postrider's commands. For this shell: postrider completion fish | source
# For all: postrider completion fish >~/.config/fish/completions/postrider.fish
function __postrider_typed
    set -l typed
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${withValue.map(({ name }) => `--${name}`).join(" ")}
            set skip 1
        else if not string match -q -- '-*' $word
            set -a typed $word
        end
    end
    string join ' ' -- $typed
end
function __postrider_at
    set -l typed (__postrider_typed)
    test "$typed" = "$argv"; or string match -q -- "$argv *" "$typed"
end
function __postrider_exactly
    set -l typed (__postrider_typed)
    test "$typed" = "$argv"
end
complete -c postrider -f
${[...starts(commands), ...commands.flatMap(rules)].join("\n")}
`;
}

function starts(commands: readonly CompletedCommand[]): string[] {
  const groups = groupsOf(commands);
  const single = commands.filter(({ name }) => !name.includes(" "));
  return [
    ...single.map(({ name, says }) => suggestion("", name, says)),
    ...[...groups].flatMap(([group, members]) => [
      suggestion("", group, members.map(({ name }) => name.slice(group.length + 1)).join(", ")),
      ...members.map(({ name, says }) => suggestion(group, name.slice(group.length + 1), says)),
    ]),
  ];
}

const suggestion = (behind: string, word: string, says: string): string =>
  `complete -c postrider -n '__postrider_exactly ${behind}' -a ${word} -d ${quote(says)}`;

function rules({ name, flags, operands }: CompletedCommand): string[] {
  const start = `complete -c postrider -n '__postrider_at ${name}'`;
  return [
    ...flags.map((flag) =>
      [
        start,
        `-l ${flag.name}`,
        ...(flag.value === null ? [] : [valueRule(flag.value), place(flag.value)]),
        `-d ${quote(flag.says)}`,
      ].join(" "),
    ),
    ...(operands.kind === "unknown" ? [] : [`${start} ${place(operands)}`]),
  ];
}

/** With `-r` alone, fish offers files beside what a rule names. */
const valueRule = (at: Place): string => (at.kind === "file" ? "-r" : "-x");

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function place(at: Place): string {
  if (at.kind === "words") return `-a ${quote(at.words.join(" "))}`;
  if (at.kind === "file") return "-F";
  return at.kind === "directory" ? "-a '(__fish_complete_directories)'" : "";
}
