/** Category of a failed request, as components of version 0.4 receive it. */
export type HttpFailureKind =
  | "auth-required"
  | "input"
  | "output-too-large"
  | "network-denied"
  | "client"
  | "operation-failed";

/** A request of a component that was not sent, or has no usable response. It is reported to the component only. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  /** Stable name of the rule, for example `HostNotAllowed`. */
  readonly code: string;
  /** True when the request may have reached the server. */
  readonly isSent: boolean;

  constructor(kind: HttpFailureKind, code: string, message: string, isSent = false) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.isSent = isSent;
  }

  /**
   * Returns the failure in the form of a version of the world.
   * @param errors - `typed` for components of version 0.4
   */
  payload(errors: "text" | "typed"): unknown {
    if (errors === "text") return `${this.code}: ${this.message}`;
    const { kind, code, message, isSent } = this;
    return { kind, code, message, requestSent: isSent };
  }
}
