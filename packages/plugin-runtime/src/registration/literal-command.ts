import type {
  LateWord,
  LiteralCommand,
  LiteralFile,
  LiteralPipeline,
  LiteralProgram,
  LiteralRedirection,
  LiteralRepository,
} from "@openclaw/plugin-sdk/hooks";

/**
 * Reads the command that a trusted policy requires, as a copy that the plugin cannot change later.
 * @param value - as the plugin gave it
 * @throws TypeError when it has another shape
 */
export function readLiteralCommand(value: unknown): LiteralCommand {
  if (!isObject(value) || !isList(value.pipelines, isPipeline)) {
    throw new TypeError('"command" is wrong: expected a literal command, as in the event');
  }
  return structuredClone({ pipelines: value.pipelines });
}

function isPipeline(value: unknown): value is LiteralPipeline {
  return (
    isObject(value) &&
    (value.after === ";" || value.after === "&&" || value.after === "||") &&
    isList(value.programs, isProgram) &&
    value.programs.length > 0 &&
    (value.keepsOutput === undefined || isSlot(value.keepsOutput)) &&
    (value.readsKept === undefined || isSlot(value.readsKept))
  );
}

function isProgram(value: unknown): value is LiteralProgram {
  return (
    isObject(value) &&
    typeof value.program === "string" &&
    isList(value.arguments, isText) &&
    isList(value.redirections, isRedirection) &&
    (value.files === undefined || isList(value.files, isFile)) &&
    (value.repository === undefined || isRepository(value.repository)) &&
    (value.variables === undefined ||
      (isObject(value.variables) && Object.values(value.variables).every(isText))) &&
    (value.late === undefined || isList(value.late, isLateWord))
  );
}

function isRepository(value: unknown): value is LiteralRepository {
  return (
    isObject(value) &&
    [value.folder, value.sharedFolder, value.workTree, value.settings, value.ignored].every(isText)
  );
}

function isFile(value: unknown): value is LiteralFile {
  return isObject(value) && typeof value.path === "string" && isList(value.realPaths, isText);
}

function isRedirection(value: unknown): value is LiteralRedirection {
  return (
    isObject(value) &&
    (value.descriptor === 0 || value.descriptor === 1 || value.descriptor === 2) &&
    (value.operator === "<" ||
      value.operator === ">" ||
      value.operator === ">>" ||
      value.operator === ">&" ||
      value.operator === "<<") &&
    typeof value.target === "string"
  );
}

function isLateWord(value: unknown): value is LateWord {
  return isObject(value) && isSlot(value.index) && isList(value.parts, isLatePart);
}

function isLatePart(value: unknown): value is LateWord["parts"][number] {
  if (isText(value)) return true;
  if (!isObject(value)) return false;
  if (value.isExitCode === true) return true;
  if (value.isNames === true) {
    const { separator, needsOne } = value;
    const isSeparator = separator === undefined || separator === "\0" || separator === "\n";
    return isSeparator && (needsOne === undefined || needsOne === true);
  }
  const { slot, isJoined, isFile } = value;
  return isSlot(slot) && [isJoined, isFile].every((flag) => flag === undefined || flag === true);
}

function isSlot(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isList<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}
