/**
 * A strict reader of Prometheus's text format, 0.0.4. Throws at anything that the format forbids or only
 * tolerates.
 */

export type Metric = {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly value: number;
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LINE = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const VALUE = /^(?:[+-]Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const HELP = /^# HELP (\S+) (?:[^\\]|\\[\\n])*$/;
const TYPE = /^# TYPE (\S+) (counter|gauge|histogram)$/;

export function parsePrometheus(text: string): Metric[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const metrics: Metric[] = [];
  const seen = new Set<string>();
  const families = new Set<string>();
  let family = { name: "", type: "" };
  for (const line of text.slice(0, -1).split("\n")) {
    if (line.startsWith("#")) {
      family = readComment(line, family, families);
      continue;
    }
    const metric = readSample(line);
    if (seen.has(line.slice(0, line.lastIndexOf(" ")))) throw new Error(`twice: ${line}`);
    seen.add(line.slice(0, line.lastIndexOf(" ")));
    checkFamily(metric, family);
    metrics.push(metric);
  }
  checkHistograms(metrics);
  return metrics;
}

function readComment(line: string, family: { name: string; type: string }, families: Set<string>) {
  const help = HELP.exec(line);
  if (help) {
    if (families.has(help[1]!)) throw new Error(`a family in two places: ${line}`);
    families.add(help[1]!);
    return { name: help[1]!, type: "" };
  }
  const type = TYPE.exec(line);
  if (!type || type[1] !== family.name || family.type !== "") throw new Error(`no such comment: ${line}`);
  return { name: family.name, type: type[2]! };
}

function readSample(line: string): Metric {
  const [, name = "", labelText = "", value = ""] = LINE.exec(line) ?? [];
  if (!NAME.test(name) || !VALUE.test(value)) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = labelText; rest !== "";) {
    const [whole, label = "", text = ""] = LABEL.exec(rest) ?? [];
    if (whole === undefined || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = text.replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function checkFamily(
  { name, labels, value }: Metric,
  { name: family, type }: { name: string; type: string },
) {
  const suffixes = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (type === "" || !suffixes.some((suffix) => name === family + suffix))
    throw new Error(`${name} does not belong to ${family}`);
  if (type !== "gauge" && !(value >= 0)) throw new Error(`${name} is negative`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`${name}: a counter ends in _total`);
  if (name.endsWith("_bucket") !== "le" in labels)
    throw new Error(`${name}: a bucket has le, nothing else has`);
}

/** Buckets never decrease and end with +Inf, which equals the count. */
function checkHistograms(metrics: readonly Metric[]): void {
  const below = new Map<string, { le: number; value: number }>();
  const keyOf = (name: string, labels: Record<string, string>): string =>
    name + JSON.stringify({ ...labels, le: undefined });
  for (const { name, labels, value } of metrics) {
    if (name.endsWith("_bucket")) {
      const key = keyOf(name.slice(0, -"_bucket".length), labels);
      const last = below.get(key) ?? { le: Number.NEGATIVE_INFINITY, value: 0 };
      const le = Number(labels["le"]!.replace("Inf", "Infinity"));
      if (!(le > last.le) || value < last.value) throw new Error(`${key}: buckets out of order`);
      below.set(key, { le, value });
    }
    if (!name.endsWith("_count")) continue;
    const last = below.get(keyOf(name.slice(0, -"_count".length), labels));
    if (last?.le !== Number.POSITIVE_INFINITY || last.value !== value)
      throw new Error(`${name}: no +Inf bucket`);
  }
}
