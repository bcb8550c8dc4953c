import type { BundleAction } from "../definition/definition.js";
import {
  type BundleApi,
  BundleHandler,
  contextOf,
  type Remove,
  type RunnableHook,
} from "./handler.js";
import { bindToolCall, type ToolResults } from "./tool-events.js";
import { bindPrompt, bindSessionStart, bindStop, isSubagent } from "./turn-events.js";

/**
 * Registers a hook of a bundle at its event (EXT-540). Before a tool call a failure denies the call; elsewhere it is logged.
 * @param api - host
 * @param action - its handler
 * @param results - handlers after tool calls
 * @returns a function that removes it
 */
export function bindBundle(
  api: BundleApi,
  hook: RunnableHook,
  action: BundleAction,
  results: ToolResults,
): Remove {
  const { event } = action;
  const { name, priority, timeoutMs } = hook.definition;
  const mode = event === "PreToolUse" ? ("fail-closed" as const) : ("fail-open" as const);
  const options = { priority, timeoutMs, mode, name, id: `${name}@${event}` };
  const handler = new BundleHandler(hook, action, api);
  switch (event) {
    case "PreToolUse":
      return bindToolCall(api, handler, options);
    case "PostToolUse":
    case "PostToolUseFailure":
      return results.add(handler, event);
    case "UserPromptSubmit":
      return bindPrompt(api, handler, options);
    case "SessionStart":
      return bindSessionStart(api, handler, options);
    case "Stop":
    case "SubagentStop":
      return bindStop(api, handler, event, options);
    case "SessionEnd":
      return api.on(
        "session_end",
        async ({ reason }, context) => {
          // The end of a subagent is SubagentStop.
          if (isSubagent(context.sessionKey)) return;
          const told = reason === "reset" || reason === "new" ? "clear" : "other";
          if (handler.accepts(told)) await handler.run(context, { reason: told });
        },
        options,
      );
    case "StopFailure":
      return api.on(
        "agent_error",
        async ({ error }, context) => {
          if (!handler.accepts(error.code)) return;
          await handler.run(context, { error: error.code, error_details: error.message });
        },
        options,
      );
    case "SubagentStart":
      return api.on(
        "subagent_spawned",
        async ({ label = "", childSessionKey }, context) => {
          if (!handler.accepts(label)) return;
          await handler.run(context, { agent_id: childSessionKey, agent_type: label });
        },
        options,
      );
    case "PreCompact":
      return api.on(
        "before_compaction",
        async (_event, context) => {
          if (!handler.accepts("auto")) return undefined;
          const fields = { trigger: "auto", custom_instructions: "" };
          const annotation = contextOf(await handler.run(context, fields));
          return annotation === undefined ? undefined : { annotation };
        },
        options,
      );
    case "PostCompact":
      return api.on(
        "after_compaction",
        async ({ summary = "" }, context) => {
          if (!handler.accepts("auto")) return undefined;
          await handler.run(context, { trigger: "auto", compact_summary: summary });
          return undefined;
        },
        options,
      );
  }
}
