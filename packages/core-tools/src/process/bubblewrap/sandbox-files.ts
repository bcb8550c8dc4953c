import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { syscallFilter } from "./syscall-filter.js";

/** Files of the host for the sandbox of one command. */
export interface SandboxFiles {
  /**
   * File with the account of the host's user alone, which programs see as `/etc/passwd`, so that they can name the user
   * without seeing the other accounts of the machine.
   */
  readonly accounts: string;
  /** File with the filter of system calls; undefined for a processor without one. */
  readonly filter: string | undefined;
  /** Removes them; programs that started keep them. */
  readonly remove: () => Promise<void>;
}

/**
 * Creates the files for the sandbox of one command.
 * @param home - home folder of the account in the sandbox
 */
export async function createSandboxFiles(home: string): Promise<SandboxFiles> {
  const { username, uid, gid } = userInfo();
  const folder = await mkdtemp(join(tmpdir(), "openclaw-sandbox-"));
  const accounts = join(folder, "passwd");
  await writeFile(accounts, `${username}:x:${uid}:${gid}::${home}:/bin/sh\n`);
  const program = syscallFilter(process.arch);
  const filter = program === undefined ? undefined : join(folder, "filter");
  if (program !== undefined && filter !== undefined) await writeFile(filter, program);
  return { accounts, filter, remove: () => rm(folder, { recursive: true, force: true }) };
}
