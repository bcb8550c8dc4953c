import type { ModelRequest, ModelTool } from "@openclaw/models";
import { estimateTextTokens, estimateTokens } from "../conversation/size.js";
import type { CallSize } from "./spending.js";

/** Characters of JSON that make a token of a tool's description, on average. */
const CHARACTERS_PER_TOKEN = 4;

/** The parts of a model call that decide its size. */
export interface SizedCall {
  readonly request: Pick<ModelRequest, "messages" | "tools" | "maxOutputTokens"> & {
    readonly system: string;
  };
}

/** Characters of offered tools, which are the same objects in each turn. */
const lengths = new WeakMap<ModelTool, number>();

/**
 * Returns the estimated size of a call before it is made.
 * @param call - its request
 */
export function requestSize({ request }: SizedCall): CallSize {
  return { input: inputTokens(request), maxOutput: request.maxOutputTokens };
}

/**
 * Returns the estimated size of a request for vectors, which has no reply in tokens.
 * @param strings - strings of the request
 */
export function stringsSize(strings: readonly string[]): CallSize {
  return { input: strings.reduce((sum, text) => sum + estimateTextTokens(text), 0), maxOutput: 0 };
}

/**
 * Returns the estimated size of a call whose provider did not report it.
 * @param call - its request
 * @param reply - text and reasoning that arrived
 */
export function sizeOf(
  { request }: SizedCall,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): { readonly input: number; readonly output: number } {
  return {
    input: inputTokens(request),
    output: estimateTextTokens(text) + estimateTextTokens(thinking),
  };
}

function inputTokens({ system, messages, tools }: SizedCall["request"]): number {
  return estimateTextTokens(system) + estimateTokens(messages) + toolTokens(tools);
}

function toolTokens(tools: ModelRequest["tools"]): number {
  const characters = tools.reduce((sum, tool) => sum + lengthOf(tool), 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function lengthOf(tool: ModelTool): number {
  const length = lengths.get(tool) ?? JSON.stringify(tool).length;
  lengths.set(tool, length);
  return length;
}
