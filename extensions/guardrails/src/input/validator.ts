import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { LinearPattern } from "@openclaw/plugin-sdk/services";
import { mapStrings } from "../json-strings.js";
import { type AttachmentLimits, attachmentProblems } from "./attachments.js";
import { characterProblem } from "./characters.js";
import { floodedPart } from "./flood.js";
import type { InputProblem } from "./problem.js";

/** Rules for inputs. */
export interface InputRules {
  /** Maximum number of characters of a message. */
  readonly maxLength: number;
  /** Maximum number of characters of one string in the parameters of a tool. */
  readonly maxParameterLength: number;
  /** True rejects control, hidden and misleading characters. */
  readonly characters: boolean;
  /** True rejects a message that only repeats a few characters. */
  readonly floods: boolean;
  /** Names of the accepted scripts of letters, for example `Latin`; all when absent. */
  readonly scripts?: RegExp | undefined;
  /** Accepted languages as two letters, and the function that recognises them. */
  readonly languages?:
    | { readonly accepted: ReadonlySet<string>; languageOf(text: string): string | undefined }
    | undefined;
  /** Patterns of which a message must match each. */
  readonly require: readonly LinearPattern[];
  /** Patterns of which no message and no parameter may match one. */
  readonly forbid: readonly LinearPattern[];
  readonly attachments: AttachmentLimits;
}

/** Checks messages and parameters of tools. */
export class InputValidator {
  readonly #rules: InputRules;

  /** @param rules - rules for inputs */
  constructor(rules: InputRules) {
    this.#rules = rules;
  }

  /** Returns what is wrong with a message. */
  message(
    content: string,
    attachments: readonly Readonly<AttachmentMeta>[] = [],
  ): readonly InputProblem[] {
    const { maxLength, floods, scripts, languages, require } = this.#rules;
    const reasons = this.#text(content, maxLength);
    const part = floods ? floodedPart(content) : undefined;
    if (part !== undefined) reasons.push(`only repeats ${JSON.stringify(part)}`);
    const foreign = scripts === undefined ? -1 : content.search(scripts);
    if (foreign >= 0) {
      const letter = String.fromCodePoint(content.codePointAt(foreign) ?? 0);
      reasons.push(`has the letter ${letter}, which is of no accepted script`);
    }
    const language = languages?.languageOf(content);
    if (languages !== undefined && language !== undefined && !languages.accepted.has(language)) {
      reasons.push(
        `is in the language ${language}; accepted are ${[...languages.accepted].join(", ")}`,
      );
    }
    for (const pattern of require) {
      if (!pattern.test(content)) reasons.push(`does not match ${pattern.source}`);
    }
    return [
      ...reasons.map((reason) => ({ field: "content", reason })),
      ...attachmentProblems(attachments, this.#rules.attachments),
    ];
  }

  /**
   * Returns what is wrong with the parameters of a tool call.
   * @param params - parameters by name
   */
  params(params: Readonly<Record<string, unknown>>): readonly InputProblem[] {
    const problems: InputProblem[] = [];
    const { isTooDeep } = mapStrings(params, (text, path) => {
      const field = `params.${path.join(".")}`;
      for (const reason of this.#text(text, this.#rules.maxParameterLength)) {
        problems.push({ field, reason });
      }
      return text;
    });
    if (isTooDeep) problems.push({ field: "params", reason: "are nested too deeply to be read" });
    return problems;
  }

  #text(text: string, maxLength: number): string[] {
    const reasons: string[] = [];
    if (text.length > maxLength) {
      reasons.push(`has ${text.length} characters, more than ${maxLength}`);
    }
    const problem = this.#rules.characters ? characterProblem(text) : undefined;
    if (problem !== undefined) reasons.push(problem);
    for (const pattern of this.#rules.forbid) {
      if (pattern.test(text)) reasons.push(`matches ${pattern.source}, which is forbidden`);
    }
    return reasons;
  }
}

/**
 * Returns a sentence about problems.
 * @param problems - at least one
 */
export function describeProblems(problems: readonly InputProblem[]): string {
  return problems.map(({ field, reason }) => `${field} ${reason}`).join("; ");
}
