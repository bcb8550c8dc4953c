import { stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import type { ChatPartner } from "../chat/partner.js";
import { installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/** Options of {@link offerTrust}. */
export interface OfferTrustOptions {
  /** Real path of the workspace. */
  readonly workspaceDir: string;
  readonly partner: Pick<ChatPartner, "call">;
  /** True when the user can be asked. */
  readonly mayAsk: boolean;
}

/**
 * Asks whether to trust a workspace that is not trusted yet; until then its instructions, skills and plugins are not
 * used. Without a person to ask, a note says how to trust it.
 * @param options - workspace and gateway
 * @param context - terminal and environment
 */
export async function offerTrust(
  { workspaceDir, partner, mayAsk }: OfferTrustOptions,
  { terminal, environment }: CommandContext,
): Promise<void> {
  const trusted = new TrustedFolders(stateFolderAt(stateDirOf(environment)).trustedFoldersFile);
  if (trusted.includes(workspaceDir)) return;
  if (!(mayAsk && terminal.isInteractive)) {
    terminal.note(
      `openclaw: ${workspaceDir} is not trusted, so its AGENTS.md, skills and plugins are not used; \`${installation.command} trust\` trusts it`,
    );
    return;
  }
  terminal.print(`Do you trust the files in ${workspaceDir}?`);
  terminal.print(
    "  If you do, its AGENTS.md, skills and plugins are used. Plugins run code on this machine.",
  );
  const input = terminal.openInput();
  try {
    const answer = await input.question("  [y]es or [n]o: ");
    if (!/^\s*y(?:es)?\s*$/i.test(answer)) {
      terminal.print(`  Not trusted. \`${installation.command} trust\` trusts the folder later.`);
      return;
    }
  } finally {
    input.close();
  }
  trusted.add(workspaceDir);
  await partner.call("plugins.reload", {});
}
