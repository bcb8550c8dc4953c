import type { PolicyTool } from "../matching/tool.js";

/** Returns whether two lists contain the same strings in the same order. */
export function sameTexts(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((text, index) => text === right[index]);
}

/**
 * Remembers one value per tool name, for tools that are equal in every field. It stores a copy of
 * the tool, so a tool that was modified in place counts as another tool.
 */
export class ToolMemory<T> {
  readonly #entries = new Map<string, { readonly tool: PolicyTool; readonly value: T }>();

  /** @param tool - compared by value */
  get(tool: PolicyTool): T | undefined {
    const entry = this.#entries.get(tool.name);
    if (entry === undefined) return undefined;
    const known = entry.tool;
    const same =
      known.pluginId === tool.pluginId &&
      known.origin === tool.origin &&
      known.optional === tool.optional &&
      known.ownerOnly === tool.ownerOnly &&
      sameTexts(known.aliases, tool.aliases);
    return same ? entry.value : undefined;
  }

  /**
   * @param tool - copied; replaces another tool of that name
   * @param value - value to return for equal tools
   */
  set(tool: PolicyTool, value: T): void {
    const copy = { ...tool, aliases: [...tool.aliases] };
    this.#entries.set(tool.name, { tool: copy, value });
  }

  /** Number of remembered tools. */
  get size(): number {
    return this.#entries.size;
  }

  /** Removes all remembered tools. */
  clear(): void {
    this.#entries.clear();
  }
}
