import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The run of a call and its answer. */
export const CALL_EXECUTION = mutantsOf("packages/agent", [
  {
    source: "tool-call/result-safety.ts",
    noticedBy: ["tool-call/safety"],
    mutants: [
      [
        "result-is-not-inspected",
        "SAFE-001 TURN-041",
        'return { type: "text", text: shown, ...defined({ file }) } satisfies TextPart;',
        "return part;",
      ],
      [
        "details-are-not-redacted",
        "HCR-016 SAFE-001",
        "const given = result.details === undefined ? undefined : scrub(result.details);",
        "const { details: given } = result;",
      ],
      [
        "keys-of-details-are-not-redacted",
        "SAFE-001 HCR-016",
        "names.take(guardText(key, options, findings))",
        "key",
      ],
      [
        "keys-of-details-that-are-redacted-alike-hide-each-other",
        "SAFE-001",
        "names.take(guardText(key, options, findings))",
        "guardText(key, options, findings)",
      ],
      [
        "result-is-unbounded",
        "SAFE-002",
        "content: boundContent(content, maxLength, NOTICE_BYTES),",
        "content,",
        ["tool-call/result", "tool-call/execution"],
      ],
      [
        "warning-is-not-shown-to-the-model",
        "SAFE-033",
        "return spoken.length === 0 ? content",
        "return true ? content",
      ],
    ],
  },
  {
    source: "tool-call/execution.ts",
    noticedBy: ["tool-call/execution", "tool-call/safety"],
    mutants: [
      [
        "progress-is-not-redacted",
        "TURN-039 SAFE-001",
        "updates.report(() => guardText(updateText(given), safety));",
        "updates.report(() => updateText(given));",
      ],
      [
        "error-is-not-redacted",
        "SAFE-001 SAFE-056",
        "const message = isSaid ? said.text : guardText(failure.message, dependencies.safety);",
        "const { message } = failure;",
      ],
      [
        "deadline-is-unbounded",
        "TURN-038",
        "return Math.min(tool.timeoutMs ?? configured ?? DEFAULT_DEADLINE_MS, MAXIMUM_DEADLINE_MS);",
        "return tool.timeoutMs ?? configured ?? DEFAULT_DEADLINE_MS;",
      ],
      [
        "tool-has-no-deadline",
        "TURN-038",
        "const timer = timers.setTimeout(() => stop.abort(timeout), deadlineMs);",
        "const timer = undefined;",
      ],
      [
        "interrupt-does-not-reach-the-tool",
        "TURN-053",
        'request.signal.addEventListener("abort", interrupt, { once: true });',
        "",
        ["turn/interrupt"],
      ],
      [
        "tool-changes-what-was-approved",
        "TURN-033",
        "const own = parsed === params ? structuredClone(params) : parsed;",
        "const own = parsed;",
      ],
      [
        "inherited-names-set-deadlines",
        "TURN-038",
        "const configured = Object.hasOwn(toolTimeouts, name) ? toolTimeouts[name] : undefined;",
        "const configured = toolTimeouts[name];",
      ],
    ],
  },
  {
    source: "tool-call/pipeline.ts",
    noticedBy: ["tool-call/pipeline", "tool-call/approval"],
    mutants: [
      [
        "tool-cut-off-by-a-stop-is-answered",
        "TURN-055",
        "if (answer.isSynthetic && isSuspended(turn.request.signal)) throw turn.request.signal.reason;",
        "",
        ["turn/suspension"],
      ],
      [
        "tool-runs-again-after-a-crash",
        "TURN-055",
        "return tools.get(toolName)?.tool.idempotent === true;",
        "return true;",
        ["turn/resume"],
      ],
    ],
  },
  {
    source: "tool-call/intended-call.ts",
    noticedBy: ["tool-call/pipeline", "tool-call/approval"],
    mutants: [
      [
        "decision-of-a-person-is-not-journaled",
        "TURN-054",
        "if (waiting !== undefined) await journalDecision(turn, call, waiting.approvalId);",
        "",
        ["tool-call/answered-call"],
      ],
      [
        "decision-on-an-allowed-call-is-not-kept",
        "POL-030",
        "await journalIntent(turn, call, authorized, policy.takeDecisions());",
        "await journalIntent(turn, call, authorized, []);",
        ["tool-call/policy"],
      ],
      [
        "call-interrupted-at-its-start-runs",
        "TURN-053",
        "return turn.request.signal.aborted ? INTERRUPTED : authorized;",
        "return authorized;",
        ["turn/interrupt"],
      ],
      [
        "request-of-a-suspended-turn-is-cancelled",
        "APPR-032",
        "if (isSuspended(request.signal)) return;",
        "",
        ["turn/suspension"],
      ],
      [
        "request-of-an-interrupted-turn-waits-on",
        "APPR-015",
        'if (authorized.verdict === "pending") await cancelApprovals(turn);',
        "",
      ],
      [
        "mismatch-ends-the-turn",
        "APPR-008",
        "if (!ApprovalMismatchError.isInstance(error)) throw error;",
        "throw error;",
      ],
    ],
  },
  {
    source: "tool-call/answer.ts",
    noticedBy: ["tool-call/pipeline", "tool-call/approval"],
    mutants: [
      [
        "decision-on-a-denied-call-is-not-kept",
        "POL-030",
        "await unit.decisions.policy.add(decisions);",
        "",
        ["tool-call/policy"],
      ],
      [
        "denied-call-is-not-audited",
        "TURN-034",
        "await unit.decisions.toolAuditLog.add({",
        "void ({",
        ["tool-call/authorize"],
      ],
      [
        "everyone-is-shown-the-rule",
        "POL-029",
        "policy: request.origin.senderIsOwner ? policy : undefined",
        "policy",
        ["tool-call/authorize"],
      ],
      [
        "guidance-is-unbounded",
        "TURN-035",
        "const kept = startOfText(text, left);",
        "const kept = text;",
        ["tool-call/before-hooks"],
      ],
      [
        "details-sent-to-clients-are-unbounded",
        "TURN-043",
        "jsonBytes(details) <= MAXIMUM_SHOWN_BYTES",
        "true",
      ],
    ],
  },
]);
