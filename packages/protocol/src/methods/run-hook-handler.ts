import { Type } from "typebox";

const hookChange = Type.Object({
  op: Type.Enum(["add", "replace", "remove"]),
  path: Type.String(),
  value: Type.Optional(Type.String({ description: "Shortened." })),
});

/** Result of one handler of a dispatch. Times are milliseconds. */
export const runHookHandler = Type.Object(
  {
    pluginId: Type.String(),
    label: Type.Optional(Type.String()),
    stage: Type.Optional(Type.Literal("policy")),
    priority: Type.Optional(
      Type.Number({
        description: "Order among the handlers of the hook, higher first; absent for 0.",
      }),
    ),
    outcome: Type.String({
      description: "For example `ok`, `no-result`, `terminal`, `threw` or `timeout`.",
    }),
    at: Type.Optional(
      Type.Number({
        description: "Start, in milliseconds since the epoch; absent when it was not called.",
      }),
    ),
    durationMs: Type.Number(),
    attempts: Type.Optional(Type.Integer()),
    queueWaitMs: Type.Optional(Type.Number()),
    result: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Fields that the handler returned in addition to its changes, shortened.",
      }),
    ),
    patch: Type.Optional(
      Type.Array(hookChange, {
        description: "Changes to the event, as operations of a JSON Patch.",
      }),
    ),
  },
  { title: "RunHookHandler" },
);
