import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Pins, approval and limits of MCP servers. */
export const MCP_SERVERS = [
  ...mutantsOf("extensions/mcp", [
    {
      source: "tools/pins.ts",
      noticedBy: ["pins"],
      mutants: [
        [
          "changed-definition-is-offered",
          "EXT-012",
          "    if (pending !== undefined) {\n",
          "    if (pending !== undefined && !isAccepted) {\n",
        ],
        [
          "injection-in-a-description-is-accepted",
          "EXT-012",
          "isAccepted: this.#suspicionOf(given) === undefined",
          "isAccepted: true",
        ],
      ],
    },
    {
      source: "tools/tool.ts",
      noticedBy: ["tools"],
      mutants: [
        [
          "tool-without-hints-runs-unasked",
          "EXT-011 APPR-005",
          'destructiveHint === false ? "never" : "unless-granted"',
          'destructiveHint !== true ? "never" : "unless-granted"',
        ],
      ],
    },
    {
      source: "server/stdio-transport.ts",
      noticedBy: ["faults"],
      mutants: [
        [
          "message-of-any-size-is-read",
          "EXT-521",
          "if (this.#waitingBytes > MAXIMUM_MESSAGE_BYTES) {",
          "if (false) {",
        ],
      ],
    },
  ]),
  ...mutantsOf("packages/agent", [
    {
      source: "tool-call/tool-set.ts",
      noticedBy: ["tool-call/tool-set"],
      mutants: [
        [
          "server-gets-what-a-core-tool-is-allowed",
          "EXT-011",
          "if (server === undefined || coreNames.has(canonicalToolName(server))) return entry;",
          "if (server === undefined) return entry;",
        ],
      ],
    },
  ]),
];
