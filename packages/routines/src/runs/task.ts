import { type JobCreator, readCreator } from "@openclaw/jobs";
import type { InboundMessage } from "@openclaw/messaging";
import type { Routine, RoutineRun } from "@openclaw/store";
import { notesPath } from "../context.js";
import type { RoutineDefinition } from "../definition.js";
import { heartbeatText } from "../heartbeat/definition.js";
import { taskText } from "../triggers/input.js";
import { HEARTBEAT_OK, ROUTINE_OK } from "./verdict.js";

const LIGHTWEIGHT_TOKENS = 4096;

/**
 * Returns the instructions of a run.
 * @param late - delay in words; undefined when it is on time
 */
export function instructionsOf(
  routine: Routine,
  kind: RoutineDefinition["action"]["kind"],
  late: string | undefined,
): string {
  const { name } = routine;
  const notes =
    kind === "lightweight"
      ? ""
      : ` Notes for later runs belong into the file ${notesPath(routine)}.`;
  const delay = late === undefined ? "" : ` It begins ${late}.`;
  return `This is a run of the routine "${name}" that a user asked for, who does not read along.${delay} Your last message is delivered to the user; make it complete. When there is nothing to tell, answer only ${ROUTINE_OK}, and nothing is delivered.${notes}`;
}

/** Instructions of a heartbeat. */
const HEARTBEAT_INSTRUCTIONS = `This is a heartbeat: you check the tasks of the operator, who does not read along. Tasks of earlier heartbeats are done. Your last message is delivered to the operator; make it complete. When nothing needs attention, answer only ${HEARTBEAT_OK}, and nothing is delivered.`;

/**
 * Returns the message of a heartbeat, which sees no earlier ones.
 * @param routine - the heartbeat
 * @param tasks - content of HEARTBEAT.md
 */
export function heartbeatMessage(
  routine: Routine,
  { model }: RoutineDefinition["action"],
  tasks: string,
): InboundMessage {
  const { sessionKey, agentId } = routine;
  return {
    ...creatorOf(routine),
    ...{ sessionKey, agentId, model, text: heartbeatText(tasks), history: [] },
    extraInstructions: HEARTBEAT_INSTRUCTIONS,
  };
}

/**
 * Returns the task of a run, as a message of the sender for whom the routine works, so that the turn has the rights of
 * that sender and no others.
 * @param run - the run, with the text that set it off, and its files
 * @param late - delay in words; undefined when it is on time
 */
export function messageOf(
  routine: Routine,
  { kind, prompt, model }: RoutineDefinition["action"],
  run: Pick<RoutineRun, "input"> & { readonly files: string },
  late: string | undefined,
): InboundMessage {
  const { sessionKey, agentId } = routine;
  const message = {
    ...creatorOf(routine),
    ...{ sessionKey, agentId, model, text: `${taskText(prompt, run)}${run.files}` },
    extraInstructions: instructionsOf(routine, kind, late),
  };
  if (kind !== "lightweight") return message;
  // One model call: without tools, and without the runs before.
  const settings = { maxOutputTokens: LIGHTWEIGHT_TOKENS };
  return { ...message, history: [], client: { toolChoice: "none", settings } };
}

/** Returns the sender for whom a routine works, and the conversation in which it was asked for. */
export function creatorOf(routine: Pick<Routine, "creator">): JobCreator {
  return readCreator(routine);
}
