import { describe, it } from "vitest";
import type { HookCatalogEntry } from "../../src/catalog/entry.js";
import { copied, frozen, number, oneOf, optional, record, text } from "../../src/catalog/field.js";
import { HOOK_CATALOG } from "../../src/index.js";

const { event, result, merge, ...before_recall } = HOOK_CATALOG.before_recall;
const { session_start } = HOOK_CATALOG;

describe("[HCR-002] the compiler rejects a catalog entry", () => {
  it("of another kind", () => {
    ({
      ...HOOK_CATALOG.before_recall,
      // @ts-expect-error before_recall decides
      kind: "observe",
    }) satisfies HookCatalogEntry<"before_recall">;
  });

  it("that omits an event field", () => {
    const { limit: _limit, ...rest } = event;
    ({
      ...before_recall,
      result,
      merge,
      // @ts-expect-error limit is missing
      event: rest,
    }) satisfies HookCatalogEntry<"before_recall">;
  });

  it("with a field that the event does not have", () => {
    ({
      ...session_start,
      event: {
        sessionId: text,
        sessionKey: optional(text),
        resumedFrom: optional(text),
        reason: session_start.event.reason,
        // @ts-expect-error a session has no mood
        mood: text,
      },
    }) satisfies HookCatalogEntry<"session_start">;
  });

  it("whose field is required instead of optional, or has another type", () => {
    ({
      ...session_start,
      // @ts-expect-error the key is optional
      event: { ...session_start.event, sessionKey: text },
    }) satisfies HookCatalogEntry<"session_start">;
    ({
      ...session_start,
      // @ts-expect-error the id is a string
      event: { ...session_start.event, sessionId: number },
    }) satisfies HookCatalogEntry<"session_start">;
    ({
      ...session_start,
      // @ts-expect-error one word is missing
      event: { ...session_start.event, reason: oneOf("new", "reset", "resume") },
    }) satisfies HookCatalogEntry<"session_start">;
  });

  it("that does not declare the isolation of an object, or isolates a value that is not an object", () => {
    const { before_tool_call } = HOOK_CATALOG;
    ({
      ...before_tool_call,
      // @ts-expect-error params are an object
      event: { ...before_tool_call.event, params: record },
    }) satisfies HookCatalogEntry<"before_tool_call">;
    ({
      ...before_tool_call,
      event: { ...before_tool_call.event, params: frozen(record) },
    }) satisfies HookCatalogEntry<"before_tool_call">;
    ({
      ...before_tool_call,
      // @ts-expect-error a name is no object
      event: { ...before_tool_call.event, toolName: copied(text) },
    }) satisfies HookCatalogEntry<"before_tool_call">;
  });

  it("with a merge rule that is missing or does not fit the field", () => {
    const { skip: _skip, ...rest } = merge;
    ({
      ...before_recall,
      event,
      result,
      // @ts-expect-error skip has no rule
      merge: rest,
    }) satisfies HookCatalogEntry<"before_recall">;
    ({
      ...before_recall,
      event,
      result,
      // @ts-expect-error a number cannot be joined
      merge: { ...merge, limit: "concat" },
    }) satisfies HookCatalogEntry<"before_recall">;
  });

  it("with a terminal value that is invalid for the field", () => {
    ({
      ...HOOK_CATALOG.before_recall,
      // @ts-expect-error skip is true or false
      terminal: [{ field: "skip", value: "yes" }],
    }) satisfies HookCatalogEntry<"before_recall">;
  });

  it("with a context of another group", () => {
    ({
      ...session_start,
      // @ts-expect-error the session's context has no sender
      contextGroup: "message",
    }) satisfies HookCatalogEntry<"session_start">;
  });
});
