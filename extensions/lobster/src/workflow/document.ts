import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { LobsterError } from "../errors.js";

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
 * Parses a workflow file, which is YAML or JSON.
 * @param text - content of the file
 * @param name - name of the file, for messages
 * @throws LobsterError of type `parse_error` with the line
 */
export function parseWorkflow(text: string, name: string): WorkflowDocument {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = parsed.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    throw new LobsterError("parse_error", `${name}:${line}: ${error.message}`);
  }
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

/**
 * Returns true for an object that is not a list.
 * @param value - any value
 */
export function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
