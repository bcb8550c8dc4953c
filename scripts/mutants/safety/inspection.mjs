import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Output, parameters and input. */
export const INSPECTION = mutantsOf("packages/safety", [
  {
    source: "text/unseen.ts",
    noticedBy: ["text/unseen"],
    mutants: [
      [
        "joiners-hide-bits-in-texts",
        "SAFE-480",
        "if (isAlone && isNeeded(found, name, before(once, offset))) return found;",
        "return found;",
      ],
      [
        "tag-characters-reach-the-model",
        "SAFE-480",
        "if (kind === undefined) return found;",
        'if (kind === undefined || name === "tag") return found;',
      ],
    ],
  },
  {
    source: "injection/role-markers.ts",
    noticedBy: ["injection/role-markers"],
    mutants: [
      [
        "role-lines-keep-their-colon",
        "SAFE-280",
        'const isLine = marker.endsWith(":");',
        "const isLine = false;",
      ],
      [
        "disguised-role-markers-pass",
        "SAFE-280",
        "const shadow = shadowText(text);",
        "const shadow = underived(text);",
      ],
    ],
  },
  {
    source: "inspection/output.ts",
    noticedBy: ["inspection/output"],
    mutants: [
      [
        "output-keeps-secrets",
        "SAFE-001 SAFE-005",
        "inspection.redact(cut?.reach ?? text) ??\n",
        "",
      ],
      ["output-keeps-forged-messages", "SAFE-001 SAFE-028", "inspection.sanitize() ??\n", ""],
      ["output-is-not-validated", "SAFE-009", "inspection.validate() ??\n", ""],
      [
        "output-ignores-the-policy",
        "SAFE-010",
        "inspection.validate() ??\n    inspection.applyPolicy() ??",
        "inspection.validate() ??",
      ],
      [
        "forged-message-after-the-policy-is-not-escaped",
        "SAFE-011",
        "if (this.#sanitized === this.text) return undefined;",
        "if (this.#sanitized !== undefined) return undefined;",
      ],
      [
        "output-that-could-not-be-checked-passes",
        "SAFE-012",
        "content: BLOCKED_UNCHECKED,\n",
        "content: text,\n",
      ],
      [
        "secret-at-the-cut-passes",
        "SAFE-004",
        "inspection.redact(cut?.reach ?? text)",
        "inspection.redact(inspection.text)",
      ],
      [
        "private-key-passes",
        "SAFE-006",
        "if (blocking !== undefined) {\n      this.#findings.push",
        "if (false) {\n      this.#findings.push",
      ],
      [
        "policy-block-passes",
        "SAFE-010",
        'if (blocking !== undefined) {\n      return { stage: "policy"',
        'if (false) {\n      return { stage: "policy"',
      ],
      [
        "replacement-of-injections-is-ignored",
        "SAFE-028",
        'if (injection === "replace" && confirmed !== undefined) {',
        "if (false) {",
      ],
      [
        "review-is-not-asked-for",
        "SAFE-010",
        'if (action === "review") this.#needsReview = true;',
        "",
      ],
      [
        "policy-is-not-warned-of",
        "SAFE-010",
        'if (action !== "warn") this.warn(policyWarning(rule));',
        "",
      ],
      [
        "injection-is-not-flagged",
        "SAFE-007",
        "if (isFlagging(match)) this.warn(injectionWarning(match));",
        "if (isFlagging(match)) ;",
      ],
      [
        "output-outgrows-the-maximum",
        "SAFE-002",
        "return inspection.end(shortened(content, cut?.notice, settings));",
        "return inspection.end(content);",
      ],
      [
        "mode-notice-keeps-the-head",
        "SAFE-002",
        'if (settings.overflow === "notice") return inspection.end(cut.notice);',
        "",
      ],
      ["uncovered-secret-passes", "SAFE-005 SAFE-011", "this.#redactUncovered();\n", ""],
    ],
  },
  {
    source: "inspection/parameters.ts",
    noticedBy: ["inspection/parameters"],
    mutants: [
      [
        "invalid-parameters-pass",
        "SAFE-036",
        'blocked: !valid || action === "block"',
        'blocked: action === "block"',
      ],
      [
        "blocked-parameters-pass",
        "SAFE-037",
        '!valid || action === "block" || classes',
        "!valid || classes",
      ],
      ["destructive-commands-pass", "SAFE-043", ' || classes.includes("blocked"),', ","],
      [
        "risky-commands-need-nobody",
        "SAFE-044",
        'needsReview: action === "review" || classes.some((commandClass) => commandClass !== "normal"),',
        'needsReview: action === "review",',
      ],
      [
        "rules-that-ask-need-nobody",
        "SAFE-042",
        'needsReview: action === "review" || classes',
        "needsReview: classes",
      ],
      [
        "parameters-are-not-searched-for-secrets",
        "SAFE-038",
        "return limitFindings([...leaks, ...policies])",
        "return limitFindings([...policies])",
      ],
      [
        "parameters-are-not-searched-by-policy",
        "SAFE-037 SAFE-038",
        "return limitFindings([...leaks, ...policies])",
        "return limitFindings([...leaks])",
      ],
      [
        "prose-is-blocked",
        "SAFE-041",
        'return role === "prose" ? "warn" : action;',
        "return action;",
      ],
      [
        "path-rules-do-not-hold-for-paths",
        "SAFE-041",
        'role === "path" || role === "url" ? PATH_RULE_IDS.has(rule) : true',
        'role === "path" || role === "url" ? false : true',
      ],
      [
        "added-rules-do-not-hold-everywhere",
        "SAFE-042",
        "if (!BUILT_IN_IDS.has(rule)) return true;",
        "",
      ],
      [
        "stated-role-is-ignored",
        "SAFE-041",
        "return Object.hasOwn(roles, field) ? roles[field] : undefined;",
        "return undefined;",
      ],
    ],
  },
  {
    source: "inspection/validator.ts",
    noticedBy: ["inspection/validator"],
    mutants: [
      [
        "empty-text-is-valid",
        "SAFE-034",
        'if (text === "") checks.reject',
        "if (false) checks.reject",
      ],
      ["long-text-is-valid", "SAFE-034", "if (length > this.#maxLength) {", "if (false) {"],
      [
        "code-units-are-counted",
        "SAFE-034",
        "return text.length - surrogatePairs;",
        "return text.length;",
      ],
      ["nul-is-valid", "SAFE-034", 'if (text.includes("\\0")) {', "if (false) {"],
      ["forbidden-wording-is-valid", "SAFE-034", "if (wording !== undefined) {", "if (false) {"],
      [
        "forbidden-wording-hides-behind-invisible-characters",
        "SAFE-034",
        "withoutInvisible(text).toLowerCase()",
        "text.toLowerCase()",
      ],
      [
        "deep-nesting-is-valid",
        "SAFE-036",
        "if (depth >= DEEPEST) {\n      this.reject",
        "if (false) {\n      this.reject",
      ],
      ["keys-are-not-validated", "SAFE-036", "this.wording(path, key);", ""],
      [
        "oddities-are-not-warned-of",
        "SAFE-035",
        "for (const { subject } of findOddities(text)) {",
        "for (const { subject } of [] as never[]) {",
      ],
    ],
  },
  {
    source: "inspection/input.ts",
    noticedBy: ["inspection/input"],
    mutants: [
      ["invalid-input-passes", "SAFE-034", "blocked: true,", "blocked: false,"],
      ["blocked-input-passes", "SAFE-040", 'blocked: action === "block",', "blocked: false,"],
    ],
  },
  {
    source: "injection/content-wrapping.ts",
    noticedBy: ["injection/content-wrapping"],
    mutants: [
      [
        "content-closes-its-tag",
        "SAFE-030",
        "body.replace(CLOSING_TAG, `<${ZERO_WIDTH_SPACE}`)",
        "body",
      ],
      ["tool-name-opens-attributes", "SAFE-030", 'name="${xmlEscaped(tool)}"', 'name="${tool}"'],
      ["content-ends-its-border", "SAFE-032", "withoutBorders(content),", "content,"],
      ["source-ends-the-notice", "SAFE-032", 'source.replace(LINE_BREAKS, " ")', "source"],
    ],
  },
]);
