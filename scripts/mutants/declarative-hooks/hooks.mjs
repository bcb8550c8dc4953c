import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Hooks written as configuration. */
export const CONFIGURED_HOOKS = mutantsOf(
  "extensions/declarative-hooks",
  [
    {
      source: "set/points-in-force.ts",
      noticedBy: ["sources"],
      mutants: [
        [
          "gate-without-approval-lets-pass",
          "DHOOK-049",
          "return points.filter((point) => failsClosed(point, mode));",
          "return [];",
        ],
      ],
    },
    {
      source: "definition/reader.ts",
      noticedBy: ["sources"],
      mutants: [
        [
          "gate-that-is-not-valid-lets-pass",
          "DHOOK-440",
          'return { ...rest, name, points, action: { type: "invalid", problem: mistakesOf(own), decides } };',
          "return undefined;",
        ],
      ],
    },
    {
      source: "sources/workspace.ts",
      noticedBy: ["sources"],
      mutants: [
        [
          "approval-is-not-needed",
          "DHOOK-014",
          "if (!hasPrograms || (await state.approvedHash(real)) === version.hash) {",
          "if (!hasPrograms || real !== version.hash) {",
        ],
        [
          "approval-covers-another-content",
          "DHOOK-014",
          "if (hash === version.hash) await context.state.approve(real, hash);",
          "if (hash !== undefined) await context.state.approve(real, version.hash);",
        ],
        [
          "workspace-need-not-be-trusted",
          "DHOOK-014",
          "if (files.length > 0 && !context.isTrusted()) {",
          "if (files.length > 1000) {",
        ],
      ],
    },
    {
      source: "definition/output.ts",
      noticedBy: ["hostile-input"],
      mutants: [
        [
          "half-a-document-is-content",
          "DHOOK-022",
          'if (trimmed.startsWith("{")) return readObject(trimmed, forParams);',
          'if (trimmed.endsWith("}")) return readObject(trimmed, forParams);',
        ],
      ],
    },
    {
      source: "actions/shell.ts",
      noticedBy: ["actions"],
      mutants: [
        [
          "block-of-a-program-is-ignored",
          "DHOOK-022",
          "if (code === BLOCK_CODE) return block(stderr);",
          "",
        ],
      ],
    },
    {
      source: "actions/http.ts",
      noticedBy: ["actions"],
      mutants: [
        ["redirect-is-followed", "DHOOK-024", 'redirect: "manual" }', 'redirect: "follow" }'],
      ],
    },
    {
      source: "points/bind.ts",
      noticedBy: ["points"],
      mutants: [
        [
          "blocked-call-runs",
          "DHOOK-004",
          "return { block: true, blockReason: named(outcome.reason, name) };",
          "return undefined;",
        ],
        [
          "blocked-reply-is-sent",
          "DHOOK-003",
          "? { cancel: true, cancelReason: named(outcome.reason, name) }",
          "? undefined",
        ],
      ],
    },
  ],
  "extensions",
);
