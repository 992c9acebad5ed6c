import {
  EchoTag,
  Output,
  toValue,
  toValueSync,
  TypeGuards,
  Value,
  type Emitter,
  type Template,
} from "liquidjs";
import { spendingOf, type FillContext } from "./engine/fill-context.ts";
import { ASK_LIQUIDJS, plainPath, valueAt } from "./liquid-holes.ts";
import { writtenUnquoted } from "./liquid-values.ts";
import type { UnquotedPlaces } from "./unquoted-places.ts";

/**
 * Makes looking up the values of a template fast. liquidjs runs a dozen generators to look up one name, and most
 * values are a name, perhaps with filters or compared with another. Here names are looked up directly, and filters
 * and operators are called directly. They are still those of liquidjs, and so are the tags: what a template means
 * does not change. If a name leads to more than plain data, liquidjs looks it up itself.
 * @param unquoted the outputs that stand in tags of HTML, outside quotes
 */
export function quicken(templates: readonly Template[], unquoted: UnquotedPlaces): void {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? [])
      if (argument instanceof Value) quickenValue(argument);
    const children = template.children?.(false, true);
    if (children !== undefined) quicken(toValueSync<Template[]>(children), unquoted);
    if (template instanceof Output) quickenOutput(template, unquoted);
    else if (template instanceof EchoTag) fitEcho(template, unquoted);
    else if (TypeGuards.isHTMLToken(template.token)) quickenText(template, template.token.getContent());
  }
}

function quickenText(template: Template, text: string): void {
  Object.assign(template, { render: (_: FillContext, emitter: Emitter): void => emitter.write(text) });
}

function quickenOutput(output: Output, unquoted: UnquotedPlaces): void {
  const place = unquoted.get(output.token.begin);
  Object.assign(output, {
    render(context: FillContext, emitter: Emitter): void {
      const written = toValue(toValueSync(output.value.value(context, false)));
      emitter.write(place === undefined ? written : writtenUnquoted(written, place));
    },
  });
}

function fitEcho(echo: EchoTag, unquoted: UnquotedPlaces): void {
  const place = unquoted.get(echo.token.begin);
  if (place === undefined) return;
  const render = echo.render.bind(echo);
  Object.assign(echo, {
    render(context: FillContext, emitter: Emitter): unknown {
      const fitted = { buffer: "", write: (html: unknown) => emitter.write(writtenUnquoted(html, place)) };
      return render(context, fitted);
    },
  });
}

function quickenValue(value: Value): void {
  const slow = value.value.bind(value);
  const quick = quickValue(value);
  // Every part is evaluated, also where no operator joins two of them, so each one costs.
  const { length } = value.initial.postfix;
  if (quick === null && length < 2) return;
  Object.assign(value, {
    value(context: FillContext, lenient?: boolean): unknown {
      if (length > 1) spendingOf(context).parts(length);
      const found = quick === null ? ASK_LIQUIDJS : quick(context);
      return found === ASK_LIQUIDJS ? slow(context, lenient) : found;
    },
  });
}

type Token = Value["initial"]["postfix"][number];
type Filter = Value["filters"][number];
/** One part of a value: a name, a literal, a filter. It returns ASK_LIQUIDJS where that must be asked. */
type Read = (context: FillContext) => unknown;
type Use = (value: unknown, context: FillContext) => unknown;

function quickValue({ initial, filters }: Value): Read | null {
  const first = expression(initial.postfix);
  const uses = filters.map(filterOf);
  if (first === null || !areAllKnown(uses)) return null;
  return (context) => {
    let found = first(context);
    for (const use of uses) {
      if (found === ASK_LIQUIDJS) return ASK_LIQUIDJS;
      found = use(found, context);
    }
    return found;
  };
}

/** Names and literals with operators between them, in the order in which they are evaluated. */
function expression(postfix: readonly Token[]): Read | null {
  const [only, ...more] = postfix;
  if (more.length === 0) return operand(only);
  const steps = postfix.map((token) =>
    TypeGuards.isOperatorToken(token) ? operation(token.operator) : pushed(token),
  );
  if (!areAllKnown(steps)) return null;
  return (context) => {
    const operands: unknown[] = [];
    for (const step of steps) step(operands, context);
    return operands.includes(ASK_LIQUIDJS) ? ASK_LIQUIDJS : operands[0];
  };
}

type Step = (operands: unknown[], context: FillContext) => void;

function pushed(token: Token): Step | null {
  const read = operand(token);
  return read && ((operands, context) => void operands.push(read(context)));
}

const operation =
  (operator: string): Step =>
  (operands, context) => {
    const right = operands.pop();
    const among = operator === "not" ? [right] : [operands.pop(), right];
    const method = context.opts.operators[operator] as (...of: unknown[]) => unknown;
    operands.push(among.includes(ASK_LIQUIDJS) ? ASK_LIQUIDJS : toValueSync(method(...among, context)));
  };

function operand(token: Token | undefined): Read | null {
  if (token === undefined) return () => undefined;
  if (
    TypeGuards.isQuotedToken(token) ||
    TypeGuards.isNumberToken(token) ||
    TypeGuards.isLiteralToken(token)
  ) {
    const { content } = token;
    return () => content;
  }
  const path = plainPath(token);
  return path === null ? null : (context) => valueAt(context.scopeOf(path[0]), path);
}

function filterOf(filter: Filter): Use | null {
  const read = filter.args.map(argumentOf);
  if (!areAllKnown(read)) return null;
  const call = filter["handler"] as (this: unknown, ...of: unknown[]) => unknown;
  const [token, liquid] = [filter["token"], filter["liquid"]];
  return (value, context) => {
    const of = [value];
    for (const argument of read) {
      const found = argument(context);
      if (found === ASK_LIQUIDJS) return ASK_LIQUIDJS;
      of.push(found);
    }
    return toValueSync(call.apply({ context, token, liquid }, of));
  };
}

function argumentOf(argument: Filter["args"][number]): Read | null {
  if (!Array.isArray(argument)) return operand(argument);
  const [name, token] = argument;
  const read = operand(token);
  return (
    read &&
    ((context) => {
      const found = read(context);
      return found === ASK_LIQUIDJS ? ASK_LIQUIDJS : [name, found];
    })
  );
}

const areAllKnown = <T>(parts: readonly (T | null)[]): parts is readonly T[] =>
  parts.every((part) => part !== null);
