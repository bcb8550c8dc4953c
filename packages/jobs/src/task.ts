import type { InboundMessage } from "@openclaw/messaging";
import type { Job } from "@openclaw/store";
import { readCreator } from "./creator.js";

const INSTRUCTIONS =
  "You work on a background job: no user reads along or answers. Work with the tools until the task is done. Your last message is the result, and is delivered to the person who asked; make it complete and self-contained. If the tool update_plan is offered and the task has several steps, write the plan with it first, and update it after each step.";

/** Why a turn of a job begins. */
export type TurnReason = "new" | "repair" | "retry" | "prompt";

/**
 * Returns the task of a turn of a job, as a message of the sender for whom it works, so that the turn has the rights of
 * that sender and no others.
 * @param job - the job
 * @param reason - why the turn begins
 */
export function taskOf(job: Job, reason: TurnReason): InboundMessage {
  const { sessionKey, agentId, model } = job;
  const { pluginId: _plugin, ...sender } = readCreator(job);
  return {
    ...sender,
    ...{ sessionKey, agentId, model },
    text: textOf(reason, job),
    extraInstructions: INSTRUCTIONS,
  };
}

function textOf(reason: TurnReason, { description, prompts = [] }: Job): string {
  if (reason === "new") return description;
  return reason === "prompt" ? prompts.join("\n\n") : continued(description);
}

function continued(description: string): string {
  return `The work on this job was interrupted. Continue where it stopped, without doing again what is done already. The task:\n\n${description}`;
}
