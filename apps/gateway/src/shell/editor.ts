import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./usage-error.js";

/**
 * Returns the editor of the user.
 * @param environment - environment variables
 * @throws UsageError when none is set
 */
export function editorOf(environment: NodeJS.ProcessEnv): string {
  const editor = environment.VISUAL || environment.EDITOR;
  if (editor === undefined || editor === "") {
    throw new UsageError("no editor is set; set VISUAL or EDITOR, for example EDITOR=nano");
  }
  return editor;
}

/**
 * Opens a file in an editor at the terminal of this process, and waits for its end. The shell starts it, because the
 * variable may contain options.
 * @param editor - value of `VISUAL` or `EDITOR`
 * @param file - path
 * @throws UsageError when the editor fails
 */
export async function openEditor(editor: string, file: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new UsageError(`the editor ${editor} ended with status ${String(code)}`);
}

/**
 * Lets the user edit a text in an editor. The text is in a file that only its owner can read, and that is removed.
 * @param text - text to edit
 * @param environment - names the editor
 * @returns text as it was saved, without the line break that editors add to its end
 * @throws UsageError when no editor is set, or it fails
 */
export async function editText(text: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const editor = editorOf(environment);
  const folder = mkdtempSync(join(tmpdir(), "openclaw-input-"));
  const file = join(folder, "input.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await openEditor(editor, file);
    const edited = readFileSync(file, "utf8");
    return text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
