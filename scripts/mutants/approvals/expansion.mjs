import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Commands that run without approval after their expansion. */
export const EXPANDED_COMMANDS = mutantsOf("extensions/approvals", [
  {
    source: "command-evaluator.ts",
    noticedBy: ["unsandboxed"],
    mutants: [
      [
        "computed-output-needs-no-table",
        "APPR-620",
        "isListed &&= evaluation.program !== undefined && evaluation.inSandbox !== true;",
        "isListed &&= evaluation.inSandbox !== true;",
      ],
    ],
  },
  {
    source: "program-problem.ts",
    noticedBy: ["unsandboxed"],
    mutants: [
      [
        "redirection-writes-a-file",
        "APPR-620",
        'const isRead = operator === "<" && (await isReadable(target, workspace, folders));',
        "const isRead = await isReadable(target, workspace, folders);",
      ],
    ],
  },
  {
    source: "late-words.ts",
    noticedBy: ["later-commands"],
    mutants: [
      [
        "names-become-the-output-file",
        "APPR-941",
        "const NAMES_SHOWN = 3;",
        "const NAMES_SHOWN = 1;",
      ],
    ],
  },
  {
    source: "reading/python/calls.ts",
    noticedBy: ["python"],
    mutants: [
      [
        "python-writes-a-file",
        "APPR-160",
        '} else if (next?.kind !== "text" || !/^r[bt]?$/.test(next.text))',
        '} else if (next?.kind !== "text")',
      ],
      [
        "python-joins-an-absolute-path",
        "APPR-160",
        "if (count !== 1) throw",
        "if (count === 0) throw",
      ],
    ],
  },
  {
    source: "reading/python/members.ts",
    noticedBy: ["python"],
    mutants: [
      [
        "python-calls-a-value",
        "APPR-160",
        "if (value.member === undefined) throw new NotReading",
        "if (value.member === undefined && value.isNumber === true) throw new NotReading",
      ],
    ],
  },
  {
    source: "reading/awk-program.ts",
    noticedBy: ["unsandboxed"],
    mutants: [
      [
        "awk-writes-a-file",
        "APPR-620",
        "return !/\\bprintf?\\b[^;{}]*>/.test(withoutParentheses(code));",
        "return withoutParentheses(code) !== undefined;",
      ],
      [
        "quote-hides-a-program-of-awk",
        "APPR-620",
        `if (before.endsWith(")")) return !rest.includes('"');`,
        'if (before.endsWith(")")) return true;',
      ],
    ],
  },
  {
    source: "reading/reading-program.ts",
    noticedBy: ["unsandboxed", "later-commands"],
    mutants: [
      [
        "output-becomes-code",
        "APPR-941",
        "const computed = text.find((word) => late.has(word));",
        "const computed = text.find(() => false);",
      ],
      [
        "node-runs-a-similar-file",
        "APPR-620",
        'if (role === "existing-files" && kind !== "file")',
        'if (role === "existing-files" && kind === "folder")',
      ],
    ],
  },
]);
