import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { RunningTurn } from "../context/turn.js";

/** Time in which plugins must have made their sections, in milliseconds. */
const DEADLINE_MS = 2000;

/** Returns the prompt part with the sections about the memory. A section that fails or takes too long is left out. */
export async function memoryParts(
  turn: RunningTurn<{ readonly logger: Logger }>,
  tools: Iterable<string>,
): Promise<{ appendSystemContext?: string }> {
  const { pin, request, dependencies } = turn;
  const { agentId, sessionKey, runId, signal } = request;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const either = AbortSignal.any([signal, deadline]);
  const names = [...tools];
  const allowed = (pin.memoryPrompts ?? []).filter(({ pluginId }) => pin.mayAddToPrompts(pluginId));
  const sections = await Promise.all(
    allowed.map(async ({ pluginId, build }) => {
      const availableTools = new Set(names);
      const context = { availableTools, agentId, sessionKey, agentSessionKey: sessionKey };
      try {
        return await waitUnlessAborted(either, () => build(context));
      } catch (error) {
        signal.throwIfAborted();
        const problem = deadline.aborted
          ? `it took longer than ${DEADLINE_MS} ms`
          : errorMessage(error);
        dependencies.logger.warn(
          `the prompt of the memory of plugin "${pluginId}" is left out: ${problem}`,
          { code: "MEMORY_PROMPT_FAILED", pluginId, runId },
        );
        return undefined;
      }
    }),
  );
  const made = sections.filter((section) => section !== undefined);
  return made.length === 0 ? {} : { appendSystemContext: made.join("\n\n") };
}
