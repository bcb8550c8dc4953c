import type { Origin } from "@openclaw/plugin-sdk/hooks";
import { DECISION_DEADLINE_MS, type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import { copied, flag, number, object, oneOf, optional, text } from "./field.js";

const origin = object<Origin>("{ channel?, accountId?, to?, threadId? }");
const context = { childSessionKey: optional(text), requesterSessionKey: optional(text) };
const spawn = {
  childSessionKey: text,
  agentId: text,
  label: optional(text),
  mode: oneOf("run", "session"),
  requester: optional(copied(origin)),
  threadRequested: flag,
};

/** Hooks about subagents. */
export const subagentCatalog: HookCatalogEntries<
  "subagent_spawning" | "subagent_spawned" | "subagent_delivery_target" | "subagent_ended"
> = {
  subagent_spawning: {
    kind: "decide",
    summary: 'Before the session of a subagent exists; `status: "error"` denies it with that text.',
    step: "U1",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the spawn is denied",
    event: spawn,
    contextGroup: "agent",
    context,
    result: {
      status: oneOf("ok", "error"),
      error: optional(text),
      threadBindingReady: optional(flag),
      deliveryOrigin: optional(origin),
    },
    merge: {
      status: "last",
      error: "last",
      threadBindingReady: "any",
      deliveryOrigin: "first",
    },
    terminal: [{ field: "status", value: "error" }],
    deny: (reason) => ({ status: "error", error: reason }),
  },
  subagent_spawned: {
    kind: "observe",
    summary: "After the run of a subagent is queued.",
    step: "U3",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: { ...spawn, runId: text, resolvedModel: optional(text) },
    contextGroup: "agent",
    context,
  },
  subagent_delivery_target: {
    kind: "rewrite",
    summary: "Chooses the recipient of a subagent's result; default: the requester's conversation.",
    step: "U5",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the result is not delivered and the failure is reported",
    event: {
      childSessionKey: text,
      requesterSessionKey: text,
      requesterOrigin: optional(copied(origin)),
      childRunId: optional(text),
      spawnMode: optional(oneOf("run", "session")),
      expectsCompletionMessage: flag,
    },
    contextGroup: "agent",
    context,
    result: { origin: optional(origin) },
    merge: { origin: "first" },
  },
  subagent_ended: {
    kind: "observe",
    summary: "Exactly once per spawned subagent.",
    step: "U7",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      targetSessionKey: text,
      targetKind: oneOf("subagent", "acp"),
      reason: text,
      outcome: optional(oneOf("ok", "error", "timeout", "killed", "reset", "deleted")),
      error: optional(text),
      accountId: optional(text),
      runId: optional(text),
      endedAt: optional(number),
      sendFarewell: optional(flag),
    },
    contextGroup: "agent",
    context,
  },
};
