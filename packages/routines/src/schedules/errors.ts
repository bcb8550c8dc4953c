import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Parts of a schedule as people write it. */
export type ScheduleField = "at" | "every" | "anchor" | "cron" | "tz" | "schedule";

/** A schedule cannot be read, never comes due, or comes due too often (JOB-025, JOB-047). */
export class ScheduleInvalidError extends OpenClawError {
  static override readonly code = "SCHEDULE_INVALID";
  static override readonly kind = "invalid";
  readonly field: ScheduleField;

  /**
   * @param field - part that is wrong
   * @param problem - the fault, and the expected form
   */
  constructor(field: ScheduleField, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}
