import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import {
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from "yaml";
import { LobsterError } from "../errors.js";
import { isObject } from "./json-object.js";

/** Deepest level of lists and objects in a file, in any notation. */
const DEEPEST = 64;
/** Most words, signs and spaces of a file; 1000 steps have about 20,000. */
const MOST_TOKENS = 50_000;

/** Workflow file as plain JSON, with the lines of its nodes. */
export interface WorkflowDocument {
  readonly value: JsonObject;
  /**
   * Returns the line of a node, counted from 1.
   * @param path - keys and indexes from the root
   */
  line(path: readonly (string | number)[]): number;
}

/**
 * Parses a workflow file, which is YAML or JSON. The time grows with the length of the file only: nesting is limited before
 * the parser sees it, and keys are compared with a set.
 * @param text - content of the file
 * @param name - name of the file, for messages
 * @throws LobsterError of type `parse_error` with the line
 */
export function parseWorkflow(text: string, name: string): WorkflowDocument {
  const lines = new LineCounter();
  const fail = (offset: number, problem: string): never => {
    const { line } = lines.linePos(offset);
    throw new LobsterError("parse_error", `${name}:${Math.max(1, line)}: ${problem}`);
  };
  limitTokens(text, name);
  const parsed = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The check of the parser compares each key with every other one.
    uniqueKeys: false,
  });
  const [error] = parsed.errors;
  if (error !== undefined) fail(error.pos[0], error.message);
  checkNodes(parsed.contents, fail);
  let value: unknown;
  try {
    // The copy removes what YAML has and JSON has not, such as dates and maps with other keys.
    value = JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 50 }) ?? null));
  } catch (problem) {
    throw new LobsterError("parse_error", `${name}: ${String(problem)}`);
  }
  if (!isObject(value)) {
    throw new LobsterError("parse_error", `${name}:1: expected an object with a list of steps`);
  }
  return {
    value,
    line(path) {
      let node: unknown = parsed.contents;
      let offset = 0;
      for (const key of path) {
        const found = memberOf(node, key);
        if (found === undefined) break;
        offset = found.offset;
        node = found.node;
      }
      return lines.linePos(offset).line;
    },
  };
}

function memberOf(
  node: unknown,
  key: string | number,
): { readonly node: unknown; readonly offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key: name }) => isScalar(name) && String(name.value) === key);
    if (pair === undefined) return undefined;
    return { node: pair.value, offset: (pair.key as Node | null)?.range?.[0] ?? 0 };
  }
  if (isSeq(node) && typeof key === "number") {
    const item = node.items[key];
    return { node: item, offset: (item as Node | undefined)?.range?.[0] ?? 0 };
  }
  return undefined;
}

/** Limits the work of the parser, whose time grows faster than the number of tokens and of open brackets. */
function limitTokens(text: string, name: string): void {
  let depth = 0;
  let line = 1;
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    count += 1;
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth = Math.max(0, depth - 1);
    else if (token.includes("\n")) line += token.split("\n").length - 1;
    const problem =
      depth > DEEPEST
        ? TOO_DEEP
        : count > MOST_TOKENS
          ? `the file has more than ${MOST_TOKENS} words and signs; divide it into several files`
          : undefined;
    if (problem !== undefined) throw new LobsterError("parse_error", `${name}:${line}: ${problem}`);
  }
}

/** Checks nesting, that no object has a key twice, and that no number is rounded. */
function checkNodes(
  root: ParsedNode | null,
  fail: (offset: number, problem: string) => never,
): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const node of level) {
      if (depth > DEEPEST) fail(offsetOf(node), TOO_DEEP);
      if (isRounded(node)) fail(offsetOf(node), ROUNDED);
      if (isSeq(node)) next.push(...node.items);
      if (!isMap(node)) continue;
      const keys = new Set<string>();
      for (const { key, value } of node.items) {
        if (isRounded(key)) fail(offsetOf(key), ROUNDED);
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) fail(offsetOf(key), "expected a text as the key");
        else if (keys.has(name)) fail(offsetOf(key), `the key "${name}" is used twice`);
        else keys.add(name);
        next.push(value);
      }
    }
    level = next;
  }
}

const ROUNDED =
  "this number is beyond 2^53 and would be rounded, for example to the ID of another person; write it in quotes";

function isRounded(node: unknown): boolean {
  if (!isScalar(node) || typeof node.value !== "number" || Number.isNaN(node.value)) return false;
  const isWritten = node.source !== undefined && /\d/.test(node.source);
  return isWritten && (!Number.isFinite(node.value) || !fitsExactly(node.value));
}

function fitsExactly(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

const TOO_DEEP = `lists and objects are nested more than ${DEEPEST} levels deep`;

function offsetOf(node: unknown): number {
  return isMap(node) || isSeq(node) || isScalar(node) ? (node.range?.[0] ?? 0) : 0;
}
