import type { BundleHookHandler } from "@openclaw/plugin-sdk/services";

/** Formats of bundles that this host reads. */
export type BundleFormat = "claude" | "codex" | "cursor" | "gemini" | "agent-plugins";

/** Effect of a part of a bundle on this host. */
export interface BundlePart {
  /** Kind of the part, for example `skills`, `command` or `hook`. */
  readonly kind: string;
  readonly name: string;
  readonly status: "works" | "mapped" | "unsupported";
  /** Counterpart, or the reason why it has no effect; absent when it works as it is. */
  readonly reason?: string;
}

/** File of a bundle that describes a command or an agent. */
export interface BundleFile {
  /** Name within the bundle, in lower case, with `-` for the folders above it. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Plugin of another tool, which consists of files instead of code that registers (EXT-530). */
export interface Bundle {
  readonly format: BundleFormat;
  /** Absolute path of the file that names it; absent for a folder with only the parts. */
  readonly marker?: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Folders of skills, relative to the bundle. */
  readonly skills: readonly string[];
  /** Prompts that become slash commands. */
  readonly commands: readonly BundleFile[];
  /** Descriptions of agents that become kinds of subagents. */
  readonly agents: readonly BundleFile[];
  /** MCP servers by name, as they are written. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** Handlers of hooks at events that this host has. */
  readonly hooks: readonly BundleHookHandler[];
  /** Files whose text belongs to every prompt, as absolute paths. */
  readonly context: readonly string[];
  /** Parts that have no effect on this host. */
  readonly unsupported: readonly BundlePart[];
}

/** A bundle, or the reason why it cannot be used as a part of a sentence after the path of the file. */
export type FoundBundle =
  | { readonly bundle: Bundle }
  | { readonly file: string; readonly problem: string };
