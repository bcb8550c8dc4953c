import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Approvals and the commands that run without one. */
export const CALL_APPROVAL = mutantsOf("packages/agent", [
  {
    source: "tool-call/approval.ts",
    noticedBy: ["tool-call/approval", "tool-call/policy"],
    mutants: [
      [
        "decision-on-a-call-that-waits-is-not-kept",
        "POL-030",
        "await unit.decisions.policy.add(policy.takeDecisions());",
        "",
      ],
      [
        "risk-is-met-by-a-grant",
        "SAFE-044",
        'if (isRisky || own === "always") return "always";',
        'if (own === "always") return "always";',
        ["tool-call/safety"],
      ],
      [
        "need-always-is-weakened-by-a-plugin",
        "APPR-043",
        'if (isRisky || own === "always") return "always";',
        'if (isRisky) return "always";',
      ],
      [
        "plugin-lets-a-call-run-unanswered",
        "APPR-014",
        'timeoutBehavior: mayRunUnanswered ? wanted?.timeoutBehavior : "deny",',
        "timeoutBehavior: wanted?.timeoutBehavior,",
      ],
      [
        "risk-is-not-critical",
        "SAFE-044 APPR-022",
        'severity: risk === undefined ? (wanted?.severity ?? "warning") : "critical",',
        'severity: wanted?.severity ?? "warning",',
        ["tool-call/safety"],
      ],
      [
        "rule-of-policy-asks-nobody",
        "POL-012",
        'if (ruled !== undefined) return { need: atLeast(ruled), cause: "policy", scoped };',
        "",
      ],
      [
        "policy-without-a-command-waives-exec",
        "APPR-038",
        "const metBy = isUnsaid ? undefined : verdict.metBy;",
        "const { metBy } = verdict;",
        ["tool-call/exec-authorization"],
      ],
      [
        "another-account-is-the-same-requester",
        "APPR-008 APPR-028",
        'const { channel, accountId = "default", senderId, senderIsOwner } = origin;',
        'const { channel, senderId, senderIsOwner } = origin; const accountId = "default";',
        ["tool-call/answered-call"],
      ],
    ],
  },
  {
    source: "tool-call/exec-authorization.ts",
    noticedBy: ["tool-call/exec-authorization"],
    mutants: [
      [
        "policy-runs-another-command",
        "APPR-038",
        "if (!asked.some((one) => one !== undefined && isElaborated(allowed, one))) return undefined;",
        "",
      ],
      [
        "policy-runs-another-program",
        "APPR-038",
        "if (asked === undefined || nameOf(program) !== nameOf(asked)) return false;",
        "if (asked === undefined) return false;",
      ],
      [
        "policy-changes-redirections",
        "APPR-038",
        "if (JSON.stringify([redirections, variables, late]) !== JSON.stringify(own)) return false;",
        "",
      ],
      ["policy-drops-arguments", "APPR-038", 'return at !== -1 || word === "--";', "return true;"],
      [
        "policy-joins-commands-in-another-way",
        "APPR-038",
        "pipeline?.after === after &&",
        "pipeline !== undefined &&",
      ],
      [
        "grant-covers-another-command",
        "APPR-021 APPR-038",
        "return isElaborated(need.command, asked) ? need : undefined;",
        "return need;",
      ],
      [
        "command-without-authority-runs",
        "APPR-038",
        "case undefined:\n      return undefined;",
        "case undefined:\n      return AS_SHOWN;",
      ],
    ],
  },
]);
