import type { BundleHookHandler } from "@openclaw/plugin-sdk/services";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { fieldsOf } from "./files.js";

/** Maximum number of handlers of a bundle. */
const MOST_HANDLERS = 200;

/** Events of Claude Code that this host has, each with its moment here (EXT-540). */
export const HOOK_EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: "before a tool call",
  PostToolUse: "after a tool call, before the model sees the result",
  PostToolUseFailure: "after a failed tool call, before the model sees the result",
  UserPromptSubmit: "before the model sees a message",
  SessionStart: "before the first turn of a session",
  SessionEnd: "after a session",
  Stop: "before a reply is final",
  StopFailure: "after a failed turn",
  SubagentStart: "when a subagent is started",
  SubagentStop: "before the result of a subagent is final",
  PreCompact: "before a history is summarised",
  PostCompact: "after a history was summarised",
};

const WITHOUT_EVENT: Readonly<Record<string, string>> = {
  Notification:
    "the host sends no notifications; approval requests reach the approvers by themselves",
  PermissionRequest: "approval requests are decided by people and by the policy of the host",
  PermissionDenied: "a denied call is returned to the model with its reason",
  Setup: "the host has no set-up mode",
};

const TYPES = new Set(["command", "http", "prompt"]);
const WITHOUT_TYPE: Readonly<Record<string, string>> = {
  mcp_tool: "a hook cannot call tools",
  agent: "a hook cannot start an agent; use type prompt",
};

/** Tells of a part without an effect: its kind, its name, the reason. */
type Reject = (kind: string, name: string, reason: string) => void;

/**
 * Reads the handlers of hooks that this host can run.
 * @param sources - objects with a list of groups for each event
 * @param reject - receives each handler that has no effect
 */
export function readHandlers(
  sources: readonly Readonly<Record<string, unknown>>[],
  reject: Reject,
): readonly BundleHookHandler[] {
  const handlers: BundleHookHandler[] = [];
  const counts = new Map<string, number>();
  const add = (event: string, matcher: unknown, written: unknown) => {
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    const name = `${event}-${count}`;
    // Comes from a JSON file.
    const handler = fieldsOf(written) as JsonObject;
    const problem = problemOf(event, matcher, handler);
    if (problem !== undefined) return reject("hook", name, problem);
    if (handlers.length >= MOST_HANDLERS) {
      return reject("hook", name, `a bundle has at most ${MOST_HANDLERS} hooks`);
    }
    handlers.push({
      ...{ name, event, handler },
      ...(typeof matcher === "string" && matcher !== "" ? { matcher } : {}),
    });
  };
  for (const events of sources) {
    for (const [event, groups] of Object.entries(events)) {
      if (!Array.isArray(groups)) {
        reject("hook", event, "its value is not a list of groups with matcher and hooks");
        continue;
      }
      for (const group of groups) {
        const { matcher, hooks } = fieldsOf(group);
        if (!Array.isArray(hooks)) {
          reject("hook", event, "a group has no list of hooks");
          continue;
        }
        for (const handler of hooks) add(event, matcher, handler);
      }
    }
  }
  return handlers;
}

function problemOf(
  event: string,
  matcher: unknown,
  { type, command, url, prompt, if: condition }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!Object.hasOwn(HOOK_EVENTS, event)) {
    return WITHOUT_EVENT[event] ?? `this host has no event ${event}`;
  }
  if (matcher !== undefined && typeof matcher !== "string") return "its matcher is not a string";
  if (typeof type !== "string" || !TYPES.has(type)) {
    return (
      WITHOUT_TYPE[String(type)] ??
      `its type is ${JSON.stringify(type)}, expected command, http or prompt`
    );
  }
  if (condition !== undefined && typeof condition !== "string") return "its if is not a string";
  const [field, value] = {
    command: ["command", command],
    http: ["url", url],
    prompt: ["prompt", prompt],
  }[type as "command"] as [string, unknown];
  return typeof value === "string" && value.trim() !== "" ? undefined : `it has no ${field}`;
}
