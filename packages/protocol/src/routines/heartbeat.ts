import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { routineSummarySchema, runSchema } from "./methods.js";

const closed = { additionalProperties: false };

/** The methods of the heartbeat. */
export const heartbeatMethods = methodTable(
  defineMethod({
    name: "heartbeat.status",
    summary: "Returns the settings of the heartbeat, and its routine.",
    params: Type.Object({}, closed),
    result: Type.Object({
      enabled: Type.Boolean({ description: "True when the configuration enables it." }),
      intervalSeconds: Type.Integer(),
      agentId: Type.String(),
      timezone: Type.String({ description: "Zone of the quiet hours." }),
      channel: Type.Optional(Type.String()),
      to: Type.Optional(Type.String()),
      quietHours: Type.Optional(Type.Object({ from: Type.String(), to: Type.String() })),
      routine: Type.Optional(routineSummarySchema),
      waits: Type.Optional(
        Type.String({ description: "Why a heartbeat that was due now would call no model." }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "heartbeat.run",
    summary:
      "Runs one heartbeat now, without regard to interval and quiet hours, and returns its end.",
    params: Type.Object({}, closed),
    result: Type.Object({
      run: Type.Optional(runSchema),
      text: Type.String({ description: "Its outcome in words." }),
    }),
    errors: ["ROUTINE_REFUSED"],
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "heartbeat.enable",
    summary: "Enables a heartbeat that failures disabled; the configuration enables every other.",
    params: Type.Object({}, closed),
    result: Type.Object({ enabled: Type.Boolean({ description: "True when it is enabled now." }) }),
    errors: [],
    scope: "operator.write",
    effect: "write",
    idempotency: "repeatable",
  }),
);
