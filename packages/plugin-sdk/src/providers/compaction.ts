import type { AgentMessage } from "../message/message.js";

/** Messages to summarise. */
export interface CompactionRequest {
  readonly messages: readonly AgentMessage[];
  /** Instruction for the summary, from plugins. */
  readonly customInstructions?: string;
  readonly signal: AbortSignal;
}

/** Writes the summary of the older part of a conversation instead of the model (PLUG-056). */
export interface CompactionProvider {
  readonly id: string;
  readonly label?: string;
  /** @param request - messages to summarise, oldest first */
  summarize(request: CompactionRequest): Promise<string> | string;
}
