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

/** A condition that the host should know, reported without an error. */
export interface HookDiagnostic {
  readonly level: DiagnosticLevel;
  readonly code: DiagnosticCode;
  /** Subject, problem and fix. */
  readonly message: string;
  readonly owner?: string;
  readonly hook?: string;
  readonly registrationId?: string;
  /** Source of the registration, as registered. */
  readonly source?: string;
  readonly cause?: unknown;
}

export type DiagnosticSink = (diagnostic: HookDiagnostic) => void;

/** Default sink of diagnostics when the host gives none, so that none are lost. */
export const consoleSink: DiagnosticSink = ({ level, code, message, cause }) => {
  const details = cause === undefined ? [] : [cause];
  console[level](`[hook-runner] ${code}: ${message}`, ...details);
};

/** Returns a sink that never throws to the reporting code; its errors go to the console. */
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
