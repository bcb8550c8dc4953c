import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { logLine } from "../log-line.js";

// Both tell an operator what is wrong.
export { doctorMethods } from "../doctor/methods.js";

const cursor = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]{1,20}-[0-9]{1,16}$", description }));

/** The log methods (GW-029). */
export const logMethods = methodTable(
  defineMethod({
    name: "logs.tail",
    summary:
      "Returns lines of the log of the gateway, oldest first: the newest ones, or those since or before a cursor.",
    params: Type.Object(
      {
        level: Type.Optional(
          Type.Enum(["debug", "info", "warn", "error"], {
            default: "info",
            description: "Lowest level to return; default `info`.",
          }),
        ),
        sinceCursor: cursor("`cursor` of an earlier call; returns the lines after it."),
        beforeCursor: cursor(
          "`earlierCursor` of an earlier call; returns the lines before it. Not with `sinceCursor`.",
        ),
        follow: Type.Optional(
          Type.Boolean({
            description:
              "True sends later lines of this level to the connection as `log` events; false ends that. Only over the WebSocket.",
          }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1000, default: 200, description: "Default 200." }),
        ),
      },
      { additionalProperties: false },
    ),
    result: Type.Object({
      lines: Type.Array(logLine),
      cursor: Type.String({ description: "Position after the last returned line." }),
      earlierCursor: Type.Optional(
        Type.String({
          description:
            "Position before which older lines are, for `beforeCursor`; absent at the beginning of the file.",
        }),
      ),
      isGap: Type.Boolean({
        description:
          "True when lines after `sinceCursor` or before `beforeCursor` are in older files, which are not read.",
      }),
    }),
    errors: ["CONNECTION_NEEDED"],
    scope: "operator.admin",
    effect: "read",
  }),
);
