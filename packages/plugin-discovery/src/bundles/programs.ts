import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { canonicalJson } from "@openclaw/foundation";
import type { BundleHookHandler } from "@openclaw/plugin-sdk/services";
import type { Bundle } from "./bundle.js";
import { fieldsOf, pathIn, textsOf } from "./files.js";

/** Longest text of a program that is shown whole, in characters. */
const LONGEST_SHOWN = 300;

/** Programs and hosts of a bundle, as lines for consent. */
export interface BundleUses {
  /** Programs of hooks and of MCP servers, each with a digest of its definition and of the scripts that it names. */
  readonly programs: readonly string[];
  /** Hosts of hooks and of MCP servers. */
  readonly hosts: readonly string[];
  /** Variables of the gateway that servers receive. */
  readonly variables: readonly string[];
}

/**
 * Returns the programs that a bundle runs and the hosts that it reaches. A line of a program changes with its definition and
 * with the scripts of the bundle that it names, so that consent covers exactly these (EXT-534).
 * @param root - real path of its folder
 */
export function usesOf({ hooks, mcpServers }: Bundle, root: string): BundleUses {
  const programs: string[] = [];
  const hosts: string[] = [];
  for (const hook of hooks) {
    const { type, command, args, url, prompt, server, tool } = hook.handler;
    if (type === "command") {
      const text = [String(command), ...textsOf(args)].join(" ");
      programs.push(line(`hook ${titleOf(hook)}: ${text}`, hook, text, root));
    } else if (type === "prompt") {
      programs.push(line(`hook ${titleOf(hook)}: asks a model: ${String(prompt)}`, hook, "", root));
    } else if (type === "agent") {
      programs.push(
        line(`hook ${titleOf(hook)}: runs an agent: ${String(prompt)}`, hook, "", root),
      );
    } else if (type === "mcp_tool") {
      const text = `calls the tool ${String(tool)} of MCP server ${String(server)}`;
      programs.push(line(`hook ${titleOf(hook)}: ${text}`, hook, "", root));
    } else hosts.push(...hostOf(url));
  }
  for (const [name, entry] of Object.entries(mcpServers)) {
    const { command, args, url } = fieldsOf(entry);
    if (typeof command === "string") {
      const text = [command, ...textsOf(args)].join(" ");
      programs.push(line(`MCP server ${name}: ${text}`, entry, text, root));
    } else hosts.push(...hostOf(url));
  }
  return { programs, hosts: [...new Set(hosts)], variables: variablesOf(mcpServers) };
}

const OWN_VARIABLES = /^(?:CLAUDE_|CURSOR_)?PLUGIN_(?:ROOT|DATA)$|^extensionPath$/;

function variablesOf(servers: Bundle["mcpServers"]): readonly string[] {
  const found = JSON.stringify(servers).matchAll(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/g);
  const names = [...found].flatMap(([, name = ""]) => (OWN_VARIABLES.test(name) ? [] : name));
  return [...new Set(names)].sort();
}

function titleOf({ event, matcher }: BundleHookHandler): string {
  return matcher === undefined ? event : `${event} (${matcher})`;
}

/** In a permission `*` stands for any text, which a command must not. */
function line(shown: string, definition: unknown, command: string, root: string): string {
  const hash = createHash("sha256").update(canonicalJson(definition));
  for (const script of scriptsOf(command, root)) hash.update("\0").update(readFileSync(script));
  const text = shown.replaceAll("*", "﹡").replaceAll(/\s+/g, " ");
  const more = text.length - LONGEST_SHOWN;
  const cut = more > 0 ? `${text.slice(0, LONGEST_SHOWN)}… (${more} more characters)` : text;
  return `${cut} [sha256:${hash.digest("hex").slice(0, 16)}]`;
}

/** Returns the files of the bundle that a command names. */
function scriptsOf(command: string, root: string): readonly string[] {
  const words = command
    .replaceAll(/\$\{?(?:CLAUDE_PLUGIN_ROOT|CURSOR_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\}?/g, ".")
    .split(/[\s"'`;|&()<>=]+/);
  return [...new Set(words)].flatMap((word) => {
    const path = word === "" || !/[./\\]/.test(word) ? undefined : pathIn(root, word);
    if (path === undefined) return [];
    return statSync(path).isFile() ? path : [];
  });
}

function hostOf(url: unknown): readonly string[] {
  const host = typeof url === "string" ? URL.parse(url)?.hostname : undefined;
  return host === undefined || host === "" ? [] : [host];
}
