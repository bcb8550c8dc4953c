import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConversationPartner } from "@openclaw/client/conversation";
import { stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import { installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { wrapAtWords } from "../shell/word-wrap.js";

/** Files and folders of a workspace that are used only when it is trusted. */
const TRUSTED_PARTS = ["AGENTS.md", "CLAUDE.md", "skills", join(".openclaw", "extensions")];

const QUESTION = "  [y]es or [n]o: ";
/** Nothing, which declines, or one of the two words or their letters. */
const ANSWER = /^\s*(?:y|yes|n|no)?\s*$/i;

/** Options of {@link offerTrust}. */
export interface OfferTrustOptions {
  /** Real path of the workspace. */
  readonly workspaceDir: string;
  readonly partner: Pick<ConversationPartner, "call">;
}

/**
 * Asks at the first start in a workspace whether to trust it; until then its instructions, skills and plugins are not
 * used. It is called when the gateway is ready.
 * @param options - workspace and gateway
 * @param context - interactive terminal, and environment
 */
export async function offerTrust(
  { workspaceDir, partner }: OfferTrustOptions,
  { terminal, environment }: CommandContext,
): Promise<void> {
  const trusted = new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile);
  if (trusted.isDecided(workspaceDir)) return;
  const print = (line: string) => terminal.print(wrapAtWords(line, terminal.size?.().columns));
  print(`Do you trust the files in ${workspaceDir}?`);
  print(
    "  If you do, its AGENTS.md, skills and plugins are used. Plugins run code on this machine.",
  );
  const input = terminal.openInput();
  try {
    let answer = await input.question(QUESTION);
    while (!ANSWER.test(answer)) {
      print("  Answer y or n. A message can follow when the chat has started.");
      answer = await input.question(QUESTION);
    }
    const isTrusted = /^\s*y/i.test(answer);
    trusted.decide(workspaceDir, isTrusted);
    if (isTrusted) await partner.call("plugins.reload", {});
    else print(`  Not trusted. \`${installation.command} trust\` trusts it later.`);
  } finally {
    input.close();
  }
}

/**
 * Prints a line when a workspace has parts that are not used because no user was asked to trust it.
 * @param workspaceDir - real path of the workspace
 * @param context - terminal and environment
 */
export function noteUntrusted(
  workspaceDir: string,
  { terminal, environment }: CommandContext,
): void {
  const trusted = new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile);
  if (trusted.isDecided(workspaceDir)) return;
  const parts = TRUSTED_PARTS.filter((name) => existsSync(join(workspaceDir, name)));
  if (parts.length === 0) return;
  terminal.note(
    `openclaw: ${parts.join(", ")} of ${workspaceDir} not used, because the folder is not trusted; run \`${installation.command} trust\` there to trust it`,
  );
}
