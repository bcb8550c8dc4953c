import { defined, startOfText, wellFormed } from "@openclaw/foundation";
import type { JsonValue, PartFile, TextPart, ToolResult } from "@openclaw/plugin-sdk/tools";
import {
  DistinctNames,
  type Finding,
  inspectOutput,
  noteOfUnseen,
  type OutputInspection,
  type OutputOptions,
  redactLeaks,
  withoutUnseen,
  wrapToolOutput,
} from "@openclaw/safety";
import type { SafetyRemark } from "../context/event.js";
import { boundContent } from "./result.js";

/** A result that models, hooks, clients and the transcript may have. */
export interface GuardedResult {
  readonly result: ToolResult<JsonValue>;
  /** Each rule once. */
  readonly remarks: readonly SafetyRemark[];
  /** ID of the rule that requires approval of the text; undefined when none does (SAFE-010). */
  readonly review?: string | undefined;
}

/** Longest text of one result in UTF-8 bytes (SAFE-002). */
const MAXIMUM_BYTES = 100_000;
/** Bytes reserved for the truncation notice. */
const NOTICE_BYTES = 256;

/**
 * Passes a tool's result through the safety pipeline before it is used: it is truncated, secrets are
 * redacted, forged messages escaped, and halves of characters replaced (SAFE-001, TURN-041, HCR-016, TURN-202).
 * Characters that a reader does not see are removed with a note, and `details.originalText` keeps the text (SAFE-480).
 * Text that addresses the model is wrapped with a warning; other text is not changed.
 * @param toolName - name of the tool, for the wrapper
 * @param result - normalised result
 * @param options - rules and limits of the host
 * @param isRecorded - true for a result that was guarded when it was recorded, and has its warning
 */
export function guardResult(
  toolName: string,
  result: ToolResult<JsonValue>,
  options: OutputOptions,
  isRecorded = false,
): GuardedResult {
  const findings: Finding[] = [];
  let review: string | undefined;
  /** Parts from which characters are removed that a reader does not see. */
  const unseenIn: string[] = [];
  const { maxLength = MAXIMUM_BYTES } = options;
  const content = result.content.map((part) => {
    if (part.type === "image") return part;
    // A recorded text has its note, and the marks of its wrapper.
    const seen = isRecorded ? { text: part.text, removed: 0, kinds: [] } : withoutUnseen(part.text);
    if (seen.removed > 0) unseenIn.push(part.text);
    const inspection = inspectOutput(seen.text, { ...options, maxLength });
    findings.push(...inspection.findings);
    // An output that is replaced shows nothing to review.
    if (inspection.blocked === undefined) review ??= inspection.findings.find(isReviewed)?.rule;
    const text = isRecorded ? inspection.content : modelText(toolName, inspection);
    const shown = inspection.blocked === undefined ? `${text}${noteOfUnseen(seen)}` : text;
    // Withheld output keeps nothing of the file either.
    const file = inspection.blocked === undefined ? ownFile(part.file) : undefined;
    return { type: "text", text: shown, ...defined({ file }) } satisfies TextPart;
  });
  const given = result.details === undefined ? undefined : scrub(result.details);
  const details = unseenIn.length === 0 ? given : withOriginal(given, unseenIn.join("\n"));
  return {
    result: wellFormed({
      ...result,
      content: boundContent(content, maxLength, NOTICE_BYTES),
      ...defined({ details }),
    }),
    remarks: remarksOf(findings),
    ...defined({ review }),
  };

  function ownFile(file: PartFile | undefined): PartFile | undefined {
    if (file?.uri === undefined) return file;
    return { ...file, uri: guardText(file.uri, options, findings) };
  }

  function withOriginal(others: JsonValue | undefined, original: string): JsonValue | undefined {
    const isObject = typeof others === "object" && others !== null && !Array.isArray(others);
    if (others !== undefined && !isObject) return others;
    return {
      ...others,
      originalText: guardText(startOfText(original, maxLength), options, findings),
    };
  }

  function scrub(value: JsonValue): JsonValue {
    if (typeof value === "string") return guardText(value, options, findings);
    if (Array.isArray(value)) return value.map(scrub);
    if (typeof value !== "object" || value === null) return value;
    const names = new DistinctNames();
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        names.take(guardText(key, options, findings)),
        scrub(member),
      ]),
    );
  }
}

/**
 * Returns the reason for which a call did not run as the model may have it: without secrets,
 * without characters that a reader does not see, and of bounded length, since it may hold the message of any error (SAFE-056).
 * @param options - rules and limits of the host
 */
export function guardRefusal(reason: string, options: OutputOptions): ToolResult["content"] {
  const { maxLength = MAXIMUM_BYTES } = options;
  const { text } = withoutUnseen(reason);
  return boundContent([{ type: "text", text: guardText(text, options) }], maxLength);
}

/**
 * Redacts secrets in text that is shown while or after a tool runs, for example its progress.
 * @param options - rules of the host
 * @param findings - receives the findings
 */
export function guardText(text: string, options: OutputOptions, findings: Finding[] = []): string {
  const { rules } = options;
  const redaction = redactLeaks(text, { context: "output", ...defined({ rules }) });
  findings.push(...redaction.findings);
  return redaction.text.toWellFormed();
}

/** Adds a warning to text that addresses the model; redactions and truncations are marked in the text itself. */
function modelText(tool: string, { content, warnings, findings }: OutputInspection): string {
  const spoken = warnings.filter(({ code }) =>
    findings.some(({ rule, kind }) => rule === code && kind !== "leak"),
  );
  return spoken.length === 0 ? content : wrapToolOutput({ tool, content, warnings: spoken });
}

function isReviewed({ action }: Finding): boolean {
  return action === "review";
}

function remarksOf(findings: readonly Finding[]): SafetyRemark[] {
  const remarks = new Map<string, SafetyRemark>();
  for (const { rule, severity, action } of findings) {
    if (!remarks.has(rule)) remarks.set(rule, { rule, severity, action });
  }
  return [...remarks.values()];
}
