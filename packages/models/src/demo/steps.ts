import { isInitRequest, nextInitStep } from "./init.js";
import type { DemoResult, DemoStep } from "./step.js";
import { isTodoRequest, nextTodoStep } from "./todo-table.js";

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
