import { type Static, Type } from "typebox";
import { claudeCodeSchema, sandboxSchema } from "./workers/settings.js";

const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: standard, description }));

/** The section `jobs` of the configuration. */
export const jobsConfigurationSchema = Type.Object(
  {
    maxParallel: whole(1, 100, 5, "Maximum number of jobs that run at the same time."),
    maxActive: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          "Maximum number of jobs whose work is not finished; 10 times `maxParallel` when absent.",
      }),
    ),
    timeoutSeconds: whole(
      1,
      604_800,
      3600,
      "Working time after which a run counts as stuck. Waits for an approval do not count.",
    ),
    stuckSeconds: whole(
      1,
      604_800,
      300,
      "Time without a sign of progress after which a run counts as stuck.",
    ),
    checkSeconds: whole(1, 3600, 60, "Interval of the checks for stuck jobs."),
    maxRepairs: whole(0, 100, 3, "Number of times that a stuck job is started again."),
    planning: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "True offers the agent of a job the tool `update_plan`, whose checklist users see.",
      }),
    ),
    autoAcceptSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        description: "Time after which a delivered result counts as accepted; never when absent.",
      }),
    ),
    builder: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "True offers the tool `build_software`, which builds software in sandboxed jobs and asks on every call.",
      }),
    ),
    sandbox: Type.Optional(sandboxSchema),
    claudeCode: Type.Optional(claudeCodeSchema),
    budget: Type.Optional(
      Type.Object(
        {
          maxTokens: whole(
            0,
            1_000_000_000,
            0,
            "Maximum number of tokens of one job; 0 for no limit.",
          ),
          maxCostUsd: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 1_000_000,
              default: 0,
              description: "Maximum cost of one job in US dollars; 0 for no limit.",
            }),
          ),
        },
        { additionalProperties: false, description: "Budget of jobs that name none." },
      ),
    ),
  },
  { additionalProperties: false, description: "Jobs: work of agents in the background." },
);

/** The section `jobs` as its file gives it. */
export type JobsConfiguration = Static<typeof jobsConfigurationSchema>;

/** Settings of jobs; they are read at each use, because a reload changes them. */
export interface JobSettings {
  readonly maxParallel: number;
  readonly maxActive: number;
  readonly timeoutMs: number;
  readonly stuckMs: number;
  readonly checkMs: number;
  readonly maxRepairs: number;
  /** True when the agents of jobs keep plans. */
  readonly planning: boolean;
  /** Undefined when a result waits for its acceptance without end. */
  readonly autoAcceptMs: number | undefined;
  readonly maxTokens: number;
  /** Millionths of a US dollar. */
  readonly maxCost: number;
}

const SECOND = 1000;
const MICRO = 1_000_000;
const ACTIVE_PER_PARALLEL = 10;

/**
 * Returns the settings of jobs.
 * @param section - the section `jobs`, with the values of environment variables
 */
export function jobSettings({
  maxParallel = 5,
  maxActive = ACTIVE_PER_PARALLEL * maxParallel,
  timeoutSeconds = 3600,
  stuckSeconds = 300,
  checkSeconds = 60,
  maxRepairs = 3,
  planning = true,
  autoAcceptSeconds,
  budget = {},
}: JobsConfiguration = {}): JobSettings {
  return {
    ...{ maxParallel, maxActive, maxRepairs, planning },
    timeoutMs: timeoutSeconds * SECOND,
    stuckMs: stuckSeconds * SECOND,
    checkMs: checkSeconds * SECOND,
    autoAcceptMs: autoAcceptSeconds === undefined ? undefined : autoAcceptSeconds * SECOND,
    maxTokens: budget.maxTokens ?? 0,
    maxCost: Math.round((budget.maxCostUsd ?? 0) * MICRO),
  };
}
