import { type Static, Type } from "typebox";
import type { RetentionDays } from "./retention.js";

const closed = { additionalProperties: false };

const days = (rows: string, standard: number | "forever") =>
  Type.Optional(
    Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Literal("forever")], {
      default: standard,
      description: `Days that ${rows} are kept.`,
    }),
  );

/** The `store.retention` section of the configuration: retention times (SCALE-029). */
export const retentionConfigurationSchema = Type.Object(
  {
    transcriptDays: days("transcripts of unused conversations", "forever"),
    messageContentDays: days("content and attachments of messages and replies", 30),
    responseDays: days("responses that clients of the OpenAI API can continue", 30),
    journalDays: days("the steps of ended turns", 30),
    toolAuditDays: days("denials of tool calls", 90),
    traceDays: days("traces of hooks", 7),
    approvalDays: days("settled approval requests", 90),
    modelCallDays: Type.Optional(
      Type.Union([Type.Number({ minimum: 32 }), Type.Literal("forever")], {
        default: 400,
        description:
          "Days that the calls of models and their cost are kept; at least 32, for the budget of a month.",
      }),
    ),
    jobDays: days("jobs that are over", 90),
    routineRunDays: days("the due times of routines", 90),
    callDays: days("outcomes of calls with an idempotency key", 1),
    secretUseDays: days("the log of the uses of secrets", 90),
  },
  closed,
);

/**
 * The `tools.policyLog` section of the configuration: retention time of policy decisions (POL-030).
 */
export const policyLogSchema = Type.Object(
  { retentionDays: days("policy decisions", 30) },
  { ...closed, description: "Log of policy decisions about tool calls." },
);

/** The `tools.policyLog` section as its file gives it. */
export type PolicyLogConfiguration = Static<typeof policyLogSchema>;

/** The `store.retention` section as its file gives it. */
export type RetentionConfiguration = Static<typeof retentionConfigurationSchema>;

type Days = number | "forever" | undefined;

/**
 * Returns the configured days by subject.
 * @param configuration - the `store.retention` section
 * @param policyLog - the `tools.policyLog` section
 */
export function retentionDays(
  configuration: RetentionConfiguration,
  policyLog: PolicyLogConfiguration = {},
): Partial<RetentionDays> {
  const given: { readonly [Subject in keyof RetentionDays]: Days } = {
    transcript: configuration.transcriptDays,
    messageContent: configuration.messageContentDays,
    response: configuration.responseDays,
    journal: configuration.journalDays,
    toolAudit: configuration.toolAuditDays,
    trace: configuration.traceDays,
    policyDecision: policyLog.retentionDays,
    approval: configuration.approvalDays,
    job: configuration.jobDays,
    routineRun: configuration.routineRunDays,
    call: configuration.callDays,
    modelCall: configuration.modelCallDays,
    secretUse: configuration.secretUseDays,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([subject, value]: [string, Days]) => {
      if (value === undefined) return [];
      return [[subject, value === "forever" ? Number.POSITIVE_INFINITY : value]];
    }),
  );
}
