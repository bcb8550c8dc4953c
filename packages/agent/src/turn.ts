import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { assistantNote } from "./assistant-note.js";
import { runModelLoop } from "./model-loop.js";
import { writeMessage } from "./transcript-writer.js";
import { describeError, tellTheEnd } from "./turn-end.js";
import type { TurnOutcome } from "./turn-event.js";
import { askGate } from "./turn-gate.js";
import { prepareTurn } from "./turn-preparation.js";
import {
  openTurnScope,
  type PluginPin,
  type TurnRequest,
  type TurnScope,
  type TurnServices,
} from "./turn-scope.js";

/**
 * Runs one turn: from a stored message to the text of its reply. It never throws for what a model, a
 * tool or a plugin did; the outcome says how it ended, and the transcript holds what happened.
 * @param request - the turn
 * @param services - what the host lends
 * @param pin - the plugins it runs with, kept to its end
 */
export async function runTurn(
  request: TurnRequest,
  services: TurnServices,
  pin: PluginPin,
): Promise<TurnOutcome> {
  const turn = openTurnScope(request, services, pin);
  const startedAt = performance.now();
  const messages: AgentMessage[] = [];
  let outcome: TurnOutcome;
  try {
    outcome = await converse(turn, messages);
  } catch (error) {
    outcome = request.signal.aborted
      ? { status: "interrupted", text: "" }
      : { status: "failed", error: describeError(error), text: "" };
  }
  const durationMs = Math.round(performance.now() - startedAt);
  tellTheEnd(turn, messages, outcome, durationMs);
  request.onEvent({ type: "finished", outcome });
  return outcome;
}

/** The turn itself; throws where it cannot go on. */
async function converse(turn: TurnScope, messages: AgentMessage[]): Promise<TurnOutcome> {
  const { request, pin, services } = turn;
  const { signal } = request;
  const prepared = await prepareTurn(turn);
  request.onEvent({ type: "started", runId: request.runId, model: prepared.model.ref });

  const blocked = await askGate(turn, prepared);
  if (blocked !== undefined) return blocked;

  const now = services.now();
  const written = await writeMessage(turn, {
    role: "user",
    content: [{ type: "text", text: request.text }],
    timestamp: now,
  });
  if (written !== undefined) messages.push(written);

  const claim = await pin.hooks.claim(
    "before_agent_reply",
    {
      cleanedBody: request.text,
      trigger: request.trigger,
      ...(request.attachments === undefined ? {} : { attachments: [...request.attachments] }),
    },
    turn.context,
    { signal },
  );
  if (claim?.handled === true) {
    const text = claim.reply?.text ?? "";
    if (text !== "") {
      const spoken = await writeMessage(turn, assistantNote(turn, text));
      if (spoken !== undefined) messages.push(spoken);
    }
    return { status: "completed", text, stopReason: "answered-by-plugin", usage: {} };
  }
  return await runModelLoop(turn, prepared, messages);
}
