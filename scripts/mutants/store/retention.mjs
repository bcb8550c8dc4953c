import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Removal of rows after their days, and the rows that are kept longer. */
export const RETENTION = mutantsOf("packages/store", [
  {
    source: "database/age-sweep.ts",
    noticedBy: ["upkeep/decision-retention", "upkeep/retention"],
    mutants: [
      ["logs-never-expire", "SCALE-029 POL-030", "< ${before}", "< ${-before}"],
      ["logs-expire-at-once", "SCALE-029 POL-030", "where ${at} < ${before} ", ""],
      ["logs-are-removed-at-once", "SCALE-029", " limit ${limit}", ""],
    ],
  },
  {
    source: "decisions/retention.ts",
    noticedBy: ["upkeep/decision-retention", "upkeep/retention"],
    mutants: [
      [
        "policy-of-a-kept-decision-is-removed",
        "POL-030 SCALE-029",
        '.whereRef("policy_decisions.snapshot_id", "=", "old.id")',
        '.where("policy_decisions.position", "<", 0)',
      ],
      [
        "policies-expire-at-once",
        "SCALE-029 POL-030",
        '.where("old.created_at", "<", before)\n        .where(({ not',
        ".where(({ not",
      ],
      [
        "policies-never-expire",
        "SCALE-029 POL-030",
        "return Number(numDeletedRows);\n}\n\n/** Removes settled approvals.",
        "return 0;\n}\n\n/** Removes settled approvals.",
      ],
      [
        "policies-are-removed-all-together",
        "SCALE-029",
        "        )\n        .limit(limit),\n    )\n    .executeTakeFirstOrThrow();\n  return Number(numDeletedRows);\n}\n\n/** Removes settled",
        "        ),\n    )\n    .executeTakeFirstOrThrow();\n  return Number(numDeletedRows);\n}\n\n/** Removes settled",
      ],
      [
        "approval-of-a-running-turn-is-removed",
        "SCALE-029 APPR-032",
        'or([eb("turns.run_id", "is", null), eb("turns.ended_at", "is not", null)]),',
        'or([eb("old.id", "is not", null)]),',
      ],
      [
        "approvals-outside-turns-are-kept",
        "SCALE-029",
        'or([eb("turns.run_id", "is", null), eb("turns.ended_at", "is not", null)]),',
        'or([eb("turns.ended_at", "is not", null)]),',
      ],
      [
        "pending-approvals-are-removed",
        "SCALE-029 APPR-032",
        '.where("old.decided_at", "<", before)',
        '.where("old.created_at", "<", before)',
      ],
      [
        "approvals-expire-at-once",
        "SCALE-029",
        '.where("old.decided_at", "<", before)',
        '.where("old.decided_at", "is not", null)',
      ],
    ],
  },
  {
    source: "turns/retention.ts",
    noticedBy: ["upkeep/decision-retention", "upkeep/retention"],
    mutants: [
      [
        "journal-of-a-running-turn-is-removed",
        "SCALE-029 TURN-054",
        'or([is("turns.run_id", "is", null), is("turns.ended_at", "<", before)]),',
        'or([is("old.run_id", "is not", null)]),',
      ],
      [
        "journal-of-a-turn-that-just-ended-is-removed",
        "SCALE-029",
        'is("turns.ended_at", "<", before)',
        'is("turns.ended_at", "is not", null)',
      ],
      [
        "journals-expire-with-their-first-step",
        "SCALE-029",
        '.where("newer.created_at", ">=", before)',
        '.where("newer.seq", "<", 0)',
      ],
      [
        "traces-expire-at-once",
        "SCALE-029",
        '.select(["old.run_id", "old.segment"])\n          .where("old.created_at", "<", before)',
        '.select(["old.run_id", "old.segment"])',
      ],
      [
        "traces-never-expire",
        "SCALE-029",
        '.select(["old.run_id", "old.segment"])\n          .where("old.created_at", "<", before)',
        '.select(["old.run_id", "old.segment"])\n          .where("old.created_at", "<", -before)',
      ],
      [
        "traces-are-removed-all-together",
        "SCALE-029",
        '.limit(limit)\n          .$asTuple("run_id", "segment"),',
        '.$asTuple("run_id", "segment"),',
      ],
    ],
  },
  {
    source: "messages/retention.ts",
    noticedBy: ["upkeep/retention"],
    mutants: [
      [
        "message-of-a-running-turn-is-emptied",
        "SCALE-029",
        'or([eb("turns.run_id", "is", null), eb("turns.ended_at", "is not", null)]),',
        'or([eb("inbox.position", "is not", null)]),',
      ],
      [
        "messages-are-emptied-at-once",
        "SCALE-029",
        '.where("inbox.settled_at", "<", before)',
        '.where("inbox.settled_at", "is not", null)',
      ],
      ["messages-are-emptied-again", "SCALE-029", '.where("inbox.forgotten_at", "is", null)\n', ""],
      [
        "transcript-of-a-used-session-is-removed",
        "SCALE-029",
        'eb("sessions.updated_at", "<", before),',
        'eb("over.session_id", "is not", null),',
      ],
      [
        "transcript-of-a-session-after-a-stop-is-removed",
        "SUB-029",
        'eb("over.session_id", "!=", eb.ref("sessions.session_id")),',
        'eb("over.session_id", "is not", null),',
      ],
    ],
  },
  {
    source: "upkeep/retention.ts",
    noticedBy: ["upkeep/decision-retention", "upkeep/retention"],
    mutants: [
      [
        "batches-are-too-large",
        "SCALE-029",
        "const LARGEST_BATCH = 500;",
        "const LARGEST_BATCH = 5000;",
      ],
      [
        "sweep-does-not-end-when-told",
        "SCALE-029",
        "while (signal?.aborted !== true) {",
        "while (true) {",
      ],
      [
        "rows-are-removed-before-those-that-need-them",
        "SCALE-029 POL-030",
        "TABLE_NAMES.toReversed()",
        "TABLE_NAMES",
      ],
    ],
  },
  {
    source: "upkeep/retention-configuration.ts",
    noticedBy: ["upkeep/retention-configuration"],
    mutants: [
      [
        "days-of-traces-are-ignored",
        "SCALE-029",
        "trace: configuration.traceDays,",
        "trace: undefined,",
      ],
      [
        "days-of-the-policy-log-are-ignored",
        "SCALE-029 POL-030",
        "policyDecision: policyLog.retentionDays,",
        "policyDecision: undefined,",
      ],
      [
        "days-of-approvals-are-ignored",
        "SCALE-029",
        "approval: configuration.approvalDays,",
        "approval: undefined,",
      ],
    ],
  },
  {
    source: "messages/emptied.ts",
    noticedBy: ["turns/turns", "engine/erased-content"],
    mutants: [
      ["blocked-text-stays-in-the-log-of-the-database", "TURN-024", "  unit.erases();\n", ""],
    ],
  },
  {
    source: "sessions/erasure.ts",
    noticedBy: ["engine/erased-content"],
    mutants: [
      ["emptied-text-stays-in-the-log-of-the-database", "TURN-024", "  unit.erases();\n", ""],
    ],
  },
  {
    source: "sessions/removal.ts",
    noticedBy: ["engine/erased-content"],
    mutants: [
      ["removed-text-stays-in-the-log-of-the-database", "TURN-024", "  unit.erases();\n", ""],
    ],
  },
  {
    source: "engine/open-engine.ts",
    noticedBy: ["engine/erased-content"],
    mutants: [["killed-host-keeps-erased-text", "TURN-024", "if (exclusive) await purge();", ""]],
  },
  {
    source: "turns/turns.ts",
    noticedBy: ["turns/turns"],
    mutants: [
      [
        "blocked-text-stays-in-the-turn",
        "TURN-024",
        '.set({ payload: null })\n        .where("run_id", "=", encodeText(runId))\n        .returning([',
        '.set({ usage: null })\n        .where("run_id", "=", encodeText(runId))\n        .returning([',
      ],
      [
        "blocked-text-stays-in-the-inbox",
        "TURN-024",
        "if (turn !== undefined) await emptyMessagesOf(turn, unit);",
        "",
      ],
    ],
  },
  {
    source: "jobs/jobs.ts",
    noticedBy: ["engine/erased-content"],
    mutants: [
      [
        "blocked-job-stays-in-the-log-of-the-database",
        "TURN-024 GW-330",
        "async eraseText(jobId: string, title: string): Promise<void> {\n    await this.#unit.atomic(async (unit) => {\n      unit.erases();",
        "async eraseText(jobId: string, title: string): Promise<void> {\n    await this.#unit.atomic(async (unit) => {",
      ],
      [
        "blocked-job-keeps-its-title",
        "TURN-024",
        '          title: encodeText(title),\n          description: "",',
        '          description: "",',
      ],
      ["blocked-job-keeps-its-text", "TURN-024", '          description: "",\n', ""],
      [
        "blocked-job-keeps-its-plan",
        "TURN-024",
        "          plan: null,\n          progress: null,",
        "          progress: null,",
      ],
      ["blocked-job-keeps-its-prompts", "TURN-024", "          prompts: null,\n", ""],
      [
        "blocked-job-keeps-its-progress",
        "TURN-024",
        "          progress: null,\n          prompts: null,",
        "          prompts: null,",
      ],
      [
        "outcomes-of-a-blocked-job-stay",
        "TURN-024",
        "await eraseOutcomes(job.session_key, unit);\n    });\n  }\n\n  async use(",
        "});\n  }\n\n  async use(",
      ],
    ],
  },
  {
    source: "routines/runs.ts",
    noticedBy: ["engine/erased-content"],
    mutants: [
      [
        "blocked-routine-stays-in-the-log-of-the-database",
        "TURN-024 GW-330",
        "      unit.erases();\n      await new RoutineRunTable(unit).#change(key).set({ input: null })",
        "      await new RoutineRunTable(unit).#change(key).set({ input: null })",
      ],
      [
        "blocked-routine-keeps-its-input",
        "TURN-024 GW-330",
        "await new RoutineRunTable(unit).#change(key).set({ input: null }).execute();",
        "",
      ],
    ],
  },
]);
