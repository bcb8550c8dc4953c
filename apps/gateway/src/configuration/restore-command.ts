import { loadConfiguration } from "@openclaw/configuration";
import { findLastGood, stateFolderAt } from "@openclaw/gateway";
import { restoreLastGood } from "@openclaw/gateway/configuration";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { timeOf } from "../shell/table.js";

/**
 * Runs `openclaw config restore`: writes the last good configuration back.
 * @param options - format
 * @param context - terminal and environment
 * @throws ConfigurationError when the kept configuration is not valid either
 */
export async function restoreCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const file = configurationFileOf(environment);
  const kept = findLastGood(stateFolderAt(stateDirOf(environment)), file);
  if (kept === undefined) {
    const text = `No earlier configuration of ${file} is kept; a gateway keeps one when it starts.`;
    terminal.print(json ? JSON.stringify({ restored: false }) : text);
    return EXIT.negative;
  }
  await loadConfiguration(kept.file, { checks: EXTENSION_CHECKS, environment });
  const files = await restoreLastGood(kept, file);
  const text = `Restored the configuration of ${timeOf(kept.savedAt)}: ${files.join(", ")}. What they replaced is kept as .bak.1 next to each.`;
  terminal.print(json ? JSON.stringify({ restored: true, files }) : text);
  return EXIT.ok;
}
