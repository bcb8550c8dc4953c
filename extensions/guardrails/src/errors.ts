import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A guard is not active because its configuration is invalid; the other guards are (DHOOK-044). */
export class GuardConfigInvalidError extends OpenClawError {
  static override readonly code = "GUARD_CONFIG_INVALID";
  static override readonly kind = "invalid";
  readonly guard: string;

  /**
   * @param guard - name of the guard, as in the configuration
   * @param problems - each names the key, what was expected and what was found
   */
  constructor(guard: string, problems: readonly string[]) {
    super(
      `the guard ${guard} is not active: ${problems.join("; ")}; correct plugins.entries.guardrails.config.${guard}`,
    );
    this.guard = guard;
  }
}

/** The configuration names a guard that does not exist. */
export class GuardNotFoundError extends OpenClawError {
  static override readonly code = "GUARD_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly guard: string;

  /**
   * @param guard - name in the configuration
   * @param nearest - name of the guard that is spelled most like it, if any
   * @param known - names of all guards
   */
  constructor(guard: string, nearest: string | undefined, known: readonly string[]) {
    const hint =
      nearest === undefined ? `the guards are ${known.join(", ")}` : `did you mean ${nearest}?`;
    super(`plugins.entries.guardrails.config.${guard}: there is no guard of this name; ${hint}`);
    this.guard = guard;
  }
}

/** The audit log is not what was written: an entry was changed, removed or added (DHOOK-039). */
export class AuditLogBrokenError extends OpenClawError {
  static override readonly code = "GUARD_AUDIT_LOG_BROKEN";
  static override readonly kind = "conflict";

  /**
   * @param place - database or file
   * @param problem - first entry that does not fit, and how
   */
  constructor(place: string, problem: string) {
    super(
      `the audit log in ${place} was changed: ${problem}; compare it with a backup or with the other copy`,
    );
  }
}

/** An option of a command cannot be used. */
export class GuardOptionInvalidError extends OpenClawError {
  static override readonly code = "GUARD_OPTION_INVALID";
  static override readonly kind = "invalid";

  /**
   * @param option - name of the option
   * @param problem - expected and given value
   */
  constructor(option: string, problem: string) {
    super(`${option}: ${problem}`);
  }
}
