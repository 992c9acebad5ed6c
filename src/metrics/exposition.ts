/** The text format that Prometheus reads (exposition format 0.0.4). */

export type Labels = Readonly<Record<string, string>>;

export type Sample = {
  readonly value: number;
  readonly labels?: Labels;
  /** Added to the family's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
};

/**
 * One metric with all its samples. The unit is in the name: `_seconds`, `_bytes`. A `_total` never decreases.
 */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
};

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Leaves out a family without samples. */
export function expositionText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escaped(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ value, labels = {}, suffix = "" }) => `${name}${suffix}${labelText(labels)} ${number(value)}`,
        ),
        "",
      ].join("\n"),
    )
    .join("");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', String.raw`\"`)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string =>
  text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);

function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
