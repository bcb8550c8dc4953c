/** A finding of a check. */
export interface ConformanceFinding {
  /** An `error` fails the check; a `warn` and an `info` do not. */
  readonly level: "error" | "warn" | "info";
  /** The subject, and the expected value. */
  readonly message: string;
  /** Advice to fix it. */
  readonly hint?: string | undefined;
}

/** Result of a check: its findings, or the reason that it does not apply to the plugin. */
export type CheckOutcome = readonly ConformanceFinding[] | { readonly skipped: string };

/** Stable name of a check, for programs. */
export type ConformanceCheckId =
  | "manifest-valid"
  | "loads-as-module"
  | "loads-installed"
  | "register-idempotent"
  | "unload-leaves-nothing"
  | "declared-equals-registered"
  | "survives-neighbours"
  | "results-keep-to-catalog"
  | "sync-hooks-sync"
  | "gates-hold-under-timeout"
  | "permission-honesty";

/** One check of a plugin. */
export interface ConformanceCheck {
  readonly id: ConformanceCheckId;
  /** The requirement, in one sentence. */
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly findings: readonly ConformanceFinding[];
  /** Reason that it was skipped. */
  readonly reason?: string;
}

/** Result of checking a plugin. */
export interface ConformanceReport {
  /** Absolute path of the plugin. */
  readonly path: string;
  /** True when no check failed. */
  readonly passed: boolean;
  readonly checks: readonly ConformanceCheck[];
}
