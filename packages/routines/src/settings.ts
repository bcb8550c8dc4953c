import { type Static, Type } from "typebox";
import { machineZone } from "./schedules/zone.js";

const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: standard, description }));

/** The section `routines` of the configuration. */
export const routinesConfigurationSchema = Type.Object(
  {
    checkSeconds: whole(
      1,
      3600,
      15,
      "Longest time between two looks at the clock; between them a timer waits for the next due time.",
    ),
    cooldownSeconds: whole(
      0,
      604_800,
      300,
      "Shortest time between two runs of a routine that names none; at most half of the time between two due times.",
    ),
    maxConcurrent: whole(1, 100, 10, "Maximum number of routines that run at the same time."),
    graceHours: whole(1, 8760, 24, "Age up to which a missed due time can still run."),
    maxPerUser: whole(1, 100_000, 100, "Maximum number of routines of one user."),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ["Europe/Berlin"],
        description: "IANA zone of schedules that name none; that of the machine when absent.",
      }),
    ),
  },
  { additionalProperties: false, description: "Routines: work at times that a schedule names." },
);

/** The section `routines` as its file gives it. */
export type RoutinesConfiguration = Static<typeof routinesConfigurationSchema>;

/** Settings of routines; they are read at each use, because a reload changes them. */
export interface RoutineSettings {
  readonly checkMs: number;
  readonly cooldownMs: number;
  readonly maxConcurrent: number;
  readonly graceMs: number;
  readonly maxPerUser: number;
  readonly timezone: string;
}

const SECOND = 1000;
const HOUR = 3_600_000;

/**
 * Returns the settings of routines.
 * @param section - the section `routines`, with the values of environment variables
 */
export function routineSettings({
  checkSeconds = 15,
  cooldownSeconds = 300,
  maxConcurrent = 10,
  graceHours = 24,
  maxPerUser = 100,
  timezone = machineZone(),
}: RoutinesConfiguration = {}): RoutineSettings {
  return {
    ...{ maxConcurrent, maxPerUser, timezone },
    checkMs: checkSeconds * SECOND,
    cooldownMs: cooldownSeconds * SECOND,
    graceMs: graceHours * HOUR,
  };
}
