import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** No routine has the name or the ID, or it belongs to another user (JOB-047). */
export class RoutineNotFoundError extends OpenClawError {
  static override readonly code = "ROUTINE_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param text - name or ID as it was given
   * @param problem - reason, when it is not that no routine has it
   */
  constructor(text: string, problem = "not found") {
    super(`routine "${text}" ${problem}; \`/cron list\` and \`openclaw cron list\` show the names`);
  }
}

/** A routine was not created, changed or run, because what was asked is not within the bounds. */
export class RoutineRefusedError extends OpenClawError {
  static override readonly code = "ROUTINE_REFUSED";
  static override readonly kind = "invalid";

  /** @param problem - reason and next step */
  constructor(problem: string) {
    super(`nothing was changed: ${problem}`);
  }
}
