import type { HookDiagnostic } from "@openclaw/hook-runner";

/** How grave a diagnostic is: `error` lost something, `warn` may surprise, `info` is good to know. */
export type DiagnosticLevel = "info" | "warn" | "error";

/** What kind of thing a diagnostic reports; stable, for programs. */
export type DiagnosticCode =
  // discovery and manifest
  | "path-missing"
  | "path-unreadable"
  | "folder-unsafe"
  | "folder-owner"
  | "manifest-missing"
  | "manifest-derived"
  | "manifest-invalid"
  | "manifest-unknown-field"
  | "manifest-legacy"
  | "manifest-not-used"
  | "duplicate-id"
  | "reserved-id"
  // configuration
  | "config-invalid"
  | "config-unknown-id"
  | "config-not-used"
  | "slot-unknown"
  | "slot-taken"
  | "version-conflict"
  // loading
  | "entry-missing"
  | "entry-unsafe"
  | "entry-ambiguous"
  | "entry-from-source"
  | "import-failed"
  | "import-timeout"
  | "loaded-by-jiti"
  | "sdk-subpath-unknown"
  | "export-invalid"
  | "id-mismatch"
  | "register-failed"
  | "register-timeout"
  | "nothing-offered"
  | "reload-kept-old"
  | "restart-advised"
  // registration
  | "unknown-hook"
  | "wrong-door"
  | "hook-of-other-version"
  | "not-offered-yet"
  | "not-hosted-yet"
  | "accepted-not-used"
  | "boot-passed"
  | "permission-undeclared"
  | "route-behind-gateway"
  | "tool-parameters-invalid"
  | "tool-parameters-differ"
  | "deprecated-hook"
  | "hook-inactive"
  | "gate-inactive"
  | "unknown-option"
  | "name-taken"
  | "trusted-policy-refused"
  | "late-registration"
  // services
  | "service-failed"
  | "service-slow"
  // of an examination
  | "handler-never-fired"
  | "sdk-copy"
  | "slow-load"
  // reported by the hook engine
  | HookDiagnostic["code"];

/** Something worth telling about a plugin, in the registry of its generation. */
export interface PluginDiagnostic {
  readonly level: DiagnosticLevel;
  readonly code: DiagnosticCode;
  /** Who, what, and what was expected and found. */
  readonly message: string;
  readonly pluginId?: string;
  /** File or folder it is about. */
  readonly source?: string;
  /** The next step. */
  readonly hint?: string;
}
