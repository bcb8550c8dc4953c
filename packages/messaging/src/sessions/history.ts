import { startOfText } from "@openclaw/foundation";
import { messageText } from "@openclaw/plugin-sdk/tools";
import type { MovedTurns, Store } from "@openclaw/store";
import { remainingEffects } from "./tool-effects.js";

const LONGEST_QUOTE = 60;

/** Turn that was taken back or brought back. */
export interface MovedTurn {
  /** Beginning of the text that started the turn; empty for a turn without text. */
  readonly text: string;
  /** Lines about tool calls whose effects remain (SUB-035). */
  readonly effects: readonly string[];
}

/**
 * Takes back the last turn of a conversation (SUB-031).
 * @param sessionId - incarnation of the session
 * @returns undefined when there is nothing to take back
 */
export async function undoTurn(unit: Store, sessionId: string): Promise<MovedTurn | undefined> {
  return await withEffects(unit, await unit.messages.checkpoints.undo(sessionId));
}

/**
 * Restores the state before a checkpoint (SUB-033).
 * @param sessionId - incarnation of the session
 * @param checkpointId - UUID of the checkpoint
 * @returns undefined when the conversation has no such checkpoint
 */
export async function restoreCheckpoint(
  unit: Store,
  sessionId: string,
  checkpointId: string,
): Promise<MovedTurn | undefined> {
  return await withEffects(unit, await unit.messages.checkpoints.restore(sessionId, checkpointId));
}

/**
 * Brings back the turn that the last undo took back (SUB-032).
 * @param sessionId - incarnation of the session
 * @returns undefined when there is nothing to bring back
 */
export async function redoTurn(unit: Store, sessionId: string): Promise<MovedTurn | undefined> {
  const moved = await unit.messages.checkpoints.redo(sessionId);
  return moved && { text: beginningOf(moved), effects: [] };
}

async function withEffects(
  unit: Store,
  moved: MovedTurns | undefined,
): Promise<MovedTurn | undefined> {
  if (moved === undefined) return undefined;
  const effects = await remainingEffects(moved.entries, unit.turns.journal);
  return { text: beginningOf(moved), effects };
}

function beginningOf({ entries }: MovedTurns): string {
  const first = entries.find(({ message }) => message.role === "user")?.message;
  const text = first === undefined ? "" : messageText(first).replaceAll(/\s+/g, " ").trim();
  return text.length > LONGEST_QUOTE ? `${startOfText(text, LONGEST_QUOTE)}…` : text;
}
