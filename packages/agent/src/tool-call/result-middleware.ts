import { errorMessage, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ToolResult, ToolResultPassage } from "@openclaw/plugin-sdk/tools";
import type { ToolResultMiddleware } from "../context/plugin-pin.js";
import type { RunningTurn } from "../context/turn.js";

/** Time of one middleware, in milliseconds. */
const DEADLINE_MS = 15_000;

/** Dependencies of the middlewares. */
export interface MiddlewareDependencies {
  readonly logger: Logger;
  /**
   * Runs code of a plugin so that what it does to the process is attributed to the plugin.
   * @param execute - calls the plugin
   */
  callPlugin?<Result>(pluginId: string, execute: () => Result): Result;
}

/**
 * Returns the replacement of a tool result by one middleware. A middleware that fails is logged, and the result stays
 * (PLUG-056).
 * @param middleware - middleware of a plugin
 * @param passage - the call and its result, without secrets
 * @returns undefined when the result stays
 */
export async function replacedResult(
  { pluginId, middleware }: ToolResultMiddleware,
  passage: ToolResultPassage,
  { request, dependencies }: RunningTurn<MiddlewareDependencies>,
): Promise<ToolResult | undefined> {
  const { callPlugin, logger } = dependencies;
  const own = structuredClone(passage);
  const invoke = async () => middleware(own);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    const replacement = await waitUnlessAborted(signal, () =>
      callPlugin === undefined ? invoke() : callPlugin(pluginId, invoke),
    );
    if (typeof replacement !== "object" || replacement === null) return undefined;
    return "result" in replacement ? replacement.result : replacement;
  } catch (error) {
    if (!request.signal.aborted) {
      const { toolName } = passage;
      const problem = `the tool result middleware of plugin "${pluginId}" failed, and the result stays: ${errorMessage(error)}`;
      logger.warn(problem, { code: "TOOL_RESULT_MIDDLEWARE_FAILED", pluginId, toolName });
    }
    return undefined;
  }
}
