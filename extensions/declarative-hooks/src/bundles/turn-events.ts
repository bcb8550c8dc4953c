import type { HookOptions } from "@openclaw/plugin-sdk/hooks";
import { type BundleApi, type BundleHandler, contextOf, type Remove } from "./handler.js";

/** Sources of a session by the reason of its start here. */
const SOURCES = {
  new: "startup",
  reset: "clear",
  resume: "resume",
  compaction: "compact",
} as const;

type Options = Pick<HookOptions, "priority" | "timeoutMs" | "mode" | "id" | "name">;

/**
 * Registers a handler for messages of users: its context is added to the prompt, and its denial stops the turn.
 * @param api - host
 * @param handler - handler of `UserPromptSubmit`
 * @param options - order, deadline and mode
 */
export function bindPrompt(api: BundleApi, handler: BundleHandler, options: Options): Remove {
  /** Reasons of denied runs, until the gate of the run. */
  const denied = new Map<string, string>();
  const removeBuild = api.on(
    "before_prompt_build",
    async ({ prompt, currentUserMessage = prompt }, context) => {
      if (isSubagent(context.sessionKey)) return undefined;
      const outcome = await handler.run(context, { prompt: currentUserMessage });
      if (outcome.action === "block") denied.set(runOf(context), outcome.reason);
      const appendContext = contextOf(outcome);
      return appendContext === undefined ? undefined : { appendContext };
    },
    options,
  );
  const removeGate = api.on(
    "before_agent_run",
    (_event, context) => {
      const reason = denied.get(runOf(context));
      denied.delete(runOf(context));
      return reason === undefined ? undefined : { outcome: "block", reason, message: reason };
    },
    { id: `${handler.name}@gate` },
  );
  return () => {
    removeBuild();
    removeGate();
  };
}

/**
 * Registers a handler for the first turn of a session, to which its context is added.
 * @param api - host
 * @param handler - handler of `SessionStart`
 * @param options - order, deadline and mode
 */
export function bindSessionStart(api: BundleApi, handler: BundleHandler, options: Options): Remove {
  const sources = new Map<string, (typeof SOURCES)[keyof typeof SOURCES]>();
  const begun = new Set<string>();
  const removeStart = api.on(
    "session_start",
    ({ sessionId, reason }) => void sources.set(sessionId, SOURCES[reason]),
    { id: `${handler.name}@start` },
  );
  const removeBuild = api.on(
    "before_prompt_build",
    async ({ messages }, context) => {
      const { sessionId = "", sessionKey, modelId = "" } = context;
      if (begun.has(sessionId) || isSubagent(sessionKey)) return undefined;
      begun.add(sessionId);
      const source = sources.get(sessionId) ?? (messages.length > 1 ? "resume" : "startup");
      sources.delete(sessionId);
      if (!handler.accepts(source)) return undefined;
      const outcome = await handler.run(context, { source, model: modelId });
      const appendContext = contextOf(outcome);
      return appendContext === undefined ? undefined : { appendContext };
    },
    // A session starts before its first message is submitted.
    { ...options, priority: (options.priority ?? 0) + 1 },
  );
  return () => {
    removeStart();
    removeBuild();
  };
}

/**
 * Registers a handler before a reply is final: its denial gives the model its reason and another pass.
 * @param api - host
 * @param handler - handler of `Stop` or `SubagentStop`
 * @param event - replies of the agent, or of its subagents
 * @param options - order, deadline and mode
 */
export function bindStop(
  api: BundleApi,
  handler: BundleHandler,
  event: "Stop" | "SubagentStop",
  options: Options,
): Remove {
  return api.on(
    "before_agent_finalize",
    async ({ stopHookActive, lastAssistantMessage = "" }, context) => {
      if (isSubagent(context.sessionKey) !== (event === "SubagentStop")) return undefined;
      const outcome = await handler.run(context, {
        ...{ stop_hook_active: stopHookActive, last_assistant_message: lastAssistantMessage },
        ...(event === "Stop" ? {} : { agent_id: context.sessionKey ?? "", agent_type: "" }),
      });
      if (outcome.action !== "block") return undefined;
      const { reason } = outcome;
      return { action: "revise", reason, retry: { instruction: reason } };
    },
    options,
  );
}

/**
 * Returns true for the session of a subagent.
 * @param sessionKey - key of the session
 */
export function isSubagent(sessionKey = ""): boolean {
  return sessionKey.includes(":subagent:");
}

function runOf({ runId, sessionId }: { readonly runId?: string; readonly sessionId?: string }) {
  return runId ?? sessionId ?? "";
}
