import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Approvals and grants. */
export const STORED_APPROVALS = mutantsOf("packages/store", [
  {
    source: "decisions/request-table.ts",
    noticedBy: ["decisions/approvals"],
    mutants: [
      [
        "request-is-decided-twice",
        "APPR-009",
        '.where("id", "=", encodeText(id))\n      .where("state", "=", "pending")\n',
        '.where("id", "=", encodeText(id))\n',
      ],
      [
        "request-is-decided-after-its-time",
        "APPR-014",
        '.where("expires_at", ">", now)\n      .returningAll()',
        ".returningAll()",
      ],
      [
        "another-call-is-executed",
        "APPR-008",
        '.where("digest", "=", digest)\n      .where("consumed_at"',
        '.where("consumed_at"',
      ],
      ["approval-is-used-twice", "APPR-010", '.where("consumed_at", "is", null)\n', ""],
      [
        "denied-call-is-executed",
        "APPR-010",
        'where("state", "in", ["allowed-once", "allowed-always"]),',
        'where("state", "in", ["allowed-once", "allowed-always", "denied"]),',
      ],
      [
        "pending-call-is-executed",
        "APPR-010",
        'where("state", "in", ["allowed-once", "allowed-always"]),',
        'where("state", "in", ["allowed-once", "allowed-always", "pending"]),',
      ],
      [
        "every-timeout-allows",
        "APPR-014",
        'where.and([where("state", "=", "timed-out"), where("timeout_behavior", "=", "allow")]),',
        'where("state", "=", "timed-out"),',
      ],
      ["requests-expire-early", "APPR-013", '.where("expires_at", "<=", now)', ""],
      [
        "settled-requests-expire",
        "APPR-009",
        '.where("state", "=", "pending")\n      .where("expires_at", "<=", now)',
        '.where("expires_at", "<=", now)',
      ],
      [
        "settled-requests-are-cancelled",
        "APPR-009",
        'via: "host" }, now))\n      .where("state", "=", "pending");',
        'via: "host" }, now));',
      ],
      [
        "requests-of-other-sessions-are-cancelled",
        "APPR-015",
        'update = update.where("session_key", "=", encodeText(owner.sessionKey));',
        "",
      ],
      [
        "requests-of-other-runs-are-cancelled",
        "APPR-015",
        'update = update.where("run_id", "=", encodeText(owner.runId));',
        "",
      ],
      [
        "requests-of-other-plugins-are-cancelled",
        "APPR-015",
        'update = update.where("plugin_id", "=", encodeText(owner.pluginId));',
        "",
      ],
      [
        "denial-in-another-run-counts",
        "APPR-016",
        '.where("run_id", "=", encodeText(runId))\n      .where("digest"',
        '.where("digest"',
      ],
      [
        "denial-of-another-call-counts",
        "APPR-016",
        '.where("digest", "=", digest)\n      .where((where) =>\n        where.or([\n          where("state", "=", "denied"),',
        '.where((where) =>\n        where.or([\n          where("state", "=", "denied"),',
      ],
      [
        "denial-before-the-last-message-counts",
        "APPR-016",
        '.where("decided_at", ">=", since)',
        "",
      ],
      ["plugin-is-told-of-pending-requests", "APPR-019", '.where("state", "!=", "pending")\n', ""],
      ["plugin-is-told-again", "APPR-019", '.where("told_at", "is", null)\n', ""],
    ],
  },
  {
    source: "decisions/approval-grants.ts",
    noticedBy: ["decisions/approval-grants"],
    mutants: [
      [
        "revoked-grant-is-found",
        "APPR-023",
        '.where("key", "=", encodeText(key))\n          .where("revoked_at", "is", null)',
        '.where("key", "=", encodeText(key))',
      ],
      [
        "expired-grant-covers-calls",
        "SAFE-054 APPR-023",
        '.where((grant) =>\n            grant.or([grant("expires_at", "is", null), grant("expires_at", ">", now)]),\n          )\n          .where((grant) =>',
        ".where((grant) =>",
      ],
      ["grant-covers-another-key", "APPR-020", '.where("key", "=", encodeText(key))\n', ""],
      [
        "grant-of-a-session-covers-another",
        "APPR-021",
        'grant("scope", "=", "session"),\n                grant("session_key", "=", encodeText(sessionKey)),',
        'grant("scope", "=", "session"),',
      ],
      [
        "grant-of-an-agent-covers-another",
        "APPR-021",
        'grant("scope", "=", "agent"),\n                grant("agent_id", "=", encodeText(agentId)),',
        'grant("scope", "=", "agent"),',
      ],
      [
        "grant-of-a-requester-covers-another-agent",
        "APPR-021",
        'grant("scope", "=", "requester"),\n                grant("agent_id", "=", encodeText(agentId)),',
        'grant("scope", "=", "requester"),',
      ],
      [
        "grant-of-a-requester-covers-another",
        "APPR-021",
        'encodeText(agentId)),\n                grant("requester", "in", persons),',
        "encodeText(agentId)),",
      ],
      [
        "grant-of-a-session-covers-another-person",
        "APPR-281",
        'encodeText(sessionKey)),\n                grant("requester", "in", persons),',
        "encodeText(sessionKey)),",
      ],
      [
        "end-of-a-session-revokes-wider-grants",
        "APPR-023",
        '.where("session_key", "=", encodeText(which.endedSession))\n              .where("scope", "=", "session");',
        '.where("session_key", "=", encodeText(which.endedSession));',
      ],
      [
        "end-of-a-session-revokes-other-sessions",
        "APPR-023",
        '.where("session_key", "=", encodeText(which.endedSession))\n',
        "",
      ],
      [
        "one-revocation-revokes-all",
        "APPR-023",
        '? update.where("id", "=", encodeText(which.id))',
        "? update",
      ],
    ],
  },
]);
