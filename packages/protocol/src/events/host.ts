import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";
import { logLine } from "../log-line.js";

const scope = "operator.read";

const shadowVerdict = (description: string) =>
  Type.Enum(["allowed", "approval", "denied"], { description });

/** Events of the host, sent to every client with the scope. */
export const hostEvents = {
  "sessions.changed": defineEvent({
    name: "sessions.changed",
    summary: "Sent when a session was created, changed, reset or deleted (GW-025).",
    payload: Type.Object({
      sessionKey: Type.String({ description: "Full key of the session." }),
      change: Type.Enum(["created", "updated", "reset", "deleted"]),
    }),
    scope,
    delivery: "durable",
  }),
  "plugins.changed": defineEvent({
    name: "plugins.changed",
    summary: "Sent when a new generation of plugins is active (PLUG-050).",
    payload: Type.Object({ generation: Type.Integer() }),
    scope,
    delivery: "durable",
  }),
  "config.changed": defineEvent({
    name: "config.changed",
    summary: "Sent when a changed configuration is in force (GW-006).",
    payload: Type.Object({
      applied: Type.Array(Type.String(), { description: "Keys that were applied." }),
      plugins: Type.Array(Type.String(), {
        description: "Plugins that were reloaded; `*` for all of them.",
      }),
      pending: Type.Array(Type.String(), { description: "Keys that wait for a restart." }),
    }),
    scope: "operator.admin",
    delivery: "durable",
  }),
  "config.error": defineEvent({
    name: "config.error",
    summary:
      "Sent when the configuration was changed and is not valid; the earlier one stays (GW-006).",
    payload: Type.Object({
      message: Type.String({ description: "Every error with its file, line and key." }),
    }),
    scope: "operator.admin",
    delivery: "durable",
  }),
  "policy.progress": defineEvent({
    name: "policy.progress",
    summary: "Sent while a call of `policy.whatIf` with a `jobId` compares decisions (POL-036).",
    payload: Type.Object({
      jobId: Type.String({ description: "ID that the caller gave to the comparison." }),
      compared: Type.Integer({ minimum: 0, description: "Decisions compared so far." }),
      total: Type.Integer({ minimum: 0, description: "Decisions recorded when it began." }),
    }),
    scope: "operator.admin",
    delivery: "droppable",
  }),
  "policy.shadow": defineEvent({
    name: "policy.shadow",
    summary:
      "Sent for each tool call that `tools.candidate` decides otherwise than the policy in force, which counts (POL-035).",
    payload: Type.Object({
      runId: Type.String(),
      sessionKey: Type.String({ description: "Full key of the session." }),
      agentId: Type.String(),
      toolCallId: Type.String(),
      tool: Type.String({ description: "Canonical name of the tool." }),
      live: shadowVerdict("Outcome of the policy in force."),
      candidate: shadowVerdict("Outcome of the policy that is tried."),
      reason: Type.Optional(Type.String({ description: "Why the candidate denies the call." })),
    }),
    scope: "operator.admin",
    delivery: "droppable",
  }),
  log: defineEvent({
    name: "log",
    summary: "Line of the log, sent to connections that called `logs.tail` with `follow` (GW-029).",
    payload: logLine,
    scope: "operator.admin",
    delivery: "droppable",
  }),
};
