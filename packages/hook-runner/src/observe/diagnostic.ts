export type DiagnosticLevel = "info" | "warn" | "error";

export type DiagnosticCode =
  | "busy-handler"
  | "deny-failed"
  | "duplicate-registration"
  | "handler-failed"
  | "ineffective-option"
  | "invalid-operator-timeout"
  | "late-registration"
  | "listener-failed"
  | "redactor-failed"
  | "slow-sync-handler"
  | "sync-returned-promise"
  | "unknown-result-field";

/** Something the host should know; nothing was thrown for it. */
export interface HookDiagnostic {
  readonly level: DiagnosticLevel;
  readonly code: DiagnosticCode;
  /** Who, what, and what to do about it. */
  readonly message: string;
  readonly owner?: string;
  readonly hook?: string;
  readonly registrationId?: string;
  /** Where the registration came from, as it was registered. */
  readonly source?: string;
  readonly cause?: unknown;
}

export type DiagnosticSink = (diagnostic: HookDiagnostic) => void;

/** Where diagnostics go when the host gives no sink of its own: never nowhere. */
export const consoleSink: DiagnosticSink = ({ level, code, message, cause }) => {
  const details = cause === undefined ? [] : [cause];
  console[level](`[hook-runner] ${code}: ${message}`, ...details);
};

/** A sink that cannot fail whoever reports; what it throws goes to the console. */
export function guardedSink(sink: DiagnosticSink): DiagnosticSink {
  return (diagnostic) => {
    try {
      sink(diagnostic);
    } catch (error) {
      consoleSink(diagnostic);
      console.error("[hook-runner] the host's onDiagnostic threw", error);
    }
  };
}
