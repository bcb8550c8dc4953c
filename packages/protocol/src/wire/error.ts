import { type Static, Type } from "typebox";
import { WIRE_ERROR_CODES } from "./error-code.js";

/** Schema of a failed call's error. */
export const wireErrorSchema = Type.Object(
  {
    code: Type.Enum([...WIRE_ERROR_CODES], {
      description: "Code that decides how a client reacts.",
    }),
    reason: Type.String({
      description: "Stable code of the exact error, for example `PLUGIN_NOT_FOUND`.",
    }),
    kind: Type.String({
      description: "Category of the error; the exit code of the command line follows from it.",
    }),
    message: Type.String(),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "Data about the error, for example `issues` of the parameters or the `missingScope`.",
      }),
    ),
    requestId: Type.Optional(
      Type.String({ description: "ID of the failed call in the log of the gateway." }),
    ),
    retryable: Type.Boolean({ description: "True if the same call may succeed later." }),
    retryAfterMs: Type.Optional(
      Type.Integer({ description: "Time in milliseconds before a retry can succeed." }),
    ),
  },
  { title: "WireError" },
);

/** Error of a failed call. */
export type WireError = Static<typeof wireErrorSchema>;

/** Body of a failed call over HTTP (GW-033). */
export interface WireErrorBody {
  readonly error: WireError;
}
