import { type Static, Type } from "typebox";

/** Codes of failed calls, the same over WebSocket and HTTP (GW-021). */
export const WIRE_ERROR_CODES = [
  "INVALID_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "RATE_LIMITED",
  "PAYLOAD_TOO_LARGE",
  "IDEMPOTENCY_MISMATCH",
  "UNAVAILABLE",
  "TIMEOUT",
  "UNSUPPORTED_PROTOCOL",
  "INTERNAL",
] as const;

/** Code of a failed call. */
export type WireErrorCode = (typeof WIRE_ERROR_CODES)[number];

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
