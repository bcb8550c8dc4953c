import type {
  AssignmentExpression,
  Expression,
  MemberExpression,
  ObjectExpression,
  TemplateLiteral,
} from "acorn";
import { readCall } from "./calls.js";
import { readElement, readValue } from "./elements.js";
import { CLASSES, CONSTANTS, HIDDEN, MEANINGFUL, OBJECTS, PLAIN_NAMES } from "./names.js";
import type { NodeScope } from "./scope.js";
import { type NodeValue, NotReading, VALUE } from "./values.js";

const OPERATORS = new Set("== != === !== < <= > >= + - * / % | & ^ << >> >>>".split(" "));
const UNARY = new Set(["-", "+", "!", "~", "typeof", "void"]);

/**
 * Reads an expression that only computes or prints a value.
 * @throws NotReading when it may do more
 */
export function readExpression(expression: Expression, scope: NodeScope): NodeValue {
  switch (expression.type) {
    case "Literal":
      return typeof expression.value === "string" ? { text: expression.value } : VALUE;
    case "Identifier":
      return readName(expression.name, scope);
    case "TemplateLiteral":
      return readTemplate(expression, scope);
    case "ArrayExpression":
      for (const element of expression.elements) if (element) readElement(element, scope);
      return VALUE;
    case "ObjectExpression":
      readObject(expression, scope);
      return VALUE;
    case "UnaryExpression":
      if (!UNARY.has(expression.operator)) throw new NotReading(expression.operator);
      readValue(expression.argument, scope);
      return VALUE;
    case "BinaryExpression":
      if (!OPERATORS.has(expression.operator) || expression.left.type === "PrivateIdentifier") {
        throw new NotReading(expression.operator);
      }
      readValue(expression.left, scope);
      readValue(expression.right, scope);
      return VALUE;
    case "LogicalExpression":
      readValue(expression.left, scope);
      readValue(expression.right, scope);
      return VALUE;
    case "ConditionalExpression":
      readValue(expression.test, scope);
      readValue(expression.consequent, scope);
      readValue(expression.alternate, scope);
      return VALUE;
    case "ParenthesizedExpression":
    case "ChainExpression":
      return readExpression(expression.expression, scope);
    case "UpdateExpression":
      if (expression.argument.type !== "Identifier") throw new NotReading("++");
      scope.change(expression.argument.name);
      return VALUE;
    case "AssignmentExpression":
      return readAssignment(expression, scope);
    case "MemberExpression":
      return readMember(expression, scope);
    case "CallExpression":
      return readCall(expression, scope);
    case "NewExpression": {
      const { callee } = expression;
      if (callee.type !== "Identifier" || !CLASSES.has(callee.name)) throw new NotReading("new");
      for (const argument of expression.arguments) readElement(argument, scope);
      return VALUE;
    }
    default:
      throw new NotReading(expression.type);
  }
}

function readName(name: string, scope: NodeScope): NodeValue {
  const known = scope.find(name);
  if (known !== undefined) return known;
  if (PLAIN_NAMES.has(name)) return VALUE;
  if (OBJECTS.has(name)) return { member: name };
  throw new NotReading(name);
}

function readTemplate({ expressions, quasis }: TemplateLiteral, scope: NodeScope): NodeValue {
  for (const expression of expressions) readValue(expression, scope);
  const [only] = quasis;
  return expressions.length === 0 ? { text: only?.value.cooked ?? undefined } : VALUE;
}

function readObject({ properties }: ObjectExpression, scope: NodeScope): void {
  for (const property of properties) {
    if (property.type === "SpreadElement") {
      readElement(property, scope);
      continue;
    }
    const { key, computed, kind, method, value } = property;
    const name =
      key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
    const isPlain = !computed && kind === "init" && !method;
    if (!isPlain || name === undefined || MEANINGFUL.has(name)) throw new NotReading("a key");
    readValue(value, scope);
  }
}

/** A name that gets its own value again could double it in each round of a loop. */
function readAssignment(
  { operator, left, right }: AssignmentExpression,
  scope: NodeScope,
): NodeValue {
  if (left.type !== "Identifier" || !["=", "+=", "-="].includes(operator)) {
    throw new NotReading(operator);
  }
  scope.change(left.name);
  if (operator !== "-=" && namesOf(right).some((name) => scope.isChanged(name))) {
    throw new NotReading(left.name);
  }
  readValue(right, scope);
  return VALUE;
}

/** Returns all names in a part of a program. */
function namesOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesOf);
  if (typeof node !== "object" || node === null) return [];
  const own =
    "type" in node && node.type === "Identifier" && "name" in node ? [String(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(namesOf)];
}

function readMember({ object, property, computed }: MemberExpression, scope: NodeScope): NodeValue {
  if (object.type === "Super") throw new NotReading("super");
  const value = readExpression(object, scope);
  if (computed) {
    if (property.type === "PrivateIdentifier" || isPartOfModule(value)) throw new NotReading("[");
    checkKey(property, scope);
    return VALUE;
  }
  if (property.type !== "Identifier" || HIDDEN.has(property.name)) throw new NotReading("a member");
  if (!isPartOfModule(value)) return VALUE;
  return { member: `${value.member}.${property.name}` };
}

/** A computed key is a number, a literal, or a name of the program, and not text that it puts together. */
function checkKey(key: Expression, scope: NodeScope): void {
  const { text } = readValue(key, scope);
  const isNumber =
    (key.type === "Literal" && typeof key.value === "number") ||
    (key.type === "BinaryExpression" && /^[-*/%]$/.test(key.operator));
  if (text !== undefined ? HIDDEN.has(text) : !isNumber && key.type !== "Identifier") {
    throw new NotReading("a computed key");
  }
}

function isPartOfModule(value: NodeValue): value is NodeValue & { readonly member: string } {
  return value.member !== undefined && !CONSTANTS.has(value.member);
}
