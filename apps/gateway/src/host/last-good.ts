import {
  ConfigurationError,
  type LoadedConfiguration,
  loadConfiguration,
} from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { findLastGood, stateFolderAt } from "@openclaw/gateway";
import { EXTENSION_CHECKS, loadFileConfiguration } from "../configuration.js";
import { configurationFileOf, installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";

/** Configuration of a start. */
export interface StartConfiguration {
  readonly configuration: LoadedConfiguration;
  /** Errors of the file, when the last good configuration is used instead. */
  readonly lastGoodInsteadOf?: string | undefined;
}

/**
 * Loads the configuration for a start. When the file is not valid and the last good configuration is kept,
 * the operator is told how to see the difference, to start with it, and to restore it; it is never used
 * without `--last-good` or a yes at the terminal (GW-006).
 * @param acceptLastGood - true with `--last-good`
 * @param context - terminal and environment
 * @throws ConfigurationError when neither is used
 */
export async function startConfiguration(
  acceptLastGood: boolean,
  { terminal, environment }: CommandContext,
): Promise<StartConfiguration> {
  try {
    return { configuration: await loadFileConfiguration(environment) };
  } catch (error) {
    const file = configurationFileOf(environment);
    const kept = findLastGood(stateFolderAt(stateDirOf(environment)), file);
    if (kept === undefined || !ConfigurationError.isInstance(error)) throw error;
    const time = timeOf(kept.savedAt);
    if (!acceptLastGood) await offer(error, { ...kept, time, original: file }, terminal);
    const options = { checks: EXTENSION_CHECKS, environment };
    const configuration = await loadConfiguration(kept.file, options);
    terminal.note(
      `openclaw: started with the last good configuration, of ${time}, because ${file} is not valid; the file is applied as soon as it is valid`,
    );
    return { configuration, lastGoodInsteadOf: errorMessage(error) };
  }
}

/** Returns when the operator accepts the offer at the terminal. */
async function offer(
  { problems }: ConfigurationError,
  kept: { readonly file: string; readonly time: string; readonly original: string },
  terminal: Terminal,
): Promise<void> {
  const { command } = installation;
  const advice = `Fix the file and check it with \`${command} config validate\`. The last configuration that worked, of ${kept.time}, is kept:
  see what changed:  diff ${kept.file} ${kept.original}
  start with it:     ${command} run --last-good
  put it back:       ${command} config restore (your file is kept as ${kept.original}.bak.1)`;
  const refused = new ConfigurationError(problems, advice);
  if (!terminal.isInteractive) throw refused;
  terminal.note(`openclaw: ${refused.message}`);
  const input = terminal.openInput();
  try {
    const answer = await input.question("Start with it now? Your file stays as it is. [y/N] ");
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new ConfigurationError(problems, "Not started.");
  } finally {
    input.close();
  }
}
