import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { canonicalJson, defined, sha256 } from "@openclaw/foundation";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { GrantScope } from "@openclaw/store/decisions";
import { programPath } from "./commands/program-path.js";
import { certainFolders } from "./prefix/folders.js";
import { scriptOf } from "./prefix/script.js";
import type { ApprovalRequest } from "./request.js";

/** Scope and key of a grant when the approver chooses nothing else (APPR-021). */
export interface GrantKey {
  readonly scope: GrantScope;
  /** SHA-256 of the covered call, in hexadecimal. */
  readonly key: string;
  /** Covered calls, as the object of "Always allow" (APPR-056): for example `write in /srv/data and the folders below it`. */
  readonly covers: string;
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
  const { kind } = request;
  switch (kind) {
    case "tool":
      return toolGrant(request);
    case "plugin":
      return await pluginGrant(request, digest, place);
    case "exec": {
      const command = await commandOf(request, place);
      const key = keyOf({ kind, tool: request.toolName, ...command });
      const unchanged = command.scripts === undefined ? "" : " while its script is unchanged";
      return { scope: "requester", key, covers: `exactly this command${unchanged}` };
    }
  }
}

function toolGrant({
  toolName: tool,
  grantKey,
  covers,
  coversBelow = false,
}: ApprovalRequest): GrantKey {
  const kind = "tool";
  const scope = "session";
  const wholeTool = keyOf({ kind, tool });
  if (grantKey === undefined) return { scope, key: wholeTool, covers: `every call of ${tool}` };
  const named = covers === undefined ? `calls of ${tool} like this one` : `${tool} ${covers}`;
  if (!coversBelow) return { scope, key: keyOf({ kind, tool, grantKey }), covers: named };
  const [key = "", ...folders] = foldersUp(grantKey).map((folder) => keyOf({ kind, tool, folder }));
  // Earlier versions granted the whole tool; such a grant holds until it expires or is removed (HOST-060).
  return { scope, key, covers: named, wider: [...folders, wholeTool] };
}

/** A plugin chooses how much its key covers; where the shell asks too, the grant covers this command only. */
async function pluginGrant(
  request: ApprovalRequest,
  digest: string,
  place: CommandPlace,
): Promise<GrantKey> {
  const { toolName, pluginId, alsoRequestedBy = [], grantKey, ownNeed = "never" } = request;
  const plugins = [pluginId, ...alsoRequestedBy];
  const covered = grantKey === undefined ? { digest } : { grantKey };
  const asksItself = request.command !== undefined && ownNeed !== "never";
  const command = asksItself ? await commandOf(request, place) : {};
  const key = keyOf({ kind: "plugin", plugins, tool: toolName, ...covered, ...command });
  const names = plugins.filter((plugin) => plugin !== undefined).join(" and ");
  const covers =
    asksItself || grantKey === undefined
      ? `exactly this call of ${toolName}`
      : `calls of ${toolName} that ${names} treats like this one`;
  return { scope: "requester", key, covers };
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
  const scripts = await scriptsOf(command, workdir, workspaceDir);
  const resolved = { params, workdir, programs: programs.map((program) => program ?? null) };
  return { ...resolved, ...defined({ scripts: scripts.length === 0 ? undefined : scripts }) };
}

/** Returns the content of the project scripts that a command runs, as digests. */
async function scriptsOf(
  command: ParsedCommand | undefined,
  workdir: string,
  workspaceDir: string,
): Promise<readonly string[]> {
  const literal = command?.literal;
  if (literal === undefined) return [];
  const folders = await certainFolders(literal, workdir);
  const workspace = await realpath(workspaceDir).catch(() => workspaceDir);
  const found: string[] = [];
  for (const [index, { programs }] of literal.pipelines.entries()) {
    for (const { program, arguments: words } of programs) {
      const name = program.slice(program.lastIndexOf("/") + 1);
      const script = await scriptOf([name, ...words], folders[index], workspace);
      if (typeof script === "object") found.push(script.digest);
    }
  }
  return found;
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
