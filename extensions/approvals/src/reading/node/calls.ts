import type { ArrowFunctionExpression, CallExpression, Expression, SpreadElement } from "acorn";
import { readElement, readValue } from "./elements.js";
import {
  CALLING,
  CONSTANTS,
  FILE_READERS,
  FILLING,
  FUNCTIONS,
  GLOBAL_FUNCTIONS,
  HIDDEN,
  METHODS,
  MODULES,
  NAME_READERS,
} from "./names.js";
import { definePattern } from "./patterns.js";
import type { NodeScope } from "./scope.js";
import { type NodeValue, NotReading, VALUE } from "./values.js";

type Arguments = readonly (Expression | SpreadElement)[];

const JSON_FILE = /^\.{1,2}\/[\w@./-]+\.json$/;
const ENCODING = /^(?:utf-?8|latin1|ascii)$/;
const MOST_FILLING = 200;
/** Length of a text that makes a result only a little longer. */
const LITTLE = 8;

/**
 * Reads a call of a function of node, or of a method without effects.
 * @throws NotReading when it is not one of them
 */
export function readCall({ callee, arguments: args }: CallExpression, scope: NodeScope): NodeValue {
  if (callee.type === "Identifier") {
    if (callee.name === "require") return readRequire(args, scope);
    const member = scope.find(callee.name)?.member;
    if (member !== undefined) return readFunction(member, args, scope);
    if (!GLOBAL_FUNCTIONS.has(callee.name)) throw new NotReading(callee.name);
    readArguments(args, scope);
    return VALUE;
  }
  if (callee.type !== "MemberExpression" || callee.computed || callee.object.type === "Super") {
    throw new NotReading("a call of a value");
  }
  const object = scope.readers.expression(callee.object, scope);
  if (callee.property.type !== "Identifier") throw new NotReading("a private method");
  const { name } = callee.property;
  if (object.member !== undefined && !CONSTANTS.has(object.member)) {
    return readFunction(`${object.member}.${name}`, args, scope);
  }
  readMethod(name, args, scope);
  return VALUE;
}

/** A file that is not JSON would run. */
function readRequire(args: Arguments, scope: NodeScope): NodeValue {
  const [name, more] = args;
  const { text } = name === undefined ? VALUE : readElement(name, scope);
  if (text === undefined || more !== undefined) throw new NotReading("require");
  const module = MODULES.get(text);
  if (module !== undefined) return { member: module };
  if (!JSON_FILE.test(text)) throw new NotReading("require");
  scope.files.push(text);
  return VALUE;
}

function readFunction(member: string, args: Arguments, scope: NodeScope): NodeValue {
  const isFile = FILE_READERS.has(member);
  if (isFile || NAME_READERS.has(member)) {
    const [path, option, more] = args;
    const { text } = path === undefined ? VALUE : readElement(path, scope);
    if (text === undefined || text === "" || more !== undefined) throw new NotReading(member);
    if (option !== undefined && !isOption(option)) throw new NotReading(member);
    (isFile ? scope.files : scope.names).push(text);
    return VALUE;
  }
  if (!FUNCTIONS.has(member)) throw new NotReading(member);
  // A function as the second argument of `parse` and `stringify` is called.
  const [, second] = args;
  const isCalled = member.startsWith("JSON.") && second !== undefined;
  if (isCalled && second.type !== "Literal" && second.type !== "ArrayExpression") {
    throw new NotReading(member);
  }
  readArguments(args, scope);
  return VALUE;
}

/** Encoding, or an object of literal options. */
function isOption(option: Expression | SpreadElement): boolean {
  if (option.type === "Literal") return ENCODING.test(String(option.value));
  return (
    option.type === "ObjectExpression" &&
    option.properties.every(
      (property) =>
        property.type === "Property" &&
        !property.computed &&
        property.key.type === "Identifier" &&
        /^(?:encoding|withFileTypes|throwIfNoEntry)$/.test(property.key.name) &&
        property.value.type === "Literal",
    )
  );
}

function readMethod(name: string, args: Arguments, scope: NodeScope): void {
  if (HIDDEN.has(name)) throw new NotReading(name);
  const [first] = args;
  if (CALLING.has(name)) {
    if (name === "flatMap") scope.grow();
    if (first === undefined && (name === "sort" || name === "toSorted")) return;
    const isNamed = first?.type === "Identifier" && /^(?:Boolean|Number|String)$/.test(first.name);
    if (args.length !== 1 || (!isNamed && first?.type !== "ArrowFunctionExpression")) {
      throw new NotReading(name);
    }
    if (first?.type === "ArrowFunctionExpression") readFunctionBody(first, scope);
    return;
  }
  if (FILLING.has(name)) {
    readFilling(name, args, scope);
    return;
  }
  if (!METHODS.has(name)) throw new NotReading(name);
  if (name === "concat" || name === "flat") scope.grow();
  readArguments(args, scope);
}

/** Reads the arguments of a method that puts a text between or around others. */
function readFilling(name: string, args: Arguments, scope: NodeScope): void {
  for (const [index, argument] of args.entries()) {
    const { text } = readElement(argument, scope);
    const literal = argument.type === "Literal" ? argument : undefined;
    const isPad = name.startsWith("pad") && index === 0;
    const isPattern = name.startsWith("replace") && index === 0 && literal?.regex !== undefined;
    const isFine = isPad
      ? typeof literal?.value === "number" && literal.value <= MOST_FILLING
      : isPattern || (text !== undefined && text.length <= MOST_FILLING);
    if (!isFine) throw new NotReading(name);
    if (!isPattern && text !== undefined && (text.length > LITTLE || text.includes("$"))) {
      scope.grow();
    }
  }
}

/** Reads a function that a method calls for each entry. */
function readFunctionBody(
  { params, body, async: isAsync }: ArrowFunctionExpression,
  scope: NodeScope,
): void {
  if (isAsync === true) throw new NotReading("async");
  scope.within(() => {
    for (const param of params) definePattern(param, VALUE, scope);
    if (body.type === "BlockStatement") scope.readers.statements(body.body, scope);
    else readValue(body, scope);
  });
}

function readArguments(args: Arguments, scope: NodeScope): void {
  for (const argument of args) readElement(argument, scope);
}
