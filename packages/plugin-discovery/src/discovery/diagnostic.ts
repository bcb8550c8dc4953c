import type { HookDiagnostic } from "@openclaw/hook-runner";

/**
 * Severity of a diagnostic: `error` lost something, `warn` may surprise, `info` is useful to know.
 */
export type DiagnosticLevel = "info" | "warn" | "error";

/** Stable code of a diagnostic, for programs. */
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
  | "files-changed"
  | "entry-missing"
  | "entry-unsafe"
  | "entry-ambiguous"
  | "entry-from-source"
  | "import-failed"
  | "import-timeout"
  | "built-ins-changed"
  | "loaded-by-jiti"
  | "module-type-missing"
  | "sdk-parts-missing"
  /** It imports functions that have no effect here. */
  | "sdk-parts-inert"
  /** It used one of them, and the work that needed it failed. */
  | "sdk-part-used"
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
  | "not-hosted-yet"
  | "served-by-gateway"
  | "accepted-not-used"
  | "registration-invalid"
  | "provider-without-models"
  | "route-moved"
  | "capability-absent"
  | "boot-passed"
  | "permission-undeclared"
  | "isolation-unconfined"
  | "route-behind-gateway"
  | "scope-raised"
  | "tool-parameters-invalid"
  | "tool-names-similar"
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
  // requests
  | "request-failed"
  // reported by the plugin itself
  | "plugin-reported"
  | "hook-file"
  // of an examination
  | "handler-never-fired"
  | "sdk-copy"
  | "slow-load"
  // reported by the hook engine
  | HookDiagnostic["code"];

/** A diagnostic about a plugin, in the registry of its generation. */
export interface PluginDiagnostic {
  readonly level: DiagnosticLevel;
  readonly code: DiagnosticCode;
  /** The subject, and the expected and actual value. */
  readonly message: string;
  readonly pluginId?: string;
  /** File or folder concerned. */
  readonly source?: string;
  /** Advice to fix it. */
  readonly hint?: string;
  /** Registration that the host keeps and does not use, for example `command "dance"`. */
  readonly unserved?: string;
}
