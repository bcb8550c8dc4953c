import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { TurnOutcome } from "../context/event.js";
import type { RunningTurn } from "../context/turn.js";
import { type BlockDependencies, writeBlock } from "../conversation/transcript-writer.js";
import { conclusionStep } from "../journal/resume-state.js";
import type { PreparedTurn } from "./prepared-turn.js";

const BLOCKED_TEXT = "This message was not processed.";

/**
 * Fires the gate, `before_agent_run`, which decides if the final prompt may reach a model. Of a blocked
 * message the host keeps only the replacement text, the decider, the time and the category; the reason is
 * not kept (TURN-023, TURN-024).
 * @param prepared - its final prompt
 * @returns the outcome of a blocked turn; undefined when the turn continues
 */
export async function askGate(
  turn: RunningTurn<BlockDependencies>,
  { prompt, history }: Pick<PreparedTurn, "prompt" | "history">,
): Promise<Extract<TurnOutcome, { status: "blocked" }> | undefined> {
  const { attachments = [], signal } = turn.request;
  const images = attachments.filter(({ mimeType }) => mimeType.startsWith("image/"));
  const { result, decidedBy } = await turn.pin.hooks.detailed(
    "before_agent_run",
    {
      prompt: prompt.user,
      messages: history.messages.concat(resultMessages(turn)),
      systemPrompt: prompt.system,
      ...defined({ images: images.length === 0 ? undefined : images }),
    },
    turn.state.hookContext,
    { signal },
  );
  if (result?.outcome !== "block") return undefined;
  const { message: text = BLOCKED_TEXT, category } = result;
  const blockedBy = decidedBy?.owner;
  const outcome = { status: "blocked", text, blockedBy } as const;
  const gate = {
    outcome: "block",
    blockedAt: turn.dependencies.now(),
    ...defined({ blockedBy, category }),
  } as const;
  await writeBlock(turn, text, gate, conclusionStep(outcome));
  return outcome;
}

/** Returns the results of a client, which the gate decides about instead of a message of the user. */
function resultMessages({ request, dependencies }: RunningTurn<BlockDependencies>): AgentMessage[] {
  const timestamp = dependencies.now();
  return (request.client?.results ?? []).map(({ toolCallId, toolName, content, isError }) => ({
    role: "toolResult",
    toolCallId,
    toolName,
    content: [...content],
    isError,
    timestamp,
  }));
}
