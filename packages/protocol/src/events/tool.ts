import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

const scope = "operator.read";

const call = {
  sessionKey: Type.String({ description: "Full key of the session." }),
  runId: Type.String({ description: "ID of the turn." }),
  toolCallId: Type.String(),
};

const toolName = Type.String({ description: "Name of the tool." });

/** Events of tool calls, sent to the subscribers of the session (GW-024). */
export const toolEvents = {
  "tool.started": defineEvent({
    name: "tool.started",
    summary: "Sent when a tool call starts.",
    payload: Type.Object({
      ...call,
      toolName,
      params: Type.Unknown({ description: "Parameters, without secrets." }),
    }),
    scope,
    delivery: "durable",
  }),
  "tool.update": defineEvent({
    name: "tool.update",
    summary: "Previews the output of a running tool, at most ten times per second (TURN-039).",
    payload: Type.Object({
      ...call,
      text: Type.String({
        description: "Latest output, at most 64 KiB; replaces earlier updates.",
      }),
    }),
    scope,
    delivery: "droppable",
  }),
  "tool.blocked": defineEvent({
    name: "tool.blocked",
    summary: "Sent when a tool call is denied; `tool.result` follows (TURN-034).",
    payload: Type.Object({
      ...call,
      toolName,
      decider: Type.String({
        description: "For example `plugin:guard`, `policy:global`, `safety` or `approval`.",
      }),
    }),
    scope,
    delivery: "durable",
  }),
  "tool.result": defineEvent({
    name: "tool.result",
    summary: "Sent when a tool call has ended.",
    payload: Type.Object({
      ...call,
      toolName,
      outcome: Type.Enum(["ok", "error", "refused"]),
      preview: Type.String({ description: "One line of the result." }),
      durationMs: Type.Number(),
      failure: Type.Optional(
        Type.Enum(["timed-out", "interrupted", "outcome-unknown"], {
          description:
            "Why the tool did not run to its end; absent when it did, and for a denied call.",
        }),
      ),
      details: Type.Optional(
        Type.Unknown({ description: "Details as the tool returned them, up to 64 KiB of JSON." }),
      ),
    }),
    scope,
    delivery: "durable",
  }),
};
