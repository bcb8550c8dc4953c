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
      source: "server/transport.ts",
      noticedBy: ["sandbox"],
      mutants: [
        [
          "server-runs-outside-its-sandbox",
          "EXT-914",
          "const options = { cwd, env, ...defined({ sandbox }) };",
          "const options = { cwd, env };",
        ],
      ],
    },
    {
      source: "oauth/login.ts",
      noticedBy: ["oauth"],
      mutants: [
        [
          "login-accepts-any-state",
          "EXT-911",
          "others.length === 0 && isSame(state, login.state)",
          "others.length === 0",
        ],
        [
          "browser-returns-to-any-place",
          "EXT-911",
          "!LOOPBACK.test(redirectUrl) || !URL.canParse(redirectUrl)",
          "!URL.canParse(redirectUrl)",
        ],
      ],
    },
    {
      source: "elicitation/calls.ts",
      noticedBy: ["elicitation"],
      mutants: [
        [
          "input-that-nobody-gave-repeats-the-call",
          "EXT-912",
          'input.action === "cancel" || request?.method',
          "request?.method",
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
    {
      source: "workspace/servers.ts",
      noticedBy: ["workspace"],
      mutants: [
        [
          "server-of-a-workspace-runs-unasked",
          "EXT-010",
          'if (decision === "allowed") servers',
          'if (decision !== "denied") servers',
        ],
      ],
    },
    {
      source: "workspace/decisions.ts",
      noticedBy: ["workspace"],
      mutants: [
        [
          "changed-entry-keeps-its-answer",
          "EXT-010",
          "return stored?.hash === entry.hash ? stored.decision : undefined;",
          "return stored?.decision;",
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
          "coreNames.has(canonicalToolName(server)) ? NO_ALIASES : [server]",
          "[server]",
        ],
      ],
    },
    {
      source: "turn/mentioned-resources.ts",
      noticedBy: ["turn/mentioned-resources"],
      mutants: [
        [
          "message-of-anybody-reads-resources",
          "EXT-365",
          "const isOfOwner = origin.senderIsOwner && (",
          "const isOfOwner = (",
        ],
      ],
    },
    {
      source: "offer/deferral.ts",
      noticedBy: ["offer/tool-search"],
      mutants: [
        [
          "definitions-are-deferred-where-tool-search-is-denied",
          "TURN-067",
          "if (!scope.isAllowed(search.policyTool)) return tools;",
          "if (false) return tools;",
        ],
      ],
    },
  ]),
];
