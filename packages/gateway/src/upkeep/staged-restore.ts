import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defined, errorMessage } from "@openclaw/foundation";
import { removeFile, writePrivateFile } from "@openclaw/foundation/file-replacement";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { StateFolder } from "../state/folder.js";
import { type DatabaseOwner, databaseFileOf, restoreFiles } from "./database.js";

const staged = Type.Object({
  name: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,119}\\.db$" }),
  actor: Type.Object({ channel: Type.String(), id: Type.String() }),
});

const outcome = Type.Object({
  name: Type.String(),
  at: Type.Number(),
  kept: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
});

/** Backup that the next start puts back, and who asked for it. */
export type StagedRestore = Readonly<Static<typeof staged>>;

/** Outcome of the last staged restore. */
export type RestoreResult = Readonly<Static<typeof outcome>>;

/**
 * Returns the folder of the backups of a gateway.
 * @param state - state folder
 */
export function backupFolderOf(state: Pick<StateFolder, "dir">): string {
  return join(state.dir, "backups");
}

/**
 * Lets the next start of the gateway put a backup back: nothing has the database open then.
 * @param state - state folder
 * @param restore - name of the backup, and who asked for it
 */
export function stageRestore(state: Pick<StateFolder, "dir">, restore: StagedRestore): void {
  writePrivateFile(stagedFile(state), JSON.stringify(restore));
}

/**
 * Returns the outcome of the last staged restore; undefined when there was none.
 * @param state - state folder
 */
export function lastRestoreOf(state: Pick<StateFolder, "dir">): RestoreResult | undefined {
  const found = readJson(outcomeFile(state));
  return Value.Check(outcome, found) ? found : undefined;
}

/**
 * Puts back the backup that was staged, once. A restore that fails leaves the previous database, with which the gateway
 * starts, and its problem is logged and kept as the outcome.
 * @param owner - host whose state folder this process has locked
 * @param logger - logger of the host
 * @returns function that records the restore in the audit log of the restored database; undefined when nothing was restored
 */
export async function takeRestore(
  owner: DatabaseOwner,
  logger: Logger,
): Promise<{ record(store: Store): Promise<void> } | undefined> {
  const { state } = owner;
  const file = stagedFile(state);
  const found = readJson(file);
  if (found === undefined) return undefined;
  // First, so that a start that dies during the restore is not followed by another attempt.
  removeFile(file);
  if (!Value.Check(staged, found)) {
    logger.error(`${file} was not written by a gateway, and is ignored`);
    return undefined;
  }
  const { name, actor } = found;
  const database = databaseFileOf(owner);
  try {
    if (database === undefined) throw new Error("the database is on a server now");
    const { kept } = await restoreFiles(owner, join(backupFolderOf(state), name), database);
    keep(state, { name, at: Date.now(), ...defined({ kept }) });
    logger.warn(`the backup ${name} was restored`, { kept });
  } catch (error) {
    const problem = errorMessage(error);
    keep(state, { name, at: Date.now(), problem });
    logger.error(`the backup ${name} was not restored: ${problem}`);
    return undefined;
  }
  return {
    async record({ decisions }) {
      const entry = { event: "backup-restored", reason: name } as const;
      await decisions.auditLog.append({ ...entry, actor, via: actor.channel });
    },
  };
}

function keep(state: Pick<StateFolder, "dir">, result: RestoreResult): void {
  writePrivateFile(outcomeFile(state), JSON.stringify(result));
}

function stagedFile({ dir }: Pick<StateFolder, "dir">): string {
  return join(dir, "restore.json");
}

function outcomeFile({ dir }: Pick<StateFolder, "dir">): string {
  return join(dir, "restored.json");
}

/** Returns undefined for a file that is missing; the text itself when it is not JSON. */
function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
