import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { errorResult } from "@openclaw/plugin-sdk/tool-results";
import type { ToolResult } from "@openclaw/plugin-sdk/tools";
import { ToolRefusalError } from "./errors.js";
import { systemProblem } from "./system-error.js";

/**
 * Runs a tool's work and turns the failures a model can act on into error results.
 * @param doing - attempted action for the message, for example `read "notes.md"`
 * @param work - the tool's work; throws {@link ToolRefusalError} for expected failures
 * @returns the work's result, or an error result whose `details` hold the reason
 * @throws whatever else the work throws: that is a defect, not an answer
 */
export async function answer<Details>(
  doing: string,
  work: () => Promise<ToolResult<Details>>,
): Promise<ToolResult<Details | { reason: string }>> {
  try {
    return await work();
  } catch (error) {
    if (ToolRefusalError.isInstance(error)) {
      return { ...errorResult(error.message), details: { reason: error.reason } };
    }
    const problem = systemProblem(error);
    if (problem === undefined) throw error;
    return {
      ...errorResult(`Could not ${doing}: ${problem}.`),
      details: { reason: "system" },
    };
  }
}

/**
 * Runs a tool's work and answers the errors of the host that the model can correct; other errors fail the call.
 * @param work - work of the call
 * @throws ToolRefusalError instead of an error of the host
 */
export async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (ToolRefusalError.isInstance(error) || !OpenClawError.isInstance(error)) throw error;
    const code = error.kind === "not-found" ? "not-found" : "refused";
    throw new ToolRefusalError(code, error.message);
  }
}
