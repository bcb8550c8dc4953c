import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { isInitRequest, nextInitStep } from "./init.js";
import { isTodoRequest, nextTodoStep } from "./todo-table.js";

/** Result of a tool since the request. */
export interface DemoResult {
  readonly toolName: string;
  /** Text of a successful result. */
  readonly text: string | undefined;
}

/** Next step of a request that needs several. */
export type DemoStep =
  | { readonly kind: "call"; readonly toolName: string; readonly params: JsonObject }
  | { readonly kind: "answer"; readonly text: string };

/**
 * Returns the next step of a request that needs several: an AGENTS.md, a table of TODO comments.
 * @param request - text of the user
 * @param results - results of tools since the request, oldest first
 * @param isOffered - returns true for a tool that can be called
 * @returns undefined for any other request, and when a result has to be reported
 */
export function nextDemoStep(
  request: string,
  results: readonly DemoResult[],
  isOffered: (toolName: string) => boolean,
): DemoStep | undefined {
  if (isInitRequest(request)) return nextInitStep(results);
  return isTodoRequest(request) ? nextTodoStep(results, isOffered) : undefined;
}
