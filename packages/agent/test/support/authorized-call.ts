import type { Approver } from "@openclaw/approval-broker";
import type {
  ApprovalDecision,
  BeforeToolCallResult,
  HookHandler,
} from "@openclaw/plugin-sdk/hooks";
import type { JsonValue, ToolDefinition } from "@openclaw/plugin-sdk/tools";
import type { Approval } from "@openclaw/store/decisions";
import { vi } from "vitest";

import {
  plugin,
  type TurnHost,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "./turn-host.js";

/** A handler that decides about calls. */
export type Guard = HookHandler<"before_tool_call">;

/** Parameters of the tool `work`. */
export const parameters = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" } },
  additionalProperties: false,
};

/** Plugins `guard-1`, `guard-2` and so on, each with one handler of before_tool_call. */
export function guards(...handlers: Guard[]) {
  return handlers.map((handler, index) =>
    plugin(`guard-${index + 1}`, (api) => void api.on("before_tool_call", handler)),
  );
}

/** A guard that always answers the same. */
export const saying =
  (result: BeforeToolCallResult): Guard =>
  () =>
    result;

/** A host whose model calls the core tool `work` with each of these arguments in turn. */
export async function judging(
  handlers: Guard[],
  {
    asked = [{}],
    changes = {},
    ...options
  }: TurnHostOptions & { asked?: JsonValue[]; changes?: Partial<ToolDefinition> } = {},
) {
  const execute = vi.fn<ToolDefinition["execute"]>(() => "ran");
  const told: string[] = [];
  const host = await turnHost({
    script: [
      ...asked.map((params) => ({ toolCalls: [{ toolName: "work", params }] })),
      { text: "done" },
    ],
    coreTools: [tool("work", { parameters, execute, ...changes })],
    plugins: [
      ...guards(...handlers),
      plugin("witness", (api) => {
        api.on("tool_error", () => void told.push("tool_error"));
        api.on("after_tool_call", () => void told.push("after_tool_call"));
      }),
    ],
    ...options,
  });
  return { host, execute, told };
}

/** Returns the text of the answers of calls. */
export async function answers(host: TurnHost): Promise<string[]> {
  return (await host.toolResults()).map(textOf);
}

/** An owner at the terminal. */
export const OWNER = { channel: "terminal", senderId: "owner", isOwner: true } as const;

/** Approver that gives these decisions in order and records the requests. */
export function approver(...given: ApprovalDecision[]): Approver & { readonly asked: Approval[] } {
  const asked: Approval[] = [];
  return {
    asked,
    actor: OWNER,
    async ask(question) {
      asked.push(question);
      return { decision: given.shift() ?? "deny", via: "terminal" };
    },
  };
}
