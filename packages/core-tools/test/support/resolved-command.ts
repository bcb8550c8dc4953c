import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { LiteralCommand } from "@openclaw/safety";

/**
 * Resolves the programs of a command in the PATH of the process, as the host does when it authorizes one.
 * @param command - a literal command
 */
export function resolvedCommand({ pipelines }: LiteralCommand): LiteralCommand {
  return {
    pipelines: pipelines.map(({ after, programs }) => ({
      after,
      programs: programs.map((program) => ({ ...program, program: fileOf(program.program) })),
    })),
  };
}

function fileOf(name: string): string {
  if (name === "cd" || name.includes("/")) return name;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.find((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`there is no program ${name}`);
  return join(found, name);
}
