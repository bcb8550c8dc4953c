import { isAbsolute, join } from "node:path";
import type { GuardApi } from "../guard-host.js";

/**
 * Returns the path of the file of the audit log.
 * @param settings - configuration of the guard: its `file` is `true` for the default, or a path; a relative one is below
 * the state folder
 * @param api - paths of the host
 * @returns undefined when entries are only in the database
 */
export function auditFilePath(
  settings: unknown,
  { resolvePath, runtime }: Pick<GuardApi, "resolvePath" | "runtime">,
): string | undefined {
  const file: unknown =
    typeof settings === "object" && settings !== null && "file" in settings ? settings.file : false;
  const folder = () => runtime.state.resolveStateDir?.() ?? resolvePath(".");
  if (file === true) return join(folder(), "guardrails", "audit.jsonl");
  if (typeof file !== "string") return undefined;
  return isAbsolute(file) || file.startsWith("~") ? resolvePath(file) : join(folder(), file);
}
