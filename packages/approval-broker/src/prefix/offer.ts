import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { canonicalJson, sha256 } from "@openclaw/foundation";
import type { LiteralProgram } from "@openclaw/plugin-sdk/hooks";
import type { GrantPrefix } from "@openclaw/store/decisions";
import { programPath } from "../commands/program-path.js";
import { GrantPrefixRefusedError } from "../errors.js";
import type { CommandPlace } from "../grant-key.js";
import type { ApprovalRequest } from "../request.js";
import { certainFolders } from "./folders.js";
import { grantableWords, isGrantable, proposedLength } from "./proposal.js";
import { scriptOf } from "./script.js";

/** Parameters that do not change what a command runs. */
const PLAIN_PARAMETERS = new Set(["command", "workdir", "timeoutMs", "background"]);

/**
 * Returns the prefixes that a grant can cover, one for each program of a command that needs
 * approval (APPR-021).
 * @param request - approval request of the call, with the programs that no table and no rule covers
 * @param place - location where commands run
 * @param isSandboxed - true where commands can run in the workspace-writable sandbox
 * @returns undefined where a grant covers the exact command only
 */
export async function grantPrefixes(
  { command, grantable, params, cause }: ApprovalRequest,
  place: CommandPlace,
  isSandboxed: boolean,
): Promise<readonly GrantPrefix[] | undefined> {
  const literal = command?.literal;
  if (literal === undefined || grantable === undefined || cause.kind !== "tool") return undefined;
  if (Object.keys(params).some((name) => !PLAIN_PARAMETERS.has(name))) return undefined;
  const programs = literal.pipelines.flatMap(({ programs }) => programs);
  if (programs.some(writesOrReadsFile)) return undefined;
  const workspace = await realpath(place.workspaceDir).catch(() => undefined);
  if (workspace === undefined) return undefined;
  const workdir = typeof params.workdir === "string" ? params.workdir : ".";
  const folders = await certainFolders(literal, resolve(workspace, workdir));
  const offered: GrantPrefix[] = [];
  let position = 0;
  for (const [index, pipeline] of literal.pipelines.entries()) {
    for (const program of pipeline.programs) {
      const uncovered = grantable.uncovered.indexOf(position);
      if (uncovered !== -1) {
        const reach = grantable.reach[uncovered] ?? "exact";
        // Without the sandbox nothing bounds the words of a program whose options nobody knows.
        if (reach === "exact" || (reach === "sandbox" && !isSandboxed)) return undefined;
        const prefix = await prefixOf(program, reach, folders[index], workspace, place.path);
        if (prefix === undefined) return undefined;
        offered.push(prefix);
      }
      position += 1;
    }
  }
  return offered.length === 0 ? undefined : offered;
}

async function prefixOf(
  { program, arguments: words }: LiteralProgram,
  reach: number | "sandbox",
  folder: string | undefined,
  workspace: string,
  path: string,
): Promise<GrantPrefix | undefined> {
  const file = await programPath(program, { path, workdir: workspace });
  if (file === undefined) return undefined;
  const all = [program.slice(program.lastIndexOf("/") + 1), ...words];
  const script = await scriptOf(all, folder, workspace);
  const grantable = grantableWords(all, script);
  if (script === "unknown" || grantable.length === 0) return undefined;
  const proposed = proposedLength(grantable, script);
  if (proposed === undefined) return undefined;
  const offered = { words: grantable, file, workspace, script };
  if (reach === "sandbox") return { ...offered, proposed };
  const length = Math.max(proposed, reach);
  return length > grantable.length ? undefined : { ...offered, proposed: length, least: reach };
}

/**
 * Returns the keys of every grant that covers a program, the narrowest first.
 * @param prefix - prefix of the program
 */
export function coveringKeys(prefix: GrantPrefix): readonly string[] {
  return prefix.words
    .map((_, index) => index + 1)
    .filter((length) => isGrantable(length, prefix))
    .map((length) => prefixKey(prefix, length))
    .reverse();
}

/** Prefix that is about to be granted. */
export interface ChosenPrefix {
  readonly key: string;
  /** Label for display, for example `docker compose up …`. */
  readonly label: string;
}

/**
 * Returns the prefixes that a decision grants: the proposed ones, or as the approver edited them
 * (APPR-021).
 * @param code - code of the approval request, for messages
 * @param offered - prefixes of the request
 * @param edited - prefixes as the approver wrote them, each for one of the programs
 * @throws GrantPrefixRefusedError when one is not the start of a program's words, or grants too
 *   much
 */
export function choosePrefixes(
  code: string,
  offered: readonly GrantPrefix[],
  edited: readonly string[] = [],
): readonly ChosenPrefix[] {
  const written = edited.map((text) => text.trim().split(/\s+/));
  const used = new Set<readonly string[]>();
  const chosen = offered.map((prefix) => {
    const own = written.find((words) => words.every((word, at) => word === prefix.words[at]));
    if (own !== undefined) used.add(own);
    const length = own?.length ?? prefix.proposed;
    if (!isGrantable(length, prefix)) {
      const text = prefix.words.slice(0, length).join(" ");
      throw new GrantPrefixRefusedError(code, text, "it would grant too much");
    }
    const label = prefix.words.slice(0, length).join(" ");
    const limits = [
      ...(prefix.script === undefined ? [] : ["while its script is unchanged"]),
      ...(isBoundBySandbox(prefix) ? ["in the sandbox"] : []),
    ];
    const limited = limits.length === 0 ? "" : ` (${limits.join(", ")})`;
    return { key: prefixKey(prefix, length), label: `${label} …${limited}` };
  });
  const stray = written.find((words) => !used.has(words));
  if (stray !== undefined) {
    const problem = "no program that needs approval here starts with these words";
    throw new GrantPrefixRefusedError(code, stray.join(" "), problem);
  }
  return [...new Map(chosen.map((each) => [each.key, each])).values()];
}

/**
 * Returns whether a grant covers further commands in the workspace-writable sandbox only, because
 * the options that may follow the prefix are unknown.
 * @param prefix - prefix of a program; requests of earlier versions contain no `least`
 */
export function isBoundBySandbox({ least }: GrantPrefix): boolean {
  return least === undefined;
}

/** Grants of earlier versions have keys of another kind, because they covered any words. */
function prefixKey(offered: GrantPrefix, length: number): string {
  const { words, file, workspace, script } = offered;
  const kind = isBoundBySandbox(offered) ? "exec-prefix-sandboxed" : "exec-prefix-checked";
  const prefix = words.slice(0, length);
  return sha256(canonicalJson({ kind, workspace, file, prefix, script: script?.digest ?? null }));
}

function writesOrReadsFile({ redirections }: LiteralProgram): boolean {
  return redirections.some(({ operator, target }) => operator !== ">&" && target !== "/dev/null");
}
