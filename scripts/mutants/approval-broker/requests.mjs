import { mutantsOf } from "../../mutation/mutants-of.mjs";

const AGENT = "packages/agent/test/tool-call/approval.test.ts";

/** Approval requests: digest, stored text, notification of plugins. */
export const APPROVAL_REQUESTS = mutantsOf("packages/approval-broker", [
  {
    source: "digest.ts",
    noticedBy: ["digest"],
    mutants: [
      ["digest-has-another-version", "APPR-008", "{ v: 1, tool", "{ v: 2, tool"],
      ["digest-omits-the-tool", "APPR-008", "v: 1, tool, params", "v: 1, params"],
      [
        "digest-omits-the-parameters",
        "APPR-008",
        "tool, params, sessionKey, requester: {",
        "tool, sessionKey, requester: {",
      ],
      [
        "digest-omits-the-session",
        "APPR-008",
        "params, sessionKey, requester: {",
        "params, requester: {",
      ],
      [
        "digest-omits-the-channel",
        "APPR-008",
        "requester: { channel, accountId, senderId } }",
        "requester: { accountId, senderId } }",
      ],
      [
        "digest-omits-the-account",
        "APPR-008",
        "requester: { channel, accountId, senderId } }",
        "requester: { channel, senderId } }",
      ],
      [
        "digest-omits-the-sender",
        "APPR-008",
        "requester: { channel, accountId, senderId } }",
        "requester: { channel, accountId } }",
      ],
      [
        "digest-depends-on-the-order-of-fields",
        "APPR-008",
        "sha256(canonicalJson(bound))",
        "sha256(JSON.stringify(bound))",
      ],
    ],
  },
  {
    source: "storable-request.ts",
    noticedBy: ["broker"],
    mutants: [
      [
        "parameters-are-stored-with-secrets",
        "APPR-011",
        "params: redactForDisplay(request.params)",
        "params: request.params",
      ],
      [
        "payload-is-stored-with-secrets",
        "APPR-006 APPR-011",
        "params: redactForDisplay(payload)",
        "params: payload",
      ],
      [
        "title-is-unbounded",
        "APPR-002",
        "title: boundWords(request.title, TITLE_LENGTH)",
        "title: boundWords(request.title, 10 * TITLE_LENGTH)",
      ],
      [
        "description-is-unbounded",
        "APPR-002",
        "description: boundWords(request.description, DESCRIPTION_LENGTH)",
        "description: boundWords(request.description, 10 * DESCRIPTION_LENGTH)",
      ],
      [
        "critical-call-runs-unanswered",
        "APPR-014",
        'const mayAllow = severity !== "critical" && settings',
        "const mayAllow = settings",
      ],
      [
        "call-runs-unanswered-against-the-settings",
        "APPR-014",
        'const mayAllow = severity !== "critical" && settings.timeoutAllow !== "never";',
        'const mayAllow = severity !== "critical";',
      ],
      [
        "critical-call-is-granted",
        "APPR-022",
        'const mayLast = severity !== "critical" && need !== "always";',
        'const mayLast = need !== "always";',
      ],
      [
        "need-always-is-granted",
        "APPR-022",
        'const mayLast = severity !== "critical" && need !== "always";',
        'const mayLast = severity !== "critical";',
      ],
      [
        "timeout-is-unbounded",
        "APPR-013",
        "Math.min(TIMEOUT_MS.most, Math.max(TIMEOUT_MS.least, Math.round(asked)))",
        "Math.round(asked)",
      ],
    ],
  },
  {
    source: "words.ts",
    noticedBy: ["broker"],
    mutants: [
      ["words-keep-secrets", "APPR-011", "maskSecrets(text)\n    .text.replace", "text.replace"],
      [
        "words-keep-control-characters",
        "APPR-002",
        '.text.replace(/[\\p{Cc}\\p{Cf}\\u2028\\u2029]+/gu, " ")',
        ".text",
      ],
    ],
  },
  {
    source: "display.ts",
    noticedBy: ["display"],
    mutants: [
      [
        "secret-names-are-shown",
        "APPR-011",
        "(isSecretName(name) && !ADDRESSES.has(name))",
        "false",
      ],
      ["secret-values-are-shown", "APPR-011", ": maskSecrets(value).text;", ": value;"],
      [
        "secret-numbers-are-shown",
        "APPR-011",
        'if (typeof value === "number") return isSecret ? SECRET_VALUE : value;',
        'if (typeof value === "number") return value;',
      ],
      [
        "code-in-a-variable-is-hidden",
        "APPR-047",
        "isSecret && !(isVariable && CODE.test(value))",
        "isSecret",
      ],
      [
        "names-that-are-masked-alike-hide-each-other",
        "APPR-047",
        "names.take(maskSecrets(name).text)",
        "maskSecrets(name).text",
      ],
    ],
  },
  {
    source: "resolutions.ts",
    noticedBy: ["resolutions", "broker", AGENT],
    mutants: [
      [
        "timeout-is-told-as-a-denial",
        "APPR-018 HCR-007",
        '"timed-out": "timeout"',
        '"timed-out": "deny"',
      ],
      [
        "plugin-is-told-without-a-deadline",
        "APPR-018",
        "await withDeadline(NOTIFY_MS, () => onResolution(resolution), this.#options.timers);",
        "await onResolution(resolution);",
      ],
      [
        "plugin-is-told-again-after-a-restart",
        "APPR-018 APPR-019",
        "if (!(await approvals.recordNotification(approval.id, true))) return true;",
        "",
      ],
      [
        "plugin-is-told-without-end",
        "APPR-019",
        "const MOST_ATTEMPTS = 5;",
        "const MOST_ATTEMPTS = 6;",
      ],
      [
        "failure-of-a-callback-ends-the-turn",
        "APPR-018 HCR-007",
        "this.#log(pluginId, `onResolution of plugin",
        "throw error; this.#log(pluginId, `onResolution of plugin",
      ],
    ],
  },
]);
