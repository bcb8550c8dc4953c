import {
  memberKey,
  type ObjectNode,
  parseJson5Tree,
  type ValueNode,
} from "@openclaw/foundation/json-tree";

/**
 * Sets one value in the text of a JSON5 file and leaves everything else unchanged: comments, order, quotes
 * (GW-007). Missing objects on the path are created.
 * @param text - content of the file; an empty string counts as `{}`
 * @param path - keys from the root; an empty path replaces the whole value
 * @param value - any JSON value; undefined removes the key
 * @returns the new text
 */
export function editConfiguration(text: string, path: readonly string[], value: unknown): string {
  const isEmpty = text.trim() === "";
  if (isEmpty && value === undefined) return text;
  const source = isEmpty ? "{}\n" : text;
  const document = parseJson5Tree(source);
  const [first, ...others] = path;
  if (first === undefined) {
    const [start, end] = rangeOf(document.body);
    return source.slice(0, start) + write(value ?? {}, "") + source.slice(end);
  }
  if (document.body.type !== "Object") {
    throw new TypeError("the configuration must be an object; fix the file by hand");
  }
  if (value !== undefined) return setKey(source, document.body, [first, ...others], value);
  const removed = removeKey(source, document.body, [first, ...others]);
  // The key may occur several times.
  return removed === source ? source : editConfiguration(removed, path, undefined);
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
    const comments = source.slice(objectStart + 1, objectEnd - 1).trimEnd();
    return `${source.slice(0, objectStart)}{${comments}\n${inner}${member}\n${outer}}${source.slice(objectEnd)}`;
  }
  const [lastStart, lastEnd] = rangeOf(last);
  if (!source.slice(objectStart, lastStart).includes("\n")) {
    return `${source.slice(0, lastEnd)}, ${member}${source.slice(lastEnd)}`;
  }
  const comma = commaBehind(source, lastEnd);
  const listed = comma === undefined ? `${source.slice(0, lastEnd)},` : source.slice(0, comma + 1);
  const rest = source.slice(comma === undefined ? lastEnd : comma + 1);
  // A comment on the line of the last member belongs to that member.
  const [comment = ""] = COMMENT_ON_LINE.exec(rest) ?? [];
  const line = `\n${indentationAt(source, lastStart)}${member}${comma === undefined ? "" : ","}`;
  return listed + comment + line + rest.slice(comment.length);
}

const COMMENT_ON_LINE = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/;

function removeKey(
  source: string,
  object: ObjectNode,
  [key, ...rest]: readonly [string, ...string[]],
): string {
  const index = object.members.findIndex((member) => memberKey(member) === key);
  const member = object.members[index];
  if (member === undefined) return source;
  const [next, ...others] = rest;
  if (next !== undefined) {
    return member.value.type === "Object"
      ? removeKey(source, member.value, [next, ...others])
      : source;
  }
  return removeMember(source, member, object.members[index - 1]);
}

/** Removes a member with its comma; the comments around it stay. */
function removeMember(source: string, member: Member, previous: Member | undefined): string {
  const [start, end] = rangeOf(member);
  const comma = commaBehind(source, end);
  let before = source.slice(0, start);
  if (comma === undefined && previous !== undefined) {
    const separator = commaBehind(source, rangeOf(previous)[1]) ?? start;
    before = source.slice(0, separator) + source.slice(separator + 1, start);
  }
  const after =
    comma === undefined ? source.slice(end) : source.slice(end, comma) + source.slice(comma + 1);
  const isOnOwnLine = /\n[ \t]*$/.test(before) && /^[ \t]*\r?\n/.test(after);
  if (isOnOwnLine) return before.replace(/[ \t]*$/, "") + after.replace(/^[ \t]*\r?\n/, "");
  return /\s$/.test(before) ? before + after.replace(/^[ \t]+/, "") : before + after;
}

/** Returns the offset of the next comma if only white space and comments precede it. */
function commaBehind(source: string, offset: number): number | undefined {
  SPACE_AND_COMMENTS.lastIndex = offset;
  SPACE_AND_COMMENTS.test(source);
  const comma = SPACE_AND_COMMENTS.lastIndex;
  return source[comma] === "," ? comma : undefined;
}

const SPACE_AND_COMMENTS = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\r\n\u2028\u2029]*)*/y;

type Member = ObjectNode["members"][number];

function findMember(object: ObjectNode, key: string): Member | undefined {
  return object.members.findLast((member) => memberKey(member) === key);
}

function rangeOf(node: Member | ValueNode): readonly [number, number] {
  return node.range ?? [node.loc.start.offset, node.loc.end.offset];
}

/** Returns the white space at the start of the line that contains an offset. */
function indentationAt(source: string, offset: number): string {
  const line = source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^\s*/.exec(line)?.[0] ?? "";
}

function write(value: unknown, indentation: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indentation}`);
}
