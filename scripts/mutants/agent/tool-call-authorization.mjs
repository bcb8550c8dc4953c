import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The order of the guards of a call. */
export const CALL_AUTHORIZATION = mutantsOf("packages/agent", [
  {
    source: "tool-call/authorize.ts",
    noticedBy: ["tool-call/authorize", "tool-call/before-hooks", "tool-call/safety"],
    mutants: [
      [
        "policy-is-not-asked-at-the-call",
        "POL-045 TURN-031",
        "if (denial !== undefined) return { denial };",
        "",
      ],
      [
        "skills-do-not-narrow-the-tools",
        "TURN-072",
        "if (skillTools?.has(entry.name) === false) {",
        "if (false) {",
        ["skills/skill"],
      ],
      [
        "blocked-call-runs",
        "TURN-034 PLUG-037",
        "if (verdict.blocked !== undefined) return blocked(verdict.blocked, verdict.guidance);\n\n",
        "\n",
      ],
      [
        "blocked-rewrite-runs",
        "HOOK-043 HCR-008",
        "verdict = await hooks.askAgain({ params: admitted.params, facts });\n    if (verdict.blocked !== undefined) return blocked(verdict.blocked, verdict.guidance);",
        "verdict = await hooks.askAgain({ params: admitted.params, facts });",
      ],
      [
        "policy-is-not-asked-about-a-rewrite",
        "HCR-008",
        "const rewritten = await admit(entry, verdict.params, scope, policy);",
        "const rewritten = await admit(entry, verdict.params, scope, { denialOf: () => undefined } as never);",
      ],
      [
        "rewrite-is-not-validated",
        "HCR-008 TURN-032",
        'if ("problem" in rewritten) {',
        "if (false) {",
      ],
      [
        "safety-is-not-asked-about-a-rewrite",
        "HCR-008",
        "evaluated = await evaluate(rewritten.params);",
        "",
      ],
      [
        "call-that-safety-denies-runs",
        "SAFE-037 SAFE-043",
        "if (evaluated.refusal !== undefined) {",
        "if (false) {",
      ],
      [
        "trusted-policies-do-not-see-a-rewrite",
        "HOOK-043 HCR-008",
        "if (hooks.mustAskAgain) {",
        "if (false) {",
      ],
      [
        "reconsidered-call-runs-at-once",
        "TURN-036",
        "if (verdict.reconsideredBy !== undefined && !scope",
        "if (false && !scope",
        ["tool-call/pipeline"],
      ],
      [
        "call-is-reconsidered-without-end",
        "TURN-036",
        "&& !scope.reconsidered.has(reconsidered)) {",
        ") {",
        ["tool-call/pipeline"],
      ],
      [
        "rate-limit-is-ignored",
        "TURN-070",
        "if (seconds > 0) {",
        "if (false) {",
        ["tool-call/rate-limits"],
      ],
      [
        "call-that-was-denied-runs",
        "APPR-016",
        'case "denied":\n      return denied(`Tool call denied: ${approval.reason}`, "approval", guidance);',
        'case "denied":\n      return { verdict: "run", entry, ...admitted, guidance };',
        ["tool-call/approval"],
      ],
      [
        "failed-evaluation-ends-the-turn",
        "TURN-031",
        'return denied(`Tool call denied: ${problem}`, "host");',
        "throw error;",
        ["tool-call/approval"],
      ],
    ],
  },
  {
    source: "tool-call/authorize.ts",
    noticedBy: ["tool-call/answered-call", "tool-call/approval"],
    mutants: [
      [
        "answered-call-skips-the-policy",
        "APPR-017 POL-045",
        "const admitted = await admit(entry, params, scope, policy);",
        "const admitted = await admit(entry, params, scope, { denialOf: () => undefined } as never);",
      ],
      [
        "answered-call-skips-the-schema",
        "APPR-017",
        'if ("problem" in admitted) return notRun(admitted.problem);',
        'if ("problem" in admitted) return { verdict: "run", entry, params, parsed: params, guidance: [] };',
      ],
      [
        "answered-call-skips-parameter-safety",
        "APPR-017",
        "await evaluateParameters(admitted.params, entry.parameters, safety);\n    return",
        "{} as never;\n    return",
      ],
      [
        "answered-call-skips-the-trusted-policies",
        "APPR-017",
        "if (block !== undefined) return blocked(block, guidance);",
        "",
      ],
      [
        "answered-call-runs-without-its-tool",
        "APPR-017",
        "if (entry === undefined) return absent(call, policy);\n    const admitted",
        "const admitted",
      ],
      [
        "digest-is-not-computed-again",
        "APPR-008",
        "const digest = digestOfCall(call, final.params, request);",
        'const digest = answer.approval?.digest ?? "";',
      ],
      [
        "unanswered-command-runs-as-shown",
        "APPR-014 APPR-038",
        "const exec = isUnanswered ? policyAuthorization(hooks.metBy, facts.command) : AS_SHOWN;",
        "const exec = AS_SHOWN;",
      ],
      ["denied-answer-is-ignored", "APPR-016", 'if (answer.status === "denied") {', "if (false) {"],
    ],
  },
  {
    source: "tool-call/before-hooks.ts",
    noticedBy: ["tool-call/before-hooks", "tool-call/approval"],
    mutants: [
      [
        "ordinary-hooks-hear-of-a-blocked-call",
        "PLUG-037 HOOK-043",
        "if (result?.block !== true) {",
        "if (true) {",
      ],
      [
        "ordinary-hooks-see-the-first-arguments",
        "HOOK-043",
        "const shown = result?.params === undefined ? asked : this.#shown(result.params);",
        "const shown = asked;",
      ],
      [
        "rewrite-of-an-ordinary-hook-is-not-shown-again",
        "HOOK-043 HCR-008",
        "canonicalJson(rewritten) !== canonicalJson(this.#settled)) {\n      return true;",
        "canonicalJson(rewritten) !== canonicalJson(this.#settled)) {\n      return false;",
      ],
      [
        "rewrite-of-a-later-policy-is-not-shown-again",
        "HOOK-043",
        "return author !== undefined && author.id !== first?.id;",
        "return false;",
      ],
      [
        "policy-changes-the-arguments-without-end",
        "HOOK-043",
        "const reason = this.#changes(final) ? CHANGES_AGAIN : blocked?.reason;",
        "const reason = blocked?.reason;",
      ],
      [
        "policy-changes-what-was-approved",
        "APPR-017",
        "if (blocked !== undefined || !this.#changes(final)) return blocked;",
        "if (true) return blocked;",
      ],
      [
        "block-of-a-trusted-policy-is-lost",
        "PLUG-037",
        "const blocking = all.find(({ result }) => result?.block === true);",
        "const blocking = [this.#ordinary].find(({ result }) => result?.block === true);",
      ],
    ],
  },
  {
    source: "tool-call/policy.ts",
    noticedBy: ["tool-call/authorize", "tool-call/policy", "tool-call/approval"],
    mutants: [
      [
        "policy-of-a-reload-is-ignored",
        "POL-045",
        "const denial = this.#ask(policy, tool) ?? this.#ask(latestPolicy(), tool);",
        "const denial = this.#ask(policy, tool);",
      ],
      [
        "policy-of-the-turn-is-ignored",
        "POL-045",
        "const denial = this.#ask(policy, tool) ?? this.#ask(latestPolicy(), tool);",
        "const denial = this.#ask(latestPolicy(), tool);",
      ],
      [
        "approval-of-a-reload-is-ignored",
        "POL-045",
        "policy.decide(tool, policyContext).approval ??\n      latestPolicy().decide(tool, policyContext).approval",
        "policy.decide(tool, policyContext).approval",
      ],
      [
        "approval-of-the-turn-is-ignored",
        "POL-045",
        "policy.decide(tool, policyContext).approval ??\n      latestPolicy().decide(tool, policyContext).approval",
        "latestPolicy().decide(tool, policyContext).approval",
      ],
      [
        "one-decision-stands-for-two-policies",
        "POL-030",
        "const key = `${decisionId} ${snapshot.id}`;",
        "const key = tool.name;",
      ],
    ],
  },
]);
