import { answer, ToolRefusalError } from "@openclaw/core-tools";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { JobNotFoundError } from "./errors.js";
import type { Jobs } from "./jobs.js";
import { planSummary } from "./plan.js";

const MOST_STEPS = 50;

const planning = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 200 }),
          state: Type.Enum(["pending", "active", "done"]),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_STEPS, description: "All steps, in order." },
    ),
  },
  { additionalProperties: false },
);

/** Name of the tool with which the agent of a job keeps its plan. */
export const PLAN_TOOL_NAME = "update_plan";

/**
 * Creates the tool `update_plan` of the session of a job (JOB-014).
 * @param sessionKey - session of the job
 * @param jobs - returns the jobs of the host
 */
export function createPlanTool(sessionKey: string, jobs: () => Pick<Jobs, "plan">) {
  return defineTool({
    name: PLAN_TOOL_NAME,
    label: "Update the plan",
    description:
      "Keep the plan of this job as a checklist: write it before the work, and update it after each step. The user sees it.",
    parameters: planning,
    idempotent: true,
    execute: (_id, { steps }) =>
      answer("update the plan", async () => {
        try {
          const { plan = [] } = await jobs().plan(sessionKey, steps);
          const { done, total } = planSummary(plan);
          return textResult(`${done} of ${total} steps are done.`);
        } catch (error) {
          if (!JobNotFoundError.isInstance(error)) throw error;
          throw new ToolRefusalError("not-found", error.message);
        }
      }),
  });
}
