import { type DocumentNode, type ObjectNode, parse, type ValueNode } from "@humanwhocodes/momoa";

/**
 * Sets one value in the text of a JSON5 file and leaves everything else as it is: comments, order,
 * quotes (GW-007). Objects on the way that are missing are made.
 * @param text - the file; empty text counts as `{}`
 * @param path - keys from the root, at least one
 * @param value - any JSON value; undefined removes the key
 * @returns the new text
 */
export function editConfiguration(
  text: string,
  path: readonly [string, ...string[]],
  value: unknown,
): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const document = parse(source, { mode: "json5", ranges: true }) as DocumentNode;
  if (document.body.type !== "Object") {
    throw new TypeError("the configuration must be an object; mend the file by hand");
  }
  return value === undefined
    ? removeKey(source, document.body, path)
    : setKey(source, document.body, path, value);
}

function setKey(
  source: string,
  object: ObjectNode,
  [key, ...rest]: readonly [string, ...string[]],
  value: unknown,
): string {
  const member = findMember(object, key);
  if (member === undefined) {
    const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    return insertMember(source, object, key, nested);
  }
  const [next, ...others] = rest;
  if (next !== undefined && member.value.type === "Object") {
    return setKey(source, member.value, [next, ...others], value);
  }
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const [start, end] = rangeOf(member.value);
  const written = write(nested, indentationAt(source, rangeOf(member)[0]));
  return source.slice(0, start) + written + source.slice(end);
}

function insertMember(source: string, object: ObjectNode, key: string, value: unknown): string {
  const last = object.members.at(-1);
  const [objectStart, objectEnd] = rangeOf(object);
  const outer = indentationAt(source, objectStart);
  const inner = `${outer}  `;
  const member = `${JSON.stringify(key)}: ${write(value, inner)}`;
  if (last === undefined) {
    return `${source.slice(0, objectStart)}{\n${inner}${member}\n${outer}}${source.slice(objectEnd)}`;
  }
  const [lastStart, lastEnd] = rangeOf(last);
  const indentation = source.slice(objectStart, lastStart).includes("\n")
    ? indentationAt(source, lastStart)
    : undefined;
  const separator = indentation === undefined ? ", " : `,\n${indentation}`;
  // Behind the last member, and in front of a trailing comma if it has one.
  return source.slice(0, lastEnd) + separator + member + source.slice(lastEnd);
}

function removeKey(
  source: string,
  object: ObjectNode,
  [key, ...rest]: readonly [string, ...string[]],
): string {
  const index = object.members.findIndex((member) => nameOf(member) === key);
  const member = object.members[index];
  if (member === undefined) return source;
  const [next, ...others] = rest;
  if (next !== undefined) {
    return member.value.type === "Object"
      ? removeKey(source, member.value, [next, ...others])
      : source;
  }
  const [start, end] = rangeOf(member);
  const following = object.members[index + 1];
  const before = object.members[index - 1];
  if (following !== undefined) return source.slice(0, start) + source.slice(rangeOf(following)[0]);
  if (before !== undefined) return source.slice(0, rangeOf(before)[1]) + source.slice(end);
  // Nothing may be left of the only member, its trailing comma included.
  return source.slice(0, start) + source.slice(end).replace(LEADING_COMMA, "$1");
}

/** A comma behind white space and comments. */
const LEADING_COMMA = /^((?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*),/;

type Member = ObjectNode["members"][number];

function findMember(object: ObjectNode, key: string): Member | undefined {
  return object.members.findLast((member) => nameOf(member) === key);
}

function nameOf({ name }: Member): string {
  return name.type === "Identifier" ? name.name : name.value;
}

function rangeOf(node: Member | ValueNode): readonly [number, number] {
  return node.range ?? [node.loc.start.offset, node.loc.end.offset];
}

/** White space at the start of the line that holds an offset. */
function indentationAt(source: string, offset: number): string {
  const line = source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^\s*/.exec(line)?.[0] ?? "";
}

function write(value: unknown, indentation: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indentation}`);
}
