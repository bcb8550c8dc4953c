import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { currentHash, formatProblem, writeConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { editorOf, openEditor } from "../shell/editor.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

import { ChangeInGateway } from "./change-outcome.js";
import { operatorEntryCheck } from "./inspection.js";
import { printWarnings } from "./secret-storage.js";

const FIRST_TEXT = "// Every key: docs/reference/configuration.md\n{\n}\n";

/**
 * Runs `openclaw config edit`: opens a copy of the file in the operator's editor, and writes it back when it
 * is valid. At a terminal an invalid text can be edited again; otherwise the copy is kept.
 * @param options - format
 * @param context - terminal and environment
 * @throws UsageError when no editor is set
 * @throws ConfigurationError when the text is not valid, ConfigurationConflictError when the file changed meanwhile; the
 * copy is kept
 */
export async function editCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const editor = editorOf(environment);
  const file = configurationFileOf(environment);
  const baseHash = await currentHash(file, { environment });
  const before = read(file) ?? FIRST_TEXT;
  const folder = mkdtempSync(join(tmpdir(), "openclaw-config-"));
  const copy = join(folder, basename(file));
  writeFileSync(copy, before, { mode: 0o600 });
  for (;;) {
    await openEditor(editor, copy);
    const text = readFileSync(copy, "utf8");
    if (text === before) {
      rmSync(folder, { recursive: true });
      terminal.print(json ? JSON.stringify({ file, saved: false }) : "Nothing changed.");
      return EXIT.ok;
    }
    try {
      const inGateway = await ChangeInGateway.of(baseHash, environment);
      const { entryWarnings } = await writeConfiguration(file, text, {
        ...{ baseHash, checks: EXTENSION_CHECKS, environment },
        checkEntries: operatorEntryCheck(environment),
        ...inGateway.options,
      });
      rmSync(folder, { recursive: true });
      terminal.print(json ? JSON.stringify({ file, saved: true }) : `Saved ${file}.`);
      if (!json) printWarnings(entryWarnings.map(formatProblem), terminal);
      return EXIT.ok;
    } catch (error) {
      if (terminal.isInteractive && !json) {
        terminal.note(`openclaw: ${errorMessage(error)}`);
        if (await again(terminal)) continue;
      }
      terminal.note(`openclaw: nothing was saved; your text is in ${copy}`);
      throw error;
    }
  }
}

async function again(terminal: CommandContext["terminal"]): Promise<boolean> {
  const input = terminal.openInput();
  try {
    return !/^n/i.test((await input.question("Edit again? [Y/n] ")).trim());
  } finally {
    input.close();
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
