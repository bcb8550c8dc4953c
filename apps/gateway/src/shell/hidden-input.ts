import process, { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { EXIT } from "./exit-code.js";

/**
 * Asks for a line at the terminal without showing what is typed.
 * @param prompt - text before the input
 */
export async function askHidden(prompt: string): Promise<string> {
  stdout.write(prompt);
  // Line editing echoes to its output, which goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  input.once("SIGINT", () => {
    stdout.write("\n");
    process.exit(EXIT.interrupted);
  });
  try {
    return await input.question("");
  } finally {
    input.close();
    stdout.write("\n");
  }
}
