import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The journal of a turn, and the guards around its model calls. */
export const TURNS = mutantsOf("packages/agent", [
  {
    source: "journal/journal.ts",
    noticedBy: [
      "journal/step-atomicity",
      "journal/journal",
      "turn/injections",
      "budget/token-budget",
    ],
    mutants: [
      [
        "injection-is-consumed-after-its-step",
        "TURN-049",
        "await commitWrite(turn, async (unit) => {\n    await unit.turns.journal.append({ runId, step });\n    await unit.sessions.injections.consume(runId);\n  });",
        "await commitWrite(turn, (unit) => unit.turns.journal.append({ runId, step }));\n  await commitWrite(turn, (unit) => unit.sessions.injections.consume(runId));",
      ],
      [
        "injection-is-consumed-before-its-step",
        "TURN-049",
        "await commitWrite(turn, async (unit) => {\n    await unit.turns.journal.append({ runId, step });\n    await unit.sessions.injections.consume(runId);\n  });",
        "await commitWrite(turn, (unit) => unit.sessions.injections.consume(runId));\n  await commitWrite(turn, (unit) => unit.turns.journal.append({ runId, step }));",
      ],
      [
        "injection-is-never-consumed",
        "TURN-049",
        "await unit.sessions.injections.consume(runId);",
        "",
      ],
      [
        "tokens-are-counted-after-their-step",
        "TURN-029",
        "await commitWrite(turn, async (unit) => {\n    await unit.turns.journal.append({ runId, step });\n    await unit.spending.record(call, spent);\n  });",
        "await commitWrite(turn, (unit) => unit.turns.journal.append({ runId, step }));\n  await commitWrite(turn, (unit) => unit.spending.record(call, spent));",
      ],
      [
        "tokens-are-counted-before-their-step",
        "TURN-029",
        "await commitWrite(turn, async (unit) => {\n    await unit.turns.journal.append({ runId, step });\n    await unit.spending.record(call, spent);\n  });",
        "await commitWrite(turn, (unit) => unit.spending.record(call, spent));\n  await commitWrite(turn, (unit) => unit.turns.journal.append({ runId, step }));",
      ],
      ["tokens-are-not-counted", "TURN-029", "    await unit.spending.record(call, spent);\n", ""],
      [
        "approval-is-not-consumed",
        "APPR-010",
        "else await commitWrite(turn, write, (all) => approvals.begin(approval, all));",
        "else await commitWrite(turn, write);",
        ["tool-call/approval"],
      ],
      [
        "intent-is-not-journaled",
        "TURN-055",
        "await unit.decisions.policy.add(decisions);\n    await unit.turns.journal.append({ runId: turn.request.runId, step });",
        "await unit.decisions.policy.add(decisions);",
        ["turn/resume"],
      ],
    ],
  },
  {
    source: "journal/turn-writes.ts",
    noticedBy: ["journal/step-atomicity", "journal/journal", "turn/turn"],
    mutants: [
      [
        "write-that-waits-is-lost",
        "TURN-054",
        "for (const each of waiting) await each.write(unit);",
        "",
      ],
      [
        "write-that-waits-is-made-again",
        "TURN-054",
        "state.waitingWrites.splice(0);",
        "state.waitingWrites.slice();",
      ],
    ],
  },
  {
    source: "turn/gate.ts",
    noticedBy: ["turn/turn", "turn/preparation"],
    mutants: [
      [
        "blocked-message-reaches-the-model",
        "TURN-023",
        'if (result?.outcome !== "block") return undefined;',
        "if (true) return undefined;",
      ],
    ],
  },
  {
    source: "budget/token-budget.ts",
    noticedBy: ["budget/token-budget"],
    mutants: [
      ["budget-is-ignored", "TURN-029", "if (used < maxTokens) continue;", "continue;"],
      [
        "budget-is-exceeded-by-one-call",
        "TURN-029",
        "if (used < maxTokens)",
        "if (used <= maxTokens)",
      ],
    ],
  },
  {
    source: "budget/spending.ts",
    noticedBy: ["budget/spending"],
    mutants: [
      [
        "call-beyond-a-budget-is-made",
        "LLM-031 TURN-029",
        "if (exceeded !== undefined) {",
        "if (false) {",
      ],
      [
        "unknown-price-counts-nothing",
        "LLM-029",
        "isReported ? usage : { ...size(), ...usage }",
        "usage",
      ],
    ],
  },
  {
    source: "reply/transformation.ts",
    noticedBy: ["turn/model-call", "turn/turn", "turn/end", "turn/interrupt"],
    mutants: [
      [
        "text-that-could-not-be-checked-is-delivered",
        "HCR-004 TURN-046",
        "return WITHHELD_TEXT;",
        "return text;",
      ],
      [
        "delivered-reply-has-secrets",
        "SAFE-057",
        "return guardText(transformed?.content ?? text, dependencies.safety);",
        "return transformed?.content ?? text;",
      ],
      [
        "secret-that-a-plugin-adds-is-delivered",
        "SAFE-057",
        "return guardText(transformed?.content ?? text, dependencies.safety);",
        "return transformed?.content ?? guardText(text, dependencies.safety);",
      ],
    ],
  },
  {
    source: "turn/model-loop.ts",
    noticedBy: ["turn/model-call", "turn/turn", "turn/end", "turn/interrupt"],
    mutants: [
      [
        "reply-of-a-tool-that-ends-the-turn-has-secrets",
        "SAFE-057",
        "const text = await transformReply(turn, said, messages);",
        "const text = said;",
      ],
      [
        "text-of-the-model-is-lost-in-the-transcript",
        "SAFE-057",
        "delivered === text ? message : { ...message, deliveredText: parts.endOf(delivered) };",
        'delivered === text ? message : { ...message, content: [{ type: "text" as const, text: delivered }] };',
      ],
      [
        "revisions-are-asked-at-the-last-call",
        "TURN-030",
        "const mayGoOn = iteration < maxIterations;",
        "const mayGoOn = true;",
        ["turn/answer-revision"],
      ],
    ],
  },
  {
    source: "turn/reply-preview.ts",
    noticedBy: ["turn/model-call", "turn/turn", "turn/end", "turn/interrupt"],
    mutants: [
      [
        "preview-shows-what-handlers-rewrite",
        "TURN-028 HCR-013",
        "if (!isReplyPreview(annotation)) return SHOW_NOTHING;",
        "if (!isReplyPreview(annotation)) continue;",
      ],
      [
        "preview-does-not-wait-for-the-complete-reply",
        "TURN-028 HCR-026",
        "if (preview === undefined) return undefined;",
        "if (preview === undefined) continue;",
        ["packages/gateway/test/messaging/turns/preview.test.ts"],
      ],
      [
        "preview-ignores-the-rules-of-the-operator",
        "TURN-028 SAFE-042",
        "createLeakGuard({ rules: safety.rules })",
        "createLeakGuard({})",
        ["turn/model-call"],
      ],
      [
        "preview-leaves-out-the-handlers",
        "HCR-026",
        "createLeakGuard({ rules: safety.rules }), ...handlers]",
        "createLeakGuard({ rules: safety.rules })]",
        ["packages/gateway/test/messaging/turns/preview.test.ts"],
      ],
    ],
  },
  {
    source: "turn/reply-stream.ts",
    noticedBy: ["turn/model-call"],
    mutants: [
      [
        "preview-shows-secrets",
        "TURN-028 SAFE-013",
        "show(type, previews[type].push(delta));",
        "show(type, delta);",
      ],
      ["end-of-the-preview-is-lost", "TURN-028", 'show("text", previews.text.flush());', ""],
    ],
  },
  {
    source: "turn/answer-revision.ts",
    noticedBy: ["turn/answer-revision"],
    mutants: [
      ["passes-of-a-turn-are-unbounded", "TURN-045", "extraPasses < MAXIMUM_PASSES && ", ""],
      [
        "passes-of-a-request-are-unbounded",
        "TURN-045",
        " && (passes.get(key) ?? 0) < maxAttempts",
        "",
      ],
      [
        "revision-wins-over-finalize",
        "TURN-044",
        'if (contributions.some(({ result }) => result.action === "finalize")) return undefined;',
        "",
      ],
    ],
  },
  {
    source: "turn/turn.ts",
    noticedBy: ["turn/failure", "turn/interrupt", "tool-call/approval"],
    mutants: [
      [
        "request-of-a-failed-turn-waits-on",
        "APPR-015",
        'if (outcome.status === "failed" || outcome.status === "interrupted") {',
        'if (outcome.status === "interrupted") {',
      ],
    ],
  },
  {
    source: "conversation/transcript-writer.ts",
    noticedBy: ["conversation/transcript-writer"],
    mutants: [
      [
        "transcript-keeps-secrets-of-calls",
        "APPR-011",
        "params: redactForDisplay(part.params)",
        "params: part.params",
      ],
    ],
  },
  {
    source: "journal/resume-state.ts",
    noticedBy: ["journal/record-order", "journal/resume-state", "turn/resume"],
    mutants: [
      [
        "record-of-another-path-is-used",
        "TURN-054",
        "if (!isReply || next.purpose !== purpose) {",
        "if (false) {",
      ],
      [
        "message-of-another-role-is-used",
        "TURN-054",
        "if (step.role !== role) this.#refuse",
        "if (false) this.#refuse",
      ],
      [
        "blocked-turn-runs-again",
        "TURN-054",
        "this.conclusion = steps.flatMap((step) =>\n      step.kind",
        "this.conclusion = [].flatMap((step) =>\n      step.kind",
      ],
    ],
  },
]);
