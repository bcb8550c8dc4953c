import { mutantsOf } from "../../mutation/mutants-of.mjs";

const INPUTS = "packages/gateway/test/messaging/turns/input-wait.test.ts";
const AGENT = "packages/agent/test/tool-call/approval.test.ts";

/** Decisions: approvers, timeouts, audit. */
export const APPROVAL_DECISIONS = mutantsOf("packages/approval-broker", [
  {
    source: "new-requests.ts",
    noticedBy: ["broker", "need"],
    mutants: [
      [
        "plugin-asks-without-an-approver",
        "APPR-031",
        'if (!request.isAttended && settings.headless !== "wait") {',
        "if (false) {",
      ],
      [
        "request-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({ ...facts, ...auditedRow(created), event: "created" });',
        "",
      ],
      [
        "denial-without-a-request-is-not-audited",
        "APPR-034",
        "await this.#parts.store.decisions.auditLog.append({\n      ...facts,",
        "void ({\n      ...facts,",
        [AGENT],
      ],
      [
        "waived-approval-is-not-audited",
        "APPR-020",
        "await this.#parts.store.decisions.auditLog.append(audit);",
        "",
      ],
    ],
  },
  {
    source: "broker.ts",
    noticedBy: ["broker", "need"],
    mutants: [
      [
        "timeout-is-missed-while-no-process-runs",
        "APPR-013",
        "await this.expire();\n    await this.#resolutions.notifyPending();",
        "await this.#resolutions.notifyPending();",
      ],
      [
        "timeout-has-no-timer",
        "APPR-013",
        "this.#expiry.arm();\n        traceRequested(approval);",
        "traceRequested(approval);",
      ],
    ],
  },
  {
    source: "call-assessment.ts",
    noticedBy: ["broker", "need"],
    mutants: [
      [
        "denied-call-is-asked-again",
        "APPR-016",
        "if (await store.decisions.approvals.wasDenied(runId, digest, askedSince)) {",
        "if (false) {",
        [AGENT],
      ],
      [
        "call-is-asked-without-an-approver",
        "APPR-031",
        'if (!isAttended && settings.headless !== "wait") {',
        "if (false) {",
        [AGENT],
      ],
      [
        "computed-command-is-granted",
        "APPR-022 APPR-038",
        "const offered = isCommand && command === undefined ? withoutGrant(request) : request;",
        "const offered = request;",
        ["prefix/grant"],
      ],
    ],
  },
  {
    source: "execution.ts",
    noticedBy: ["broker", "need"],
    mutants: [
      [
        "execution-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({ ...auditedRow(approval), event: "consumed" });',
        "",
      ],
      [
        "mismatch-is-not-audited",
        "APPR-008",
        "await store.decisions.auditLog.append({\n    ...(approval === undefined",
        "void ({\n    ...(approval === undefined",
      ],
    ],
  },
  {
    source: "settlement.ts",
    noticedBy: ["broker", "resolutions"],
    mutants: [
      [
        "anyone-answers",
        "APPR-028",
        "if (!this.mayAnswer(actor, found) || (isWide && !actor.isOwner)) {",
        "if (isWide && !actor.isOwner) {",
      ],
      [
        "anyone-grants-more",
        "APPR-021",
        "if (!this.mayAnswer(actor, found) || (isWide && !actor.isOwner)) {",
        "if (!this.mayAnswer(actor, found)) {",
      ],
      [
        "answer-to-another-request-counts",
        "APPR-008",
        "if (digest !== undefined && digest !== found.digest) {",
        "if (false) {",
      ],
      [
        "decision-that-is-not-offered-counts",
        "APPR-022",
        "if (!allowedDecisions.includes(decision)) {",
        "if (false) {",
      ],
      [
        "input-that-does-not-fit-is-given",
        "EXT-361",
        "if (ApprovalInputError.isInstance(values)) return values;",
        "",
        [INPUTS],
      ],
      [
        "rejected-answer-is-not-audited",
        "APPR-034",
        "await this.#store.decisions.auditLog.append({\n      ...facts,",
        "void ({\n      ...facts,",
      ],
      [
        "rejected-prefix-is-not-audited",
        "APPR-021 APPR-034",
        "choosePrefixes(code, grant.prefixes ?? [], prefixes);\n    return undefined;",
        "return undefined;",
        ["prefix/grant"],
      ],
      [
        "decision-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({ ...facts, event: "decided" });',
        "",
      ],
      [
        "grant-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({ ...facts, event: "granted", reason });',
        "",
      ],
      [
        "plugin-is-not-told-of-a-timeout",
        "APPR-018",
        "for (const approval of settled) await this.#dependencies.settled(approval);",
        'for (const approval of settled) if (approval.state !== "timed-out") await this.#dependencies.settled(approval);',
      ],
      [
        "plugin-is-not-told-of-a-cancellation",
        "APPR-018 HCR-007",
        "for (const approval of settled) await this.#dependencies.settled(approval);",
        'for (const approval of settled) if (approval.state !== "cancelled") await this.#dependencies.settled(approval);',
        [AGENT],
      ],
    ],
  },
  {
    source: "verdict.ts",
    noticedBy: ["broker"],
    mutants: [
      [
        "setting-does-not-stop-what-was-asked-before",
        "APPR-014",
        'approval.timeoutBehavior === "allow" && timeoutAllow !== "never"',
        'approval.timeoutBehavior === "allow"',
      ],
      [
        "timeout-allows",
        "APPR-014",
        'approval.timeoutBehavior === "allow" && timeoutAllow',
        "timeoutAllow",
      ],
    ],
  },
  {
    source: "actor.ts",
    noticedBy: ["broker"],
    mutants: [
      [
        "requester-answers-itself",
        "APPR-028",
        "return isRequester(actor, requester) && (allowSelf || input !== undefined);",
        "return isRequester(actor, requester);",
      ],
      [
        "account-of-the-requester-is-ignored",
        "APPR-028",
        "requester.accountId === accountId &&",
        "true &&",
      ],
      [
        "channel-of-the-requester-is-ignored",
        "APPR-028",
        "requester.channel === channel &&",
        "true &&",
      ],
      [
        "everyone-counts-as-the-requester",
        "APPR-028",
        "requester.senderId === senderId\n",
        "true\n",
      ],
    ],
  },
]);
