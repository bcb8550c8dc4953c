import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The section `safety` of the configuration, and the credentials that the host adds to requests. */
export const HOST_SAFETY = mutantsOf("packages/gateway", [
  {
    source: "state/store.ts",
    noticedBy: ["secrets/journal-keys"],
    mutants: [
      [
        "steps-of-a-host-are-not-encrypted",
        "APPR-011",
        "durability, ...holding, journalCipher });",
        "durability, ...holding });",
      ],
    ],
  },
  {
    source: "secrets/journal-keys.ts",
    noticedBy: ["secrets/journal-keys"],
    mutants: [
      [
        "earlier-steps-stay-readable",
        "APPR-011",
        "if (own.length === 0) await unit.turns.journal.seal();",
        "",
      ],
      [
        "step-opens-under-another-run",
        "APPR-011",
        "return Buffer.from(runId);",
        'return Buffer.from("");',
      ],
      [
        "missing-key-of-secrets-is-replaced",
        "APPR-011",
        "this.#masterKeys.current(own.length === stored.length)",
        "this.#masterKeys.current(true)",
      ],
    ],
  },
  {
    source: "host/safety.ts",
    noticedBy: ["host/safety"],
    mutants: [
      [
        "list-of-programs-is-not-read",
        "SAFE-048",
        "binaries: binaries && [",
        "binaries: false && [",
      ],
      [
        "usual-programs-are-always-listed",
        "SAFE-048",
        "...(binaries.usual === false ? [] : DEFAULT_BINARIES),",
        "...DEFAULT_BINARIES,",
      ],
      [
        "usual-programs-are-not-listed",
        "SAFE-048",
        "...(binaries.usual === false ? [] : DEFAULT_BINARIES),",
        "",
      ],
      ["programs-of-the-operator-are-not-listed", "SAFE-048", "...(binaries.allow ?? []),", ""],
      ["length-of-messages-is-not-read", "SAFE-034", "\n    maxInputLength,", ""],
      ["forbidden-strings-are-not-read", "SAFE-034", "\n    forbidden,", ""],
    ],
  },
  {
    source: "host/http-credentials.ts",
    noticedBy: ["secrets/http-credentials"],
    mutants: [
      [
        "credentials-go-to-every-port",
        "TURN-062",
        "({ host, isSecureOnly }) => host === target",
        '({ host, isSecureOnly }) => host.split(":")[0] === hostname',
      ],
      [
        "credentials-go-out-in-clear",
        "TURN-062",
        '(protocol === "https:" || !isSecureOnly)',
        "true",
      ],
    ],
  },
]);
