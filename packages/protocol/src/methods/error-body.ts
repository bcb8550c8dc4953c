import type { ParameterIssue } from "../registry/parameter-issue.js";

/** Body of a failed method call. */
export interface GatewayMethodErrorBody {
  readonly error: {
    /** Stable code of the error, for example `PLUGIN_NOT_FOUND`. */
    readonly code: string;
    /** Category of the error, for example `not-found`; the exit code of the command line follows from it. */
    readonly kind: string;
    readonly message: string;
    /** For `INVALID_REQUEST`: the invalid parameters, at most five (GW-021). */
    readonly details?: { readonly issues: readonly ParameterIssue[] };
  };
}
