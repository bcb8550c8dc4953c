import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";

const scope = "operator.read";

/** Events about the connection itself; each connection gets its own. */
export const connectionEvents = {
  hello: defineEvent({
    name: "hello",
    summary: "First frame of a connection, before `connect` (GW-020).",
    payload: Type.Object({
      protocol: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
      nonce: Type.String({ description: "Random value of this connection." }),
      server: Type.Object({ version: Type.String() }),
    }),
    scope,
    delivery: "droppable",
  }),
  tick: defineEvent({
    name: "tick",
    summary: "Sent at a regular interval, so that a client notices a dead connection (GW-023).",
    payload: Type.Object({
      at: Type.Integer({ description: "Time of the gateway, in milliseconds since the epoch." }),
    }),
    scope,
    delivery: "droppable",
  }),
  resync: defineEvent({
    name: "resync",
    summary:
      "Sent instead of the missed events when they are no longer kept: read the state again with methods (GW-023).",
    payload: Type.Object({
      reason: Type.Enum(["expired", "restarted", "unknown-cursor"], {
        description: "Why the events since the cursor cannot be sent.",
      }),
    }),
    scope,
    delivery: "droppable",
  }),
  shutdown: defineEvent({
    name: "shutdown",
    summary: "Last event before the gateway stops or restarts; connect again to continue.",
    payload: Type.Object({ reason: Type.Enum(["signal", "restart", "command", "error"]) }),
    scope,
    delivery: "droppable",
  }),
};
