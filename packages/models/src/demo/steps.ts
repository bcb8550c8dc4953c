import { isInitRequest, nextInitStep } from "./init.js";
import { demoIntent } from "./phrases.js";
import { renamedRoutine } from "./reminder.js";
import type { DemoResult, DemoStep } from "./step.js";
import { isTodoRequest, nextTodoStep } from "./todo-table.js";

/**
 * Returns the next step of a request that needs several: an AGENTS.md, a table of TODO comments, a routine
 * whose name is taken.
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
  if (isTodoRequest(request)) return nextTodoStep(results, isOffered);
  return renamedRoutine(demoIntent(request), results);
}
