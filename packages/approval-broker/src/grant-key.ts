import { resolve } from "node:path";
import { canonicalJson, sha256 } from "@openclaw/foundation";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { GrantScope } from "@openclaw/store/decisions";
import { programPath } from "./program-path.js";
import type { ApprovalRequest } from "./request.js";

/** What a grant covers when nothing else is said (APPR-021). */
export interface GrantKey {
  readonly scope: GrantScope;
  /** SHA-256 in hexadecimal. */
  readonly key: string;
}

/** The key of what lets every tool of a session run that needs no more than a grant (SAFE-054). */
export const ELEVATED_KEY = sha256("elevated");

/** Where commands run: what decides which programs their words name. */
export interface CommandPlace {
  /** The value of PATH. */
  readonly path: string;
  readonly workspaceDir: string;
  /** Further folders that the agent's tools can write, absolute. */
  readonly roots?: readonly string[];
}

/**
 * The key under which a call is granted: a tool in its session; a command with its programs, arguments and
 * folder; what a plugin calls by one grant key.
 * @param request - about the call
 * @param digest - of the call
 * @param place - where commands run
 */
export async function grantKeyOf(
  request: ApprovalRequest,
  digest: string,
  place: CommandPlace,
): Promise<GrantKey> {
  const { kind, toolName, pluginId, alsoRequestedBy = [], grantKey, ownNeed = "never" } = request;
  switch (kind) {
    case "tool":
      return { scope: "session", key: keyOf({ kind, tool: toolName }) };
    case "plugin": {
      const plugins = [pluginId, ...alsoRequestedBy];
      const covered = grantKey === undefined ? { digest } : { grantKey };
      // A plugin's key is wide as the plugin likes; what the shell itself asks about is each command.
      const asksItself = request.command !== undefined && ownNeed !== "never";
      const command = asksItself ? await commandOf(request, place) : {};
      const key = keyOf({ kind, plugins, tool: toolName, ...covered, ...command });
      return { scope: "requester", key };
    }
    case "exec": {
      const command = await commandOf(request, place);
      return { scope: "requester", key: keyOf({ kind, tool: toolName, ...command }) };
    }
  }
}

/** A command as it was allowed: its words, the folder it runs in, and the real programs behind the words. */
async function commandOf(
  { command, params: { timeoutMs: _any, ...params } }: ApprovalRequest,
  { path, workspaceDir }: CommandPlace,
) {
  const { workdir: below } = params;
  const workdir = resolve(workspaceDir, typeof below === "string" ? below : ".");
  const programs = await Promise.all(
    // One that moves is another one.
    wordsOf(command).map(async (word) =>
      word === undefined ? undefined : await programPath(word, { path, workdir }),
    ),
  );
  return { params, workdir, programs: programs.map((program) => program ?? null) };
}

function wordsOf(command: ParsedCommand | undefined): readonly (string | undefined)[] {
  return (command?.commands ?? []).flatMap(({ wrappers, program }) => [...wrappers, program]);
}

function keyOf(covered: object): string {
  return sha256(canonicalJson(covered));
}
