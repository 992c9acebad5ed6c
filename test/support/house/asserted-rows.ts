/**
 * What the statements under src/storage say about their rows, as the compiler reads it: the type argument of
 * each `query<Row, …>(sql)` and `prepare<Row, …>(sql)`.
 */
import { Glob } from "bun";
import { relative, resolve } from "node:path";
import ts from "typescript-5";

const ROOT = resolve(import.meta.dir, "../../..");
const TABLES = "src/storage/sqlite/schema/tables/";

type AssertedColumn = {
  /** As the driver's values are typed, without null. */
  readonly kind: "number" | "string" | "bytes" | "other";
  /** Its type comes from the schema: by `Row`, `OuterRow` or `Value`. */
  readonly isDerived: boolean;
};

/** Null: the statement names no column, so a column cannot be read without a check whether it is there. */
export type AssertedRow = ReadonlyMap<string, AssertedColumn> | null;

/** By place, `path:line:column` of the expression that names the method, as a stack trace has it. */
export function assertedRows(): Map<string, AssertedRow> {
  const paths = [...new Glob("src/storage/**/*.ts").scanSync(ROOT)];
  const { config } = ts.readConfigFile(resolve(ROOT, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    paths.map((path) => resolve(ROOT, path)),
    options,
  );
  const rows = new Map<string, AssertedRow>();
  for (const path of paths) {
    const file = program.getSourceFile(resolve(ROOT, path))!;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isStatement(node)) {
        const { line, character } = file.getLineAndCharacterOfPosition(node.expression.getStart(file));
        rows.set(`${path}:${line + 1}:${character + 1}`, rowOf(program.getTypeChecker(), node));
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return rows;
}

type StatementCall = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

const isStatement = (call: ts.CallExpression): call is StatementCall =>
  ts.isPropertyAccessExpression(call.expression) &&
  ["query", "prepare"].includes(call.expression.name.text) &&
  call.arguments.length > 0;

function rowOf(checker: ts.TypeChecker, call: StatementCall): AssertedRow {
  const [argument] = call.typeArguments ?? [];
  if (argument === undefined) return null;
  const type = checker.getTypeFromTypeNode(argument);
  const empty = ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;
  if (type.flags & empty || checker.getIndexInfosOfType(type).length > 0) return null;
  return new Map(
    checker.getPropertiesOfType(type).map((property) => [
      property.name,
      {
        kind: kindOf(checker, checker.getNonNullableType(checker.getTypeOfSymbol(property))),
        isDerived: isDerived(property),
      },
    ]),
  );
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): AssertedColumn["kind"] {
  const parts = type.isUnion() ? type.types : [type];
  if (parts.every(({ flags }) => flags & ts.TypeFlags.NumberLike)) return "number";
  if (parts.every(({ flags }) => flags & ts.TypeFlags.StringLike)) return "string";
  return checker.typeToString(type).startsWith("Uint8Array") ? "bytes" : "other";
}

/** A column by `Row` is declared where the schema declares it; one by `Value` says so itself. */
const isDerived = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.length > 0 &&
  declarations.every((declaration) => {
    if (relative(ROOT, declaration.getSourceFile().fileName).startsWith(TABLES)) return true;
    return (
      ts.isPropertySignature(declaration) &&
      /\bValue<typeof \w+, "\w+">/.test(declaration.type?.getText() ?? "")
    );
  });
