import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Entries, lists, and the memory of decisions. */
export const POLICY_DECISIONS = mutantsOf("packages/tool-policy", [
  {
    source: "decision/cache.ts",
    noticedBy: ["decision/cache"],
    mutants: [
      [
        "decision-for-an-owner-serves-everyone",
        "POL-043",
        "known.senderIsOwner === context.senderIsOwner &&",
        "true &&",
      ],
      [
        "remembered-decision-for-an-owner-serves-everyone",
        "POL-043",
        "(context.senderIsOwner ? 1 : 0) + (context.sandboxed ? 2 : 0)",
        "(context.sandboxed ? 2 : 0)",
      ],
      [
        "decision-for-a-sandbox-serves-the-host",
        "POL-043",
        "known.sandboxed === context.sandboxed &&",
        "true &&",
      ],
      [
        "decision-for-one-sender-serves-another",
        "POL-043",
        "known.senderId === context.senderId &&",
        "true &&",
      ],
      [
        "remembered-decision-for-one-sender-serves-another",
        "POL-043",
        "field(context.senderId),",
        "",
      ],
      [
        "decision-for-one-run-serves-another",
        "POL-043",
        "sameTexts(known.runAllow, context.runAllow) &&",
        "true &&",
      ],
      [
        "remembered-decision-for-one-run-serves-another",
        "POL-043",
        "listField(context.runAllow),",
        "",
      ],
      [
        "changed-context-keeps-its-decision",
        "POL-043",
        "scene = { context: copyContext(context), rules",
        "scene = { context, rules",
      ],
      [
        "cache-is-unbounded",
        "POL-043",
        "if (this.#size > DECISION_CACHE_SIZE) this.#forgetOldest();",
        "",
      ],
    ],
  },
  {
    source: "decision/tool-memory.ts",
    noticedBy: ["decision/cache"],
    mutants: [
      [
        "decision-for-one-plugin-serves-another",
        "POL-043",
        "known.pluginId === tool.pluginId &&",
        "true &&",
      ],
      [
        "decision-for-an-owner-tool-serves-another",
        "POL-043",
        "known.ownerOnly === tool.ownerOnly &&",
        "true &&",
      ],
      [
        "decision-for-an-optional-tool-serves-another",
        "POL-043",
        "known.optional === tool.optional &&",
        "true &&",
      ],
    ],
  },
  {
    source: "decision/acl.ts",
    noticedBy: ["decision/acl"],
    mutants: [
      [
        "block-is-ignored",
        "SAFE-053",
        'if (blocked !== undefined) return { allowed: false, decidedBy: "block", entry: blocked };',
        "",
      ],
      [
        "allow-list-admits-everyone",
        "SAFE-053",
        'return { allowed: false, decidedBy: "mode" };',
        'return { allowed: true, decidedBy: "mode" };',
      ],
      ["empty-entry-matches-everyone", "SAFE-053", 'if (expected === "") return false;', ""],
    ],
  },
  {
    source: "configuration/groups.ts",
    noticedBy: ["configuration/group-policies"],
    mutants: [
      [
        "denied-tool-is-allowed",
        "SAFE-052",
        "{ node, lists: admitted },",
        "{ node, lists: { ...admitted, deny: [] } },",
      ],
      [
        "approval-is-lost",
        "SAFE-052",
        "{ node, lists: admitted },",
        "{ node, lists: { ...admitted, requireApproval: [] } },",
      ],
      [
        "tool-that-needs-approval-is-denied",
        "SAFE-052",
        "allow.length === 0 ? lists : { ...lists, allow: [...allow, ...requireApproval] }",
        "lists",
      ],
      [
        "list-of-tools-that-need-approval-denies-others",
        "SAFE-052",
        "allow.length === 0 ? lists : { ...lists, allow: [...allow, ...requireApproval] }",
        "{ ...lists, allow: [...allow, ...requireApproval] }",
      ],
      [
        "disabled-policy-counts",
        "SAFE-052",
        "\n    .filter(({ value }) => value.enabled !== false)",
        "",
      ],
      [
        "policy-of-another-group-counts",
        "SAFE-052",
        "when: { channel, groupId: group }",
        'when: { channel, groupId: "*" }',
      ],
      [
        "policy-of-another-channel-counts",
        "SAFE-052",
        "when: { channel, groupId: group }",
        "when: { groupId: group }",
      ],
      [
        "only-the-first-policy-counts",
        "SAFE-052",
        "value.enabled !== false)\n",
        "value.enabled !== false)\n    .slice(0, 1)\n",
      ],
      [
        "only-the-last-policy-counts",
        "SAFE-052",
        "value.enabled !== false)\n",
        "value.enabled !== false)\n    .slice(-1)\n",
      ],
      [
        "policy-replaces-the-rules-of-the-group",
        "SAFE-052",
        '{ layer: "group", when: { channel',
        '{ layer: "group", slot: "group", when: { channel',
      ],
    ],
  },
  {
    source: "configuration/channel-access.ts",
    noticedBy: ["configuration/channel-access"],
    mutants: [
      ["broken-access-list-admits-everyone", "SAFE-053", ": NO_ONE;", ": EVERYONE;"],
      [
        "channel-in-capital-letters-has-no-access-list",
        "SAFE-053",
        "this.#lists.get(normalizeName(channel))",
        "this.#lists.get(channel)",
      ],
      [
        "access-list-of-a-channel-in-capital-letters-is-lost",
        "SAFE-053",
        "this.#lists.set(normalizeName(channel), list);",
        "this.#lists.set(channel, list);",
      ],
    ],
  },
  {
    source: "matching/entry.ts",
    noticedBy: ["matching/entry-list", "configuration/layers", "policy/policy"],
    mutants: [
      [
        "alias-is-another-tool",
        "POL-017",
        "const name = canonicalToolName(text);",
        "const name = text;",
      ],
      [
        "tool-name-stands-for-a-plugin",
        "POL-019",
        'if (knownNames.has(name)) return { kind: "name", text: name, name };',
        "",
      ],
      [
        "entries-are-unbounded",
        "POL-037",
        "if (value.length > MAXIMUM_ENTRY_LENGTH) {",
        "if (false) {",
      ],
      [
        "entries-hold-control-characters",
        "POL-037",
        'if (/\\p{Cc}/u.test(value)) return { fault: "expected no control characters" };',
        "",
      ],
    ],
  },
  {
    source: "matching/entry-list.ts",
    noticedBy: ["matching/entry-list"],
    mutants: [
      [
        "write-does-not-cover-edit",
        "POL-020",
        "if (direct !== undefined || tool.impliedBy === undefined) return direct;",
        "if (direct !== undefined || true) return direct;",
      ],
      [
        "plugin-does-not-name-its-tools",
        "POL-019",
        "return tool.pluginId === undefined ? undefined : this.#index.ofPlugin(tool.pluginId)[0];",
        "return undefined;",
      ],
    ],
  },
  {
    source: "explanation/denial-text.ts",
    noticedBy: ["explanation/denial-text"],
    mutants: [
      [
        "denial-holds-control-characters",
        "POL-029",
        "return `Tool ${printable(denial.tool)}",
        "return `Tool ${denial.tool}",
      ],
      [
        "denial-holds-control-characters-of-a-rule",
        "POL-029",
        'printable(decidedBy.rule ?? "not in the allow list")',
        'decidedBy.rule ?? "not in the allow list"',
      ],
    ],
  },
  {
    source: "configuration/rules.ts",
    noticedBy: ["configuration/layers", "configuration/agents"],
    mutants: [
      [
        "allow-and-also-allow-stand-together",
        "POL-021",
        "if (lists.allow !== undefined && lists.alsoAllow !== undefined) {",
        "if (false) {",
      ],
      [
        "own-file-of-an-agent-allows-more",
        "POL-011",
        "return { node, lists: kept };",
        "return rules;",
      ],
    ],
  },
]);
