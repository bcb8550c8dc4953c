import type {
  ForOfStatement,
  ForStatement,
  ImportDeclaration,
  ModuleDeclaration,
  Statement,
  VariableDeclaration,
} from "acorn";
import { readValue } from "./elements.js";
import { readExpression } from "./expression.js";
import { MODULES } from "./names.js";
import { definePattern } from "./patterns.js";
import type { NodeScope } from "./scope.js";
import { NotReading, VALUE } from "./values.js";

/**
 * Reads statements that only compute and print values.
 * @throws NotReading when one may do more
 */
export function readStatements(
  statements: readonly (Statement | ModuleDeclaration)[],
  scope: NodeScope,
): void {
  for (const statement of statements) readStatement(statement, scope);
}

function readStatement(statement: Statement | ModuleDeclaration, scope: NodeScope): void {
  switch (statement.type) {
    case "EmptyStatement":
    case "ContinueStatement":
    case "BreakStatement":
      return;
    case "ExpressionStatement":
      // A value that is printed is not a module either.
      readValue(statement.expression, scope);
      return;
    case "BlockStatement":
      scope.within(() => readStatements(statement.body, scope));
      return;
    case "IfStatement":
      readValue(statement.test, scope);
      scope.within(() => readStatement(statement.consequent, scope));
      if (statement.alternate) readStatement(statement.alternate, scope);
      return;
    case "ReturnStatement":
      if (statement.argument) readValue(statement.argument, scope);
      return;
    case "VariableDeclaration":
      readVariables(statement, scope);
      return;
    case "ForOfStatement":
      readLoop(statement, scope);
      return;
    case "ForStatement":
      readCountingLoop(statement, scope);
      return;
    case "ImportDeclaration":
      readImport(statement, scope);
      return;
    default:
      throw new NotReading(statement.type);
  }
}

function readVariables({ declarations, kind }: VariableDeclaration, scope: NodeScope): void {
  for (const { id, init } of declarations) {
    const value = init ? readExpression(init, scope) : VALUE;
    // Another value may be assigned to the name.
    definePattern(id, kind === "const" || value.member !== undefined ? value : VALUE, scope);
  }
}

function readLoop({ left, right, body, await: isAsync }: ForOfStatement, scope: NodeScope): void {
  if (isAsync || left.type !== "VariableDeclaration") throw new NotReading("for");
  readValue(right, scope);
  scope.within(() => {
    for (const { id } of left.declarations) definePattern(id, VALUE, scope);
    readStatement(body, scope);
  });
}

function readCountingLoop({ init, test, update, body }: ForStatement, scope: NodeScope): void {
  if (init?.type !== "VariableDeclaration" || !test || !update) throw new NotReading("for");
  scope.within(() => {
    readVariables(init, scope);
    readValue(test, scope);
    readValue(update, scope);
    readStatement(body, scope);
  });
}

function readImport({ source, specifiers }: ImportDeclaration, scope: NodeScope): void {
  const module = MODULES.get(String(source.value));
  if (module === undefined) throw new NotReading("import");
  for (const specifier of specifiers) {
    const isNamed = specifier.type === "ImportSpecifier";
    if (isNamed && specifier.imported.type !== "Identifier") throw new NotReading("import");
    const name =
      isNamed && specifier.imported.type === "Identifier" ? specifier.imported.name : "default";
    const member = name === "default" ? module : `${module}.${name}`;
    scope.define(specifier.local.name, { member });
  }
}
