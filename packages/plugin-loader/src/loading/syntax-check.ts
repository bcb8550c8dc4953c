import { execFile } from "node:child_process";
import { headlinePlace } from "./stack-location.js";

/** Time for the check of one file, in milliseconds. */
const CHECK_MS = 5_000;

/**
 * Returns the place of a syntax error in a module, from a process of Node that parses the file and runs nothing.
 * @param file - absolute path of a module in JavaScript, or in TypeScript as Node reads it
 * @returns file and line; undefined for a module without a syntax error
 */
export async function syntaxErrorIn(file: string): Promise<string | undefined> {
  const complaint = await new Promise<string>((resolve) => {
    const options = { timeout: CHECK_MS };
    execFile(process.execPath, ["--check", file], options, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
  // TypeScript that Node does not read is compiled by jiti.
  if (complaint.includes("ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")) return undefined;
  return complaint.includes("SyntaxError") ? headlinePlace(complaint) : undefined;
}
