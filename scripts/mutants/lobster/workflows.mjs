import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Gates, tokens and processes of workflows. */
export const WORKFLOWS = mutantsOf(
  "extensions/lobster",
  [
    {
      source: "run/effects.ts",
      noticedBy: ["failures"],
      mutants: [
        [
          "shortened-output-is-a-success",
          "LOB-016",
          "if (truncated === true) {",
          "if (truncated === false) {",
        ],
      ],
    },
    {
      source: "gates/token.ts",
      noticedBy: ["gates/token", "gates/resumption"],
      mutants: [
        ["signature-is-ignored", "LOB-023 LOB-024", "    isSigned &&\n", ""],
        [
          "token-of-another-session-is-accepted",
          "LOB-024",
          "    payload.sessionKey === bearer.sessionKey &&\n",
          "",
        ],
        ["token-does-not-expire", "LOB-024", "if (payload.exp <= now) {", "if (false) {"],
      ],
    },
    {
      source: "gates/resumption.ts",
      noticedBy: ["gates/decision", "gates/resumption"],
      mutants: [
        ["model-passes-gates", "LOB-027", "if (needsPerson) throw waitsFor(run);", ""],
        [
          "used-token-is-accepted",
          "LOB-024 LOB-025",
          'if (run.status !== "suspended") throw consumed();',
          "",
        ],
      ],
    },
    {
      source: "gates/runs.ts",
      noticedBy: ["gates/runs"],
      mutants: [
        [
          "gate-is-decided-twice",
          "LOB-025",
          "where id = $1 and status = $2 and gate = $5",
          "where id = $1 and (status = $2 or 1 = 1) and gate = $5",
        ],
        [
          "gate-has-two-requests",
          "LOB-032",
          "coalesce(approval_id, '') = $4",
          "coalesce(approval_id, '') >= $4",
        ],
      ],
    },
    {
      source: "gates/interrupted-runs.ts",
      noticedBy: ["killed"],
      mutants: [
        [
          "killed-step-runs-again",
          "LOB-025",
          "set status = 'failed', told = 0, continuation = '',",
          "set status = 'suspended',",
        ],
        ["result-is-lost-with-the-process", "LOB-029", "where told = 0 and", "where told = 2 and"],
      ],
    },
    {
      source: "gates/identity.ts",
      noticedBy: ["gates/decision"],
      mutants: [
        ["anyone-passes-the-gate", "LOB-028", "&& decidedBy !== requiredApprover", "&& false"],
        [
          "step-names-its-approver",
          "LOB-028",
          "written.required_approver ?? written.requiredApprover ?? gate.requiredApprover",
          "gate.requiredApprover ?? written.required_approver",
        ],
      ],
    },
    {
      source: "gates/continuation.ts",
      noticedBy: ["gates/decision"],
      mutants: [
        ["changed-workflow-continues", "LOB-031", "|| digest(text) !== expected", "|| false"],
      ],
    },
    {
      source: "gates/guesses.ts",
      noticedBy: ["gates/decision"],
      mutants: [
        ["codes-are-guessed", "LOB-026", "if (recent.length >= MOST_GUESSES) return false;", ""],
      ],
    },
    {
      source: "run/environment.ts",
      noticedBy: ["run/child"],
      mutants: [
        ["permissions-are-off", "LOB-012", '    "--permission",\n', ""],
        ["secrets-are-in-the-environment", "LOB-011", "    ...named,\n", "    ...gateway,\n"],
      ],
    },
    {
      source: "request/paths.ts",
      noticedBy: ["fuzz/parsers"],
      mutants: [
        [
          "links-leave-the-workspace",
          "LOB-005",
          "if (found !== root && !found.startsWith(root + sep)) throw outside;",
          "",
        ],
        [
          "neighbour-of-the-workspace-is-inside",
          "LOB-005",
          "startsWith(root + sep)",
          "startsWith(root)",
        ],
      ],
    },
    {
      source: "lobster.ts",
      noticedBy: ["envelope/redaction"],
      mutants: [
        [
          "output-has-secrets",
          "LOB-010",
          "const output = this.#dependencies.redact(result.output);",
          "const output = result.output;",
        ],
      ],
    },
    {
      source: "gates/suspension.ts",
      noticedBy: ["envelope/redaction"],
      mutants: [
        [
          "gate-shows-secrets",
          "LOB-010",
          "const redacted = this.#dependencies.redact(items);",
          "const redacted = items;",
        ],
      ],
    },
  ],
  "extensions",
);
