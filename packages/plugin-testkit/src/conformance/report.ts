/** Something that a check found. */
export interface ConformanceFinding {
  /** An `error` fails the check; a `warn` and an `info` do not. */
  readonly level: "error" | "warn" | "info";
  /** Who, what, and what was expected. */
  readonly message: string;
  /** The next step. */
  readonly hint?: string | undefined;
}

/** What a check came to: its findings, or why it does not apply to the plugin. */
export type CheckOutcome = readonly ConformanceFinding[] | { readonly skipped: string };

/** Name of a check; stable, for programs. */
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
  /** What holds when it passes, in one sentence. */
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly findings: readonly ConformanceFinding[];
  /** Why it was skipped. */
  readonly reason?: string;
}

/** What checking a plugin came to. */
export interface ConformanceReport {
  /** Absolute path of the plugin. */
  readonly path: string;
  /** True when no check failed. */
  readonly passed: boolean;
  readonly checks: readonly ConformanceCheck[];
}
