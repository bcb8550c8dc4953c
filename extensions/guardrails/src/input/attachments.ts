import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { characterProblem } from "./characters.js";
import type { InputProblem } from "./problem.js";

/** Endings of files that run when they are opened. */
const EXECUTABLE_ENDING =
  /\.(?:exe|com|scr|pif|bat|cmd|msi|msp|mst|cpl|dll|sys|drv|ps1|psm1|vbs|vbe|wsf|wsh|jse|hta|lnk|url|reg|inf|jar|jnlp|app|dmg|pkg|apk|deb|rpm|appimage|scf|gadget|chm|iso|img|vhdx?)\.?$/i;
/** Types of programs. */
const EXECUTABLE_TYPE =
  /^application\/(?:x-ms(?:download|dos-program|i)|x-(?:dos)?exec(?:utable)?|x-dosexec|vnd\.microsoft\.portable-executable|x-mach-binary|x-elf|java-archive|x-ms-shortcut|hta|vnd\.android\.package-archive)$/i;
const FOLDER_SEPARATOR = /[/\\]/;

/** Limits of attachments. */
export interface AttachmentLimits {
  /** Accepted MIME types, with `*` for any part; every type when absent. */
  readonly types?: readonly string[] | undefined;
  /** Maximum number of bytes. */
  readonly maxBytes: number;
  /** True accepts files that run when they are opened. */
  readonly executables: boolean;
}

/**
 * Returns what is wrong with attachments, by their metadata; content is not read.
 * @param attachments - attachments of a message
 * @param limits - types and size
 */
export function attachmentProblems(
  attachments: readonly Readonly<AttachmentMeta>[],
  limits: AttachmentLimits,
): InputProblem[] {
  return attachments.flatMap((attachment, index) =>
    [...problemsOf(attachment, limits)].map(([key, reason]) => ({
      field: `attachments[${index}].${key}`,
      reason,
    })),
  );
}

function* problemsOf(
  { name, mimeType, bytes }: Readonly<AttachmentMeta>,
  { types, maxBytes, executables }: AttachmentLimits,
): Generator<readonly [key: string, reason: string]> {
  if (bytes > maxBytes) yield ["bytes", `is ${bytes}, more than ${maxBytes}`];
  if (types !== undefined && !types.some((type) => matches(type, mimeType))) {
    yield ["mimeType", `is ${mimeType}, which is none of ${types.join(", ")}`];
  }
  if (!executables && EXECUTABLE_TYPE.test(mimeType)) {
    yield ["mimeType", `is ${mimeType}, the type of a program`];
  }
  if (name === undefined) return;
  const problem = characterProblem(name);
  if (problem !== undefined) yield ["name", problem];
  if (FOLDER_SEPARATOR.test(name)) yield ["name", "names a folder"];
  if (!executables && EXECUTABLE_ENDING.test(name)) {
    yield ["name", `ends with ${name.slice(name.lastIndexOf("."))}, the ending of a program`];
  }
}

/** Returns true if a MIME type fits a pattern such as `image/*`, without its parameters and in any case. */
function matches(pattern: string, mimeType: string): boolean {
  const [wanted, given] = [pattern, mimeType].map((type) =>
    type.split(";")[0]?.trim().toLowerCase(),
  );
  if (wanted === undefined || given === undefined) return false;
  if (wanted === "*" || wanted === "*/*") return true;
  return wanted.endsWith("/*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}
