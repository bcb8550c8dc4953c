import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** File with the accounts that sandboxed programs see. */
export interface AccountFile {
  /** Absolute. */
  readonly path: string;
  /** Removes it; programs that started keep seeing it. */
  readonly remove: () => Promise<void>;
}

/**
 * Creates a file with the account of the host's user alone, which sandboxed programs see as `/etc/passwd`, so that they can
 * name the user without seeing the other accounts of the machine.
 * @param home - home folder of the account in the sandbox
 */
export async function createAccountFile(home: string): Promise<AccountFile> {
  const { username, uid, gid } = userInfo();
  const folder = await mkdtemp(join(tmpdir(), "openclaw-account-"));
  const path = join(folder, "passwd");
  await writeFile(path, `${username}:x:${uid}:${gid}::${home}:/bin/sh\n`);
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
