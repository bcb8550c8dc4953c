import { anchored } from "../detector.js";
import { policyActions } from "../policy-actions.js";
import type { PolicyRule } from "../rule.js";

const PLAIN_SUFFIX = "example|template|sample";

/** Paths that a tool's parameters should not name (SAFE-037). */
export const PATH_RULES: readonly PolicyRule[] = [
  {
    kind: "policy",
    id: "system_file_access",
    title: "file with accounts or credentials",
    reason:
      "The file contains accounts, keys or the environment of a process; no task of an agent needs it.",
    severity: "critical",
    actions: policyActions("block"),
    detector: anchored(
      [
        "/etc/passwd",
        "/etc/shadow",
        "/proc/[a-z0-9]",
        "\\.ssh[/\\\\]",
        "\\.aws[/\\\\]",
        "\\.docker[/\\\\]",
        "\\.kube[/\\\\]",
        "\\.gnupg[/\\\\]",
        "\\.netrc",
      ],
      /\/etc\/(?:passwd|shadow)(?![A-Za-z0-9_])|\/proc\/(?:self|thread-self|\d{1,10})\/(?:environ|cmdline)(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])\.(?:ssh[/\\]|aws[/\\](?:credentials|config)|docker[/\\]config\.json|kube[/\\]config|gnupg[/\\]|netrc(?![A-Za-z0-9_]))/iy,
    ),
    examples: {
      match: [
        "cat /etc/passwd",
        "~/.ssh/id_rsa",
        "/proc/self/environ",
        "C:\\Users\\me\\.aws\\credentials",
      ],
      clean: ["/etc/hostname", "/proc/cpuinfo", "https://my.ssh.example/", ".netrcs"],
    },
  },
  {
    kind: "policy",
    id: "dotenv_access",
    title: "environment file",
    reason: "Files named .env contain the secrets of a project.",
    severity: "critical",
    actions: policyActions("block"),
    detector: anchored(
      ["\\.env"],
      new RegExp(
        `(?<![A-Za-z0-9_.?)\\]-])\\.env(?!\\.(?:${PLAIN_SUFFIX})(?![A-Za-z0-9_.-]|[/\\\\][A-Za-z0-9_.-]))(?:\\.[A-Za-z0-9_-]{1,64})*(?![A-Za-z0-9_-])`,
        "iy",
      ),
    ),
    examples: {
      match: ["/app/.env", ".env.production", ".env.production.dist", ".env.sample/db"],
      clean: [".env.example", "process.env.HOME", ".envrc", ".environment", "prod.env"],
    },
  },
  {
    kind: "policy",
    id: "path_traversal",
    title: "step to the parent folder",
    reason: "It can lead out of the workspace; the real path decides, and the text is only a hint.",
    severity: "medium",
    actions: policyActions("warn"),
    detector: anchored(
      ["\\.\\.[/\\\\%]", "%2e", "%252e", "\\.%2e", "\\.%252e"],
      /(?<!\.)(?:\.|%(?:25)?2e){2}(?:[/\\]|%(?:25)?(?:2f|5c))/iy,
    ),
    examples: {
      match: ["../../secret", "..\\secret", "%2e%2e%2fsecret", "%252e%252e/secret", "..%2fsecret"],
      clean: ["a..b", ".../spread"],
    },
  },
];
