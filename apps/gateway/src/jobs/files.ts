import { writeFile } from "node:fs/promises";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows, timeOf } from "../shell/table.js";
import { UsageError } from "../shell/usage-error.js";

/**
 * Runs `openclaw jobs files`.
 * @param jobId - ID of the job, or the beginning of it
 * @param options - format
 * @param context - terminal and environment
 */
export async function jobFilesCommand(
  jobId: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const found = await withGatewayMethods(context, (call) => call("jobs.files", { jobId }), "reads");
  if (json) terminal.print(JSON.stringify(found));
  else if (found.files.length === 0) terminal.print("The job has made no files.");
  else {
    const rows = found.files.map(({ path, bytes, modifiedAt }) => [
      path,
      `${bytes}`,
      timeOf(modifiedAt),
    ]);
    printRows(rows, terminal, { titles: ["FILE", "BYTES", "CHANGED"] });
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs file`: prints a file of a job, or saves it.
 * @param jobId - ID of the job, or the beginning of it
 * @param path - path in the workspace of the job
 * @param options - file to write, the terminal when absent; format
 * @param context - terminal and environment
 * @throws UsageError for a saved file as JSON
 */
export async function jobFileCommand(
  jobId: string,
  path: string,
  { output, json = false }: { output?: string; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  if (json && output !== undefined)
    throw new UsageError("--json prints the file; leave --output out");
  const file = await withGatewayMethods(
    context,
    (call) => call("jobs.file", { jobId, path }),
    "reads",
  );
  const content = Buffer.from(file.content, "base64");
  if (json) terminal.print(JSON.stringify(file));
  else if (output === undefined) terminal.print(content.toString("utf8").replace(/\n$/, ""));
  else {
    await writeFile(output, content, { flag: "wx" });
    terminal.print(`Saved ${file.path} (${file.bytes} bytes) as ${output}.`);
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw jobs prompt`.
 * @param jobId - ID of the job, or the beginning of it
 * @param text - further prompt
 * @param options - format
 * @param context - terminal and environment
 */
export async function promptJobCommand(
  jobId: string,
  text: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const job = await withGatewayMethods(context, (call) => call("jobs.prompt", { jobId, text }));
  context.terminal.print(json ? JSON.stringify(job) : "The job reads it with its next step.");
  return EXIT.ok;
}
