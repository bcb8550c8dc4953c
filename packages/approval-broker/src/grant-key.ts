import { dirname, resolve } from "node:path";
import { canonicalJson, defined, sha256 } from "@openclaw/foundation";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { GrantScope } from "@openclaw/store/decisions";
import { programPath } from "./program-path.js";
import type { ApprovalRequest } from "./request.js";

/** Scope and key of a grant when the approver chooses nothing else (APPR-021). */
export interface GrantKey {
  readonly scope: GrantScope;
  /** SHA-256 of the covered call, in hexadecimal. */
  readonly key: string;
  /**
   * Keys of grants that cover more than this call, the narrowest first: of a folder, those of the folders
   * above it, and of the whole tool, which earlier versions granted.
   */
  readonly wider?: readonly string[] | undefined;
}

/**
 * Key of elevated mode, which covers every tool of a session whose need is not `always` (SAFE-054).
 */
export const ELEVATED_KEY = sha256("elevated");

/** Location where commands run, which decides the programs that their words name. */
export interface CommandPlace {
  /** Value of `PATH`. */
  readonly path: string;
  readonly workspaceDir: string;
  /** Additional folders that the agent's tools can write, as absolute paths. */
  readonly roots?: readonly string[];
}

/**
 * Returns the key under which a call is granted. It covers a tool in its session, or the part of its calls that the tool
 * names, such as those for a folder and below it; a command with its programs, arguments and folder; or the calls to which
 * a plugin gives one grant key.
 * @param request - approval request of the call
 * @param digest - digest of the call
 * @param place - location where commands run
 */
export async function grantKeyOf(
  request: ApprovalRequest,
  digest: string,
  place: CommandPlace,
): Promise<GrantKey> {
  const { kind, toolName, pluginId, alsoRequestedBy = [], grantKey, ownNeed = "never" } = request;
  const { coversBelow = false } = request;
  switch (kind) {
    case "tool": {
      if (grantKey === undefined || !coversBelow) {
        return { scope: "session", key: keyOf({ kind, tool: toolName, ...defined({ grantKey }) }) };
      }
      const [key = "", ...folders] = foldersUp(grantKey).map((folder) =>
        keyOf({ kind, tool: toolName, folder }),
      );
      // Earlier versions granted the whole tool; such a grant holds until it expires or is removed (HOST-060).
      return { scope: "session", key, wider: [...folders, keyOf({ kind, tool: toolName })] };
    }
    case "plugin": {
      const plugins = [pluginId, ...alsoRequestedBy];
      const covered = grantKey === undefined ? { digest } : { grantKey };
      // A plugin chooses how much its key covers; where the shell asks too, the grant covers this
      // command only.
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

/**
 * Returns the parts of a command that a grant binds: parameters, folder, and the real paths of its
 * programs.
 */
async function commandOf(
  { command, params: { timeoutMs: _any, ...params } }: ApprovalRequest,
  { path, workspaceDir }: CommandPlace,
) {
  const { workdir: below } = params;
  const workdir = resolve(workspaceDir, typeof below === "string" ? below : ".");
  const programs = await Promise.all(
    // A program that moved counts as a different program.
    wordsOf(command).map(async (word) =>
      word === undefined ? undefined : await programPath(word, { path, workdir }),
    ),
  );
  return { params, workdir, programs: programs.map((program) => program ?? null) };
}

/** Returns a folder and the folders above it, up to the root. */
function foldersUp(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

function wordsOf(command: ParsedCommand | undefined): readonly (string | undefined)[] {
  return (command?.commands ?? []).flatMap(({ wrappers, program }) => [...wrappers, program]);
}

function keyOf(covered: object): string {
  return sha256(canonicalJson(covered));
}
