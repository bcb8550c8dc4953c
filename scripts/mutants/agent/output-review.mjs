import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Outputs that a rule under `review` matched. */
export const OUTPUT_REVIEW = mutantsOf("packages/agent", [
  {
    source: "tool-call/pipeline.ts",
    noticedBy: ["tool-call/output-review"],
    mutants: [
      [
        "output-under-review-is-shown",
        "SAFE-010",
        "const reviewed = await reviewOutput(call, admitted, execution, turn);",
        'const reviewed = { status: "reviewed", execution } as const;',
      ],
      [
        "tool-runs-again-after-the-review-of-its-output",
        "SAFE-010",
        "if (earlier?.held !== undefined) {",
        "if (false) {",
      ],
    ],
  },
  {
    source: "tool-call/result-safety.ts",
    noticedBy: ["tool-call/output-review", "subagents/report"],
    mutants: [
      [
        "unseen-characters-reach-the-model",
        "SAFE-480",
        "const inspection = inspectOutput(seen.text,",
        "const inspection = inspectOutput(part.text,",
        ["tool-call/safety"],
      ],
      [
        "rule-under-review-asks-no-one",
        "SAFE-010",
        "review ??= inspection.findings.find(isReviewed)?.rule;",
        "review ??= undefined;",
      ],
      [
        "output-that-a-rule-blocks-is-reviewed",
        "SAFE-010",
        "if (inspection.blocked === undefined) review ??=",
        "review ??=",
      ],
    ],
  },
  {
    source: "tool-call/output-review.ts",
    noticedBy: ["tool-call/output-review"],
    mutants: [
      ["review-does-not-pause-the-turn", "SAFE-010", "if (!signal.aborted) return verdict;", ""],
      ["denied-output-is-shown", "SAFE-010", "execution: withheld(execution) };", "execution };"],
      [
        "details-of-a-denied-output-are-shown",
        "SAFE-010",
        "...defined({ terminate, isError }),",
        "...defined({ terminate, isError, details: result.details }),",
      ],
      [
        "failure-of-a-denied-output-is-shown",
        "SAFE-010",
        "failure: failure && { ...failure, message: WITHHELD_OUTPUT },",
        "failure,",
      ],
      [
        "decision-covers-another-output",
        "SAFE-010 APPR-008",
        "params: { parameters: params, output },",
        "params: { parameters: params },",
      ],
      ["grant-covers-outputs", "SAFE-010", 'need: "always",', 'need: "unless-granted",'],
      [
        "output-waits-where-no-approver-is-reachable",
        "SAFE-010",
        "isAttended: request.isAttended?.() ?? false,",
        "isAttended: true,",
      ],
      [
        "output-of-a-suspended-turn-is-replaced",
        "SAFE-010",
        "if (isSuspended(signal)) throw signal.reason;",
        "",
        ["turn/suspension"],
      ],
      [
        "review-of-an-interrupted-turn-waits-on",
        "SAFE-010 APPR-015",
        'await dependencies.approvals.cancelFor({ runId }, "interrupt");',
        "",
      ],
      [
        "decision-about-an-output-is-not-journaled",
        "SAFE-010 TURN-054",
        'if (reviewed.status === "reviewed") await journalDecision(turn, call, approvalId);',
        "",
      ],
      [
        "skill-of-a-reviewed-output-does-not-narrow-the-tools",
        "SAFE-010 EXT-009",
        "if (skillTools !== undefined) turn.state.skillTools = new Set(skillTools);",
        "",
        ["skills/skill"],
      ],
    ],
  },
  {
    source: "subagents/report.ts",
    noticedBy: ["subagents/report"],
    mutants: [
      [
        "answer-of-a-subagent-under-review-is-shown",
        "SAFE-010",
        "guarded.review === undefined\n",
        "true\n",
      ],
    ],
  },
]);
