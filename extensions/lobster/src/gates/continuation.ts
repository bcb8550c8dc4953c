import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, ToolRequester } from "@openclaw/plugin-sdk/tools";
import { LobsterError } from "../errors.js";
import type { StateFiles } from "../state/session-state.js";
import { digest } from "../workflow/bundle.js";
import { open, seal } from "./cipher.js";
import type { ApproverRules } from "./identity.js";
import type { Keys } from "./keys.js";
import type { SuspendedRun } from "./run.js";

/** Data with which a suspended run continues, in any process (LOB-022). */
export interface Continuation {
  /** Token of the engine, which never leaves the host. */
  readonly engineToken: string;
  /** Files in which the engine keeps the run: remaining stages, items, results of steps. */
  readonly files: StateFiles;
  /** Workflow files as they were checked; absent for a pipeline. */
  readonly bundle?: {
    readonly files: readonly { readonly name: string; readonly content: string }[];
  };
  /** The workflow file as written. */
  readonly workflow?: JsonObject;
  /** SHA-256 of the workflow files by their path in the workspace. */
  readonly digests: Readonly<Record<string, string>>;
  /** Folder of the run relative to the workspace. */
  readonly cwd: string;
  readonly requester: ToolRequester;
  readonly approvers: ApproverRules;
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
}

/**
 * Encrypts a continuation.
 * @param continuation - continuation of a run
 * @param keys - keys of the installation
 * @returns the text, and the ID of its key
 */
export async function sealContinuation(
  continuation: Continuation,
  runId: string,
  keys: Keys,
): Promise<{ readonly continuation: string; readonly keyId: string }> {
  const key = await keys.current();
  return { continuation: seal(JSON.stringify(continuation), runId, key), keyId: key.id };
}

/**
 * Decrypts the continuation of a run.
 * @param run - the suspended run
 * @param keys - keys of the installation
 * @throws LobsterError of type `token_expired` when its key is not accepted any more, or `token_invalid` when its row was
 * changed
 */
export async function openContinuation(
  { id, keyId, continuation }: SuspendedRun,
  keys: Keys,
): Promise<Continuation> {
  const key = await keys.withId(keyId);
  if (key === undefined) {
    throw new LobsterError("token_expired", "the run is older than its key; start it again");
  }
  try {
    return JSON.parse(open(continuation, id, key)) as Continuation;
  } catch {
    throw new LobsterError(
      "token_invalid",
      "the stored run was changed or is damaged; start it again",
    );
  }
}

/**
 * Checks that no workflow file changed since the run was suspended (LOB-031).
 * @param workspaceDir - absolute path of the workspace
 * @param digests - SHA-256 of the files by their path in the workspace
 * @throws LobsterError of type `token_invalid`
 */
export async function assertUnchanged(
  workspaceDir: string,
  digests: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [file, expected] of Object.entries(digests)) {
    const text = await readFile(join(workspaceDir, file), "utf8").catch(() => undefined);
    if (text === undefined || digest(text) !== expected) {
      throw new LobsterError(
        "token_invalid",
        `workflow changed: ${file} is not the file that was approved; start the run again`,
      );
    }
  }
}

/**
 * Returns the digest of a run, to which its token is bound.
 * @param source - pipeline, or digests of the workflow files
 * @param args - arguments of the workflow
 */
export function runDigest(
  source: string | Readonly<Record<string, string>>,
  args: JsonObject,
): string {
  return createHash("sha256")
    .update(JSON.stringify([source, args]))
    .digest("hex");
}
