import {
  FILE_READERS,
  FUNCTIONS,
  LIBRARIES,
  METHODS,
  NAME_READERS,
  OPTIONS,
  OUTPUTS,
  PRINTING,
  PURE_FUNCTIONS,
} from "./names.js";
import { constantName, isNode, listOf, literalOf, NotReading, type RubyNode } from "./tree.js";

/** Program that a call is part of. */
export interface RubyParts {
  readonly files: string[];
  readonly names: string[];
  /** Functions that the program defines. */
  readonly functions: ReadonlySet<string>;
  /** Reads a part with everything in it. */
  part(node: RubyNode): void;
}

/** A path without wildcards; a pipe or a space at an end could be more than a name. */
const PATH = /^[\w./][\w./@%+:,= -]*$/;
/** A pattern whose wildcards are only in its last name, or before it as `**`, which follows no links. */
const PATTERN = /^(?<folder>(?:[\w.@+-]+\/)*)(?:\*\*\/)?[\w.@+*?{},[\]-]+$/;
const READ_MODE = /^rb?(?::[\w-]+)?$/i;
/** Operators that a method may apply by their names. */
const OPERATOR = /^(?:[-+*/%&|^]|<<|>>|<=>|==)$/;
const LITERALS = new Set(["ArrayNode", "FloatNode", "HashNode", "IntegerNode", "StringNode"]);
/** Functions that may be passed as blocks. */
const PASSED = /^(?:puts|p|pp|print|Integer|Float|String)$/;

/**
 * Reads a call with its receiver, arguments and block.
 * @param node - the call
 * @param program - program of which it is part
 * @throws NotReading when it may do more than compute or print a value
 */
export function readCall(node: RubyNode, program: RubyParts): void {
  const { receiver, block } = node;
  const name = String(node.name);
  const args = isNode(node.arguments) ? listOf(node.arguments.arguments) : [];
  if (isNode(block)) readBlock(block, program);
  if (!isNode(receiver)) readFunction(name, args, program);
  else {
    const member = memberOf(receiver, name);
    if (member !== undefined) readMember(member, args, program);
    else readMethod(receiver, name, args, isNode(block), program);
  }
}

/** A block that is the name of a method would call it. */
function readBlock(block: RubyNode, program: RubyParts): void {
  if (block.type !== "BlockArgumentNode") {
    program.part(block);
    return;
  }
  const { expression } = block;
  if (!isNode(expression)) throw new NotReading("a block");
  if (expression.type === "SymbolNode") {
    checkApplied(literalOf(expression));
    return;
  }
  const passed = isNode(expression.arguments) ? listOf(expression.arguments.arguments) : [];
  const isMethod = expression.type === "CallNode" && expression.name === "method";
  const name = literalOf(passed[0]) ?? "";
  const isKnown = PASSED.test(name) || program.functions.has(name);
  if (!isMethod || isNode(expression.receiver) || isNode(expression.block) || !isKnown) {
    throw new NotReading("a block");
  }
}

function checkApplied(name: string | undefined): void {
  if (name === undefined || !(METHODS.has(name) || OPERATOR.test(name))) {
    throw new NotReading(name);
  }
}

function readFunction(name: string, args: readonly RubyNode[], program: RubyParts): void {
  if (name === "require") {
    const [library, more] = args;
    if (more !== undefined || !LIBRARIES.has(literalOf(library) ?? "")) throw new NotReading(name);
    return;
  }
  if (!FUNCTIONS.has(name) && !program.functions.has(name)) throw new NotReading(name);
  for (const argument of args) program.part(argument);
}

/** Returns the full name of a function of a class; undefined for a method of a value. */
function memberOf(receiver: RubyNode, name: string): string | undefined {
  const constant = constantName(receiver);
  if (constant === undefined) return undefined;
  const member = `${constant}.${name}`;
  const isKnown =
    FILE_READERS.has(member) ||
    NAME_READERS.has(member) ||
    PURE_FUNCTIONS.has(member) ||
    /^Dir\.(?:glob|\[\]|(?:each_)?child(?:ren)?)$/.test(member);
  return isKnown ? member : undefined;
}

function readMember(member: string, args: readonly RubyNode[], program: RubyParts): void {
  const options = args.filter(({ type }) => type === "KeywordHashNode");
  const given = args.filter(({ type }) => type !== "KeywordHashNode");
  for (const option of options) readOptions(option, program);
  const most = PURE_FUNCTIONS.get(member);
  if (most !== undefined) {
    if (given.length > most) throw new NotReading(member);
    if (given.some(({ type }) => type === "SplatNode")) throw new NotReading(member);
    for (const argument of given) program.part(argument);
    return;
  }
  const [first, second, more] = given;
  const text = literalOf(first);
  if (text === undefined || more !== undefined) throw new NotReading(member);
  const isMode = member === "File.open" && READ_MODE.test(literalOf(second) ?? "");
  if (second !== undefined && !isMode) throw new NotReading(member);
  if (member.startsWith("Dir.") && /[*?[{]/.test(text)) {
    const { folder } = PATTERN.exec(text)?.groups ?? {};
    if (folder === undefined || text.includes("..")) throw new NotReading(member);
    program.names.push(folder === "" ? "." : folder);
    return;
  }
  if (!PATH.test(text) || text.endsWith(" ")) throw new NotReading(member);
  (FILE_READERS.has(member) ? program.files : program.names).push(text);
}

/** Reads arguments by name, which choose only how text is read or shown. */
function readOptions(options: RubyNode, program: RubyParts): void {
  for (const element of listOf(options.elements)) {
    const key = isNode(element.key) ? literalOf(element.key) : undefined;
    if (element.type !== "AssocNode" || !OPTIONS.has(key ?? "")) throw new NotReading("an option");
    if (isNode(element.value)) program.part(element.value);
  }
}

function readMethod(
  receiver: RubyNode,
  name: string,
  args: readonly RubyNode[],
  hasBlock: boolean,
  program: RubyParts,
): void {
  const isOutput =
    OUTPUTS.has(constantName(receiver) ?? "") ||
    (receiver.type === "GlobalVariableReadNode" && OUTPUTS.has(String(receiver.name)));
  if (isOutput ? !PRINTING.has(name) : !METHODS.has(name)) throw new NotReading(name);
  program.part(receiver);
  if (/^(?:inject|reduce)$/.test(name)) {
    // The name of a method would be called.
    for (const argument of args) {
      if (argument.type === "SymbolNode") checkApplied(literalOf(argument));
      else if (!LITERALS.has(argument.type) || (argument.type === "StringNode" && !hasBlock)) {
        throw new NotReading(name);
      }
    }
  }
  for (const argument of args) program.part(argument);
}
