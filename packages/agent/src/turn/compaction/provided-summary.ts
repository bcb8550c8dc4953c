import { defined, errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { RunningTurn } from "../../context/turn.js";

/** Time of a plugin to write a summary, in milliseconds. */
const DEADLINE_MS = 120_000;

/**
 * Returns the summary of a conversation that a plugin writes instead of the model (PLUG-056).
 * @param messages - messages to summarise
 * @param customInstructions - instruction of other plugins
 * @returns undefined when no plugin writes summaries, or it failed, which is logged
 */
export async function providedSummary(
  turn: RunningTurn<{ readonly logger: Logger }>,
  messages: readonly AgentMessage[],
  customInstructions: string | undefined,
): Promise<string | undefined> {
  const { compactionProvider: found } = turn.pin;
  if (found === undefined) return undefined;
  const { signal: interrupted, runId } = turn.request;
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(DEADLINE_MS)]);
  const request = {
    messages: structuredClone(messages),
    signal,
    ...defined({ customInstructions }),
  };
  try {
    const summary: unknown = await waitUnlessAborted(signal, async () =>
      found.provider.summarize(request),
    );
    if (typeof summary === "string" && summary.trim() !== "") return summary.trim();
    throw new Error("it returned no text");
  } catch (error) {
    interrupted.throwIfAborted();
    const { pluginId } = found;
    turn.dependencies.logger.warn(
      `plugin "${pluginId}" wrote no summary, and the model writes it: ${errorMessage(error)}`,
      { code: "COMPACTION_PROVIDER_FAILED", pluginId, runId },
    );
    return undefined;
  }
}
