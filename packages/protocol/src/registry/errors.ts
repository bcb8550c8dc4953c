import { OpenClawError } from "@openclaw/foundation";
import type { ParameterIssue } from "./parameter-issue.js";

/** A client called a method that the gateway does not have. */
export class MethodNotFoundError extends OpenClawError {
  static override readonly code = "NOT_FOUND";
  static override readonly kind = "not-found";
  readonly method: string;

  /**
   * @param method - name that was called
   * @param known - names of the methods
   */
  constructor(method: string, known: readonly string[]) {
    super(`method ${method} not found; the methods are ${known.join(", ")}`);
    this.method = method;
  }
}

/** The parameters of a method call do not match the method's schema. */
export class InvalidRequestError extends OpenClawError {
  static override readonly code = "INVALID_REQUEST";
  static override readonly kind = "invalid";
  readonly method: string;
  /** Invalid parameters, at most five (GW-021). */
  readonly issues: readonly ParameterIssue[];

  /**
   * @param method - name of the method
   * @param issues - invalid parameters with the reasons
   */
  constructor(method: string, issues: readonly ParameterIssue[]) {
    const problems = issues.map(({ path, message }) => `${path} ${message}`.trim());
    super(`${method}: ${problems.join("; ")}`);
    this.method = method;
    this.issues = issues;
  }
}
