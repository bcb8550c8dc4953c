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

/** Fields that a handler of a type must have. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ["command"],
  http: ["url"],
  prompt: ["prompt"],
  agent: ["prompt"],
  mcp_tool: ["server", "tool"],
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
  handler: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!Object.hasOwn(HOOK_EVENTS, event)) {
    return WITHOUT_EVENT[event] ?? `this host has no event ${event}`;
  }
  if (matcher !== undefined && typeof matcher !== "string") return "its matcher is not a string";
  const { type, if: condition } = handler;
  const fields = typeof type === "string" && Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (fields === undefined) {
    const types = Object.keys(FIELDS)
      .join(", ")
      .replace(/, (\w+)$/, " or $1");
    return `its type is ${JSON.stringify(type)}, expected ${types}`;
  }
  if (condition !== undefined && typeof condition !== "string") return "its if is not a string";
  const missing = fields.find((field) => {
    const value = handler[field];
    return typeof value !== "string" || value.trim() === "";
  });
  return missing === undefined ? undefined : `it has no ${missing}`;
}
