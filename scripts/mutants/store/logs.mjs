import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The audit log, the policy log and what a turn left. */
export const STORED_LOGS = mutantsOf("packages/store", [
  {
    source: "decisions/audit-log.ts",
    noticedBy: ["decisions/audit-log"],
    mutants: [
      [
        "hash-forgets-the-predecessor",
        "APPR-034",
        "const sealed = [seq, at, event, approval_id, run_id, session_key, facts, previous_hash];",
        "const sealed = [seq, at, event, approval_id, run_id, session_key, facts];",
      ],
      ["hash-forgets-the-position", "APPR-034", "const sealed = [seq, at,", "const sealed = [at,"],
      [
        "hash-forgets-the-time",
        "APPR-034",
        "const sealed = [seq, at, event",
        "const sealed = [seq, event",
      ],
      [
        "hash-forgets-the-event",
        "APPR-034",
        "at, event, approval_id, run_id, session_key, facts, previous_hash];\n  return",
        "at, approval_id, run_id, session_key, facts, previous_hash];\n  return",
      ],
      [
        "hash-forgets-the-approval",
        "APPR-034",
        "event, approval_id, run_id, session_key, facts, previous_hash];\n  return",
        "event, run_id, session_key, facts, previous_hash];\n  return",
      ],
      [
        "hash-forgets-the-run",
        "APPR-034",
        "approval_id, run_id, session_key, facts, previous_hash];\n  return",
        "approval_id, session_key, facts, previous_hash];\n  return",
      ],
      [
        "hash-forgets-the-session",
        "APPR-034",
        "run_id, session_key, facts, previous_hash];\n  return",
        "run_id, facts, previous_hash];\n  return",
      ],
      [
        "hash-forgets-the-facts",
        "APPR-034",
        "session_key, facts, previous_hash];\n  return",
        "session_key, previous_hash];\n  return",
      ],
      [
        "missing-entry-is-not-noticed",
        "APPR-034",
        "if (row.seq !== last.seq + 1) return",
        "if (false) return",
      ],
      [
        "broken-link-is-not-noticed",
        "APPR-034",
        "if (row.previous_hash !== last.hash)\n    return",
        "if (false) return",
      ],
      [
        "changed-entry-is-not-noticed",
        "APPR-034",
        "if (hashOf(row) !== row.hash) return",
        "if (false) return",
      ],
      [
        "missing-end-is-not-noticed",
        "APPR-034",
        "Number(head.seq) !== last.seq || head.hash !== last.hash",
        "false",
      ],
      ["replaced-end-is-not-noticed", "APPR-034", " || head.hash !== last.hash", ""],
    ],
  },
  {
    source: "decisions/policy-decisions.ts",
    noticedBy: ["decisions/policy-decisions"],
    mutants: [
      [
        "denial-is-logged-as-allowed",
        "POL-030",
        "allowed: decision.allowed ? 1 : 0,",
        "allowed: 1,",
      ],
      [
        "repeated-decision-fails-the-call",
        "POL-030",
        ".onConflict((conflict) => conflict.doNothing())\n        .execute();\n    });",
        ".execute();\n    });",
      ],
    ],
  },
  {
    source: "turns/journal.ts",
    noticedBy: ["turns/journal"],
    mutants: [
      [
        "steps-of-a-newer-version-are-read",
        "SCALE-024",
        "if (newest > JOURNAL_FORMAT) throw",
        "if (false) throw",
      ],
    ],
  },
  {
    source: "sessions/next-turn-injections.ts",
    noticedBy: ["sessions/next-turn-injections"],
    mutants: [
      [
        "injection-reaches-two-models",
        "TURN-049",
        '.where("session_key", "=", session_key)\n    .where("consumed_at", "is", null)',
        '.where("session_key", "=", session_key)',
      ],
      [
        "injection-of-a-running-turn-reaches-another",
        "TURN-049",
        '.where("turns.state", "=", "running"),',
        '.where("turns.state", "=", "queued"),',
      ],
      [
        "expired-injection-is-drained",
        "TURN-049",
        '.where("expires_at", "<=", now)',
        '.where("expires_at", "<=", -now)',
      ],
      ["injections-are-unbounded", "TURN-049", "if (pending < MAXIMUM_PENDING) return;", "return;"],
      [
        "text-of-an-injection-is-unbounded",
        "TURN-049",
        "if (bytes <= MAXIMUM_BYTES) return;",
        "return;",
      ],
    ],
  },
]);
