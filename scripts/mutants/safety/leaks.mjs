import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Secrets in text, streams and logs, and commands. */
export const LEAKS = mutantsOf("packages/safety", [
  {
    source: "leaks/scan.ts",
    noticedBy: ["leaks/scan", "leaks/disguises"],
    mutants: [
      [
        "secret-hides-behind-invisible-characters",
        "SAFE-020 SAFE-024",
        "distinctViews(underived(text), shadow, decoded, plain)",
        "distinctViews(underived(text))",
      ],
      [
        "secret-hides-in-percent-encoding",
        "SAFE-020",
        "distinctViews(underived(text), shadow, decoded, plain)",
        "distinctViews(underived(text), shadow)",
      ],
      [
        "secret-hides-behind-marks-and-escapes",
        "SAFE-300",
        "distinctViews(underived(text), shadow, decoded, plain)",
        "distinctViews(underived(text), shadow, decoded)",
      ],
      ["secret-hides-in-base64", "SAFE-038", "if (found === undefined) continue;", "continue;"],
      [
        "verdict-is-the-mildest-action",
        "SAFE-021",
        "action: strongestAction(matches.map(({ rule }) => rule.actions[context])),",
        'action: matches[0]?.rule.actions[context] ?? "allow",',
      ],
      [
        "preview-shows-the-secret",
        "SAFE-021",
        "const preview = maskSecret(view.text.slice(...range));",
        "const preview = view.text.slice(...range);",
      ],
    ],
  },
  {
    source: "leaks/redaction.ts",
    noticedBy: ["leaks/redaction", "invariants"],
    mutants: [
      [
        "blocked-secret-is-kept",
        "SAFE-005",
        'return action === "redact" || action === "block";',
        'return action === "redact";',
      ],
      [
        "redacted-secret-is-kept",
        "SAFE-005",
        'return action === "redact" || action === "block";',
        'return action === "block";',
      ],
      [
        "uncovered-secret-is-kept",
        "SAFE-005 SAFE-011",
        "look < MOST_LOOKS && secrets.length > 0",
        "look < 1 && secrets.length > 0",
      ],
      [
        "overlapping-secrets-are-replaced-twice",
        "SAFE-005",
        "return mergeRanges(ranges).map(",
        "return [...ranges].map(",
      ],
    ],
  },
  {
    source: "leaks/guard.ts",
    noticedBy: ["leaks/guard"],
    mutants: [
      [
        "beginning-of-a-secret-is-shown",
        "TURN-028",
        "return this.#take(settled, findings);",
        "return this.#take(this.#held.length, findings);",
      ],
      [
        "secret-at-the-border-is-shown",
        "TURN-028",
        "const settled = beforeRanges(from, ranges, lineOf);",
        "const settled = from;",
      ],
      [
        "open-private-key-is-shown",
        "TURN-028",
        "if (openKey !== undefined) return this.#enterKey(openKey, matches);",
        "",
      ],
      [
        "text-that-a-replacement-completes-is-shown",
        "TURN-028",
        "earlier(first, unsettledIn(redacted.revised))",
        "first",
      ],
      [
        "words-before-a-secret-on-its-line-are-shown",
        "TURN-028",
        'this.#held.lastIndexOf("\\n", start - 1) + 1;',
        "start;",
      ],
      [
        "long-command-is-shown-with-secrets",
        "TURN-028",
        "this.#delaying = isLong;",
        "if (isLong) return this.#take(this.#held.length, findings);",
      ],
      [
        "secrets-of-added-rules-are-shown-in-parts",
        "TURN-028",
        "this.#delaying = this.#isUnbounded;\n  }\n\n  get",
        "this.#delaying = false;\n  }\n\n  get",
      ],
      ["held-text-is-unbounded", "TURN-028", "if (!isLong || severalWords) {", "if (true) {"],
      [
        "end-of-the-text-is-shown-with-secrets",
        "TURN-028",
        'const rest = this.#skipping === undefined ? this.#take(this.#held.length) : "";',
        "const rest = this.#held;",
      ],
      [
        "rest-of-a-private-key-is-shown",
        "TURN-028",
        "if (found !== -1) this.#skipping = undefined;",
        "this.#skipping = undefined;",
      ],
    ],
  },
  {
    source: "text/unsettled-tail.ts",
    noticedBy: ["leaks/guard"],
    mutants: [
      ["token-after-its-announcement-is-shown", "TURN-028", "/bearer\\s{1,8}[\\w.~+/=-]*$/i,", ""],
      [
        "announced-scheme-is-shown",
        "TURN-028",
        "/authorization[\"']?\\s{0,8}(?:[:=]\\s{0,8}[\"']?(?:[a-z][a-z0-9_-]{0,31}(?:\\s{1,8}[\\w.~+/=-]*)?)?)?$/i,",
        "",
      ],
      ["password-of-a-url-is-shown", "TURN-028", "/:\\/\\/[^\\s/?#\"'`<>\\\\]{0,390}$/,", ""],
      [
        "assigned-secret-is-shown",
        "TURN-028",
        "(?:\\\\{0,3}[\"'`][^\\s\"'`\\\\]{0,257}\\\\{0,3}|[^\\s\"'`,;<>(){}[\\]|\\\\]{0,257}[ \\t]{0,8}))?$/i,",
        ")?$/i,",
      ],
      ["name-before-an-assignment-is-shown", "TURN-028", "[ \\t]{0,8}))?$/i,", "[ \\t]{0,8}))$/i,"],
      ["command-with-a-password-is-shown", "TURN-028", "lineStart(text, line),", ""],
      ["manifest-of-a-secret-is-shown", "TURN-028", "text.search(MANIFEST),", ""],
      ["header-of-a-key-is-shown", "TURN-028", "/-----BEGIN [\\s\\S]{0,245}$/,", ""],
    ],
  },
  {
    source: "log/fields.ts",
    noticedBy: ["log/fields"],
    mutants: [
      [
        "fields-with-secret-names-are-logged",
        "SAFE-056",
        "return isSecret ? SECRET_VALUE",
        "return false ? SECRET_VALUE",
      ],
      [
        "texts-in-fields-are-logged",
        "SAFE-056",
        'if (typeof value === "string") return redactLogText(value, this.#options);',
        'if (typeof value === "string") return value;',
      ],
      [
        "keys-of-fields-are-logged",
        "SAFE-056",
        "names.take(redactLogText(key, this.#options))",
        "key",
      ],
      [
        "keys-of-fields-that-are-redacted-alike-hide-each-other",
        "SAFE-056",
        "names.take(redactLogText(key, this.#options))",
        "redactLogText(key, this.#options)",
      ],
      [
        "errors-in-fields-are-logged",
        "SAFE-056",
        "Object.entries(value instanceof Error ? errorFields(value) : value)",
        "Object.entries(value)",
      ],
      [
        "fields-that-contain-themselves-never-end",
        "SAFE-056",
        "if (this.#open.has(value)) return CIRCULAR;\n    if (depth >= DEEPEST) return TOO_DEEP;",
        "if (depth >= DEEPEST) return TOO_DEEP;",
      ],
    ],
  },
  {
    source: "shell/classifier.ts",
    noticedBy: ["shell/classifier"],
    mutants: [
      [
        "mildest-class-wins",
        "SAFE-043",
        "reasons.sort((a, b) => rank(b) - rank(a));",
        "reasons.sort((a, b) => rank(a) - rank(b));",
      ],
    ],
  },
  {
    source: "shell/binary-allowlist.ts",
    noticedBy: ["shell/classifier", "vectors"],
    mutants: [
      [
        "computed-program-is-listed",
        "SAFE-048",
        "if (program === undefined || setsDecidingVariable(command, source)) return false;",
        "if (program === undefined) return true;\n      if (setsDecidingVariable(command, source)) return false;",
      ],
      [
        "command-sets-a-variable-that-decides-what-code-runs",
        "SAFE-048",
        " || setsDecidingVariable(command, source)",
        "",
      ],
      [
        "command-runs-the-subscript-of-a-variable",
        "SAFE-048",
        "if (runsSubscript(command)) return false;",
        "",
      ],
      [
        "program-of-any-folder-is-listed",
        "SAFE-048",
        ' && (!program.includes("/") || SYSTEM_FOLDER.test(program))',
        "",
      ],
      [
        "unparsable-command-is-listed",
        "SAFE-048",
        "complete &&\n    commands.every",
        "commands.every",
      ],
    ],
  },
]);
