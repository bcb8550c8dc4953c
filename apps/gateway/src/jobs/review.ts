import { withGatewayMethods } from "../host/methods.js";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/** Option of every command. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw jobs diff`.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - format
 * @param context - terminal and environment
 */
export async function diffJobCommand(
  jobId: string,
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const found = await withGatewayMethods(context, (call) => call("jobs.diff", { jobId }), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else printChanges(found, context);
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs apply`: shows the changes, and applies exactly these when a person confirms.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - confirmation and format
 * @param context - terminal and environment
 */
export async function applyJobCommand(
  jobId: string,
  { yes = false, json = false }: Format & { yes?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return await withGatewayMethods(context, async (call) => {
    const shown = await call("jobs.diff", { jobId });
    if (!json) printChanges(shown, context);
    if (shown.files.length > 0) {
      const prompt = `Apply ${shown.files.length} changed files to the workspace?`;
      if (!(await confirmed(prompt, { yes, json }, terminal))) return EXIT.negative;
    }
    const { digest } = shown;
    const applied = await call("jobs.apply", { jobId, digest });
    if (json) terminal.print(JSON.stringify(applied));
    else if (applied.files.length > 0) terminal.print(`Applied ${applied.files.length} files.`);
    return EXIT.ok;
  });
}

/**
 * Runs `openclaw jobs gc`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function collectCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const removed = await withGatewayMethods(context, (call) => call("jobs.gc", {}));
  const text = `Removed ${removed.workers} leftovers of workers, and ${removed.copies} copies of workspaces.`;
  terminal.print(json ? JSON.stringify(removed) : text);
  return EXIT.ok;
}

function printChanges(
  {
    files,
    diff,
    isCut,
  }: {
    readonly files: readonly { readonly path: string; readonly isConflict: boolean }[];
    readonly diff: string;
    readonly isCut: boolean;
  },
  { terminal }: CommandContext,
): void {
  if (files.length === 0) terminal.print("The job changed no files.");
  else terminal.print(diff.trimEnd());
  if (isCut) terminal.print("The diff leaves files out; --json lists all of them.");
  for (const { path, isConflict } of files) {
    if (isConflict) terminal.print(`conflict: ${path} changed in the workspace meanwhile`);
  }
}
