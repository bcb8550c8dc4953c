import { mutantsOf } from "../../mutation/mutants-of.mjs";

const GATEWAY = "packages/gateway/test/messaging/inbound";

/** Access of senders, and the inspection of messages. */
export const INBOUND = mutantsOf("packages/messaging", [
  {
    source: "inbound/admission.ts",
    noticedBy: [`${GATEWAY}/access.test.ts`],
    mutants: [
      [
        "everyone-is-accepted",
        "SAFE-053",
        "if (ended !== undefined) return ended;",
        "if (ended === null) return ended;",
      ],
      [
        "sender-who-is-not-accepted-is-answered",
        "SAFE-053",
        'state: "cancelled", text: offered }',
        'state: "cancelled", text: offered ?? "no" }',
      ],
    ],
  },
  {
    source: "senders/sender-access.ts",
    noticedBy: [
      `${GATEWAY}/access.test.ts`,
      "packages/messaging/test/senders/sender-access.test.ts",
    ],
    mutants: [
      [
        "owner-is-not-accepted",
        "SAFE-053",
        "if (senderIsOwner) return ACCEPTED;",
        "if (senderIsOwner === undefined) return ACCEPTED;",
      ],
      [
        "list-of-a-channel-is-not-asked",
        "SAFE-053",
        "if (!listed.allowed) {",
        "if (listed === undefined) {",
      ],
      [
        "stranger-needs-no-pairing",
        "CHAN-042",
        'if (dmPolicy === "open" || isKnown) return ACCEPTED;',
        'if (dmPolicy !== "off") return ACCEPTED;',
      ],
      [
        "paired-sender-passes-an-allowlist",
        "CHAN-042",
        'if (dmPolicy === "allowlist") return false;',
        "",
      ],
      [
        "message-without-mention-is-accepted",
        "CHAN-043",
        'if (groupPolicy === "mention" && !isMention) {',
        'if (groupPolicy === "all" && !isMention) {',
      ],
      [
        "stranger-is-accepted-in-an-unnamed-group",
        "CHAN-043",
        'if (isNamed || isKnown || dmPolicy === "open") return ACCEPTED;',
        "if (groupId !== undefined) return ACCEPTED;",
      ],
    ],
  },
  {
    source: "inbound/direct.ts",
    noticedBy: [
      `${GATEWAY}/access.test.ts`,
      `${GATEWAY}/inspection.test.ts`,
      `${GATEWAY}/flow.test.ts`,
    ],
    mutants: [
      [
        "turn-of-a-sender-who-is-not-accepted-starts-at-once",
        "SAFE-053",
        "!admission.accepts(message) || ",
        "",
      ],
      [
        "turn-of-a-message-with-findings-starts-at-once",
        "SAFE-034 SAFE-040",
        " || !inspection.isClean(message)",
        "",
      ],
      [
        "turn-of-a-message-starts-before-its-hooks",
        "TURN-005 TURN-006",
        "if (INBOUND_HOOKS.some((hook) => plugins.hooks.has(hook, context))) return undefined;",
        "",
      ],
    ],
  },
  {
    source: "inbound/inspection.ts",
    noticedBy: [`${GATEWAY}/inspection.test.ts`],
    mutants: [
      [
        "message-of-invalid-form-starts-a-turn",
        "SAFE-034",
        "if (reason !== undefined) return { refusal",
        "if (false) return { refusal",
      ],
      [
        "hidden-characters-of-a-message-reach-the-model",
        "SAFE-511",
        "const inspection = inspectInput(seen.text, options);",
        "const inspection = inspectInput(text, options);",
      ],
      [
        "message-of-hidden-characters-is-sent-directly",
        "SAFE-511",
        "findings.length + seen.removed === 0",
        "findings.length === 0",
      ],
      [
        "hidden-text-of-a-message-is-not-reported",
        "SAFE-511",
        "findings: [...inspection.findings, ...hidden.findings],",
        "findings: inspection.findings,",
      ],
      [
        "error-of-a-message-counts-for-nothing",
        "SAFE-034",
        "if (error !== undefined) return `${refused}${error.message}`;",
        "",
      ],
      ["length-of-messages-is-fixed", "SAFE-034", "maxLength: maxInputLength, ", ""],
      [
        "forbidden-strings-are-accepted",
        "SAFE-034",
        "maxLength: maxInputLength, forbidden }",
        "maxLength: maxInputLength }",
      ],
      [
        "text-that-a-plugin-wrote-is-not-inspected",
        "SAFE-034",
        "const inspected = this.#inspect(message);",
        "const inspected = this.#inspect(stored.message);",
      ],
      [
        "rules-of-the-operator-are-ignored",
        "SAFE-042",
        "inspectSeen(message.text, { rules, ",
        "inspectSeen(message.text, { ",
      ],
      [
        "rules-of-the-operator-are-ignored-in-a-conversation",
        "SAFE-058",
        "inspectSeen(text, { rules, ",
        "inspectSeen(text, { ",
      ],
      [
        "forbidden-strings-are-accepted-in-a-conversation",
        "SAFE-058",
        "maxLength, forbidden }",
        "maxLength }",
      ],
      [
        "length-of-a-conversation-is-limited",
        "SAFE-058",
        "Number.POSITIVE_INFINITY",
        "maxInputLength",
      ],
      [
        "redacted-conversation-is-passed-on-unchanged",
        "SAFE-058",
        "{ ...message, ...conversation, text",
        "{ ...message, text",
      ],
      [
        "redacted-message-is-passed-on-unchanged",
        "SAFE-040 SAFE-042",
        "const text = `${own.content}",
        "const text = `${message.text}",
      ],
      [
        "blocked-message-starts-a-turn",
        "SAFE-042",
        'findings.find(({ action }) => action === "block")',
        "undefined as Finding | undefined",
      ],
      [
        "message-under-review-starts-a-turn",
        "SAFE-042",
        "blocking ?? (needsReview ? findings.find(isReviewed) : undefined)",
        "blocking",
      ],
      ["error-of-a-message-is-clean", "SAFE-034", "errors.length + warnings", "warnings"],
      ["warning-of-a-message-is-clean", "SAFE-035", "warnings.length + findings", "findings"],
      ["finding-in-a-message-is-clean", "SAFE-040", " + findings.length + seen", " + seen"],
      [
        "findings-are-not-logged",
        "SAFE-035 SAFE-040",
        "this.#report(stored, inspected.texts);",
        "",
      ],
      [
        "warnings-are-not-logged",
        "SAFE-035",
        "[...findings, ...warnings].map",
        "[...findings].map",
      ],
      ["warning-is-logged-as-a-detail", "SAFE-035", " || warnings.length > 0", ""],
      [
        "sender-is-not-told-of-a-secret",
        "SAFE-040",
        "if (secrets.length === 0) return;",
        "return;",
      ],
      [
        "secret-is-logged-as-a-detail",
        "SAFE-040",
        "const isGrave = findings.some(isSecret) || findings.some(isSevere) || warnings",
        "const isGrave = warnings",
      ],
    ],
  },
]);
