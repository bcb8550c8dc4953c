import type { Logger } from "@openclaw/plugin-sdk";
import {
  type Finding,
  type InputInspection,
  type InputOptions,
  inspectInput,
  noteOfUnseen,
  type SafetySettings,
  type SeenText,
  withoutUnseen,
} from "@openclaw/safety";
import { MessageRefusedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import type { StoredMessage } from "../messages/stored-message.js";
import { type ConversationPart, rewriteConversation } from "./conversation-texts.js";

/** Dependencies of {@link MessageInspection}. */
export interface MessageInspectionDependencies {
  /** Returns rules and limits of the safety engine, `safety`. */
  safety(): Pick<SafetySettings, "rules" | "maxInputLength" | "forbidden">;
  readonly logger: Logger;
}

/** Inspects the text of messages before they are routed. */
export class MessageInspection {
  readonly #dependencies: MessageInspectionDependencies;

  /** @param dependencies - rules and log */
  constructor(dependencies: MessageInspectionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Inspects a message as the inbound hooks left it, with the history and instructions that its caller sent. A
   * message of invalid form is rejected (SAFE-034). Characters that a reader does not see are removed, with a note in
   * the message itself (SAFE-511). All else is passed on unchanged unless the operator tuned a rule (SAFE-040):
   * findings are logged, and the sender is told of a secret.
   * @param message - the message after the inbound hooks
   * @returns the message to route, or why it is rejected
   */
  inspect(
    stored: StoredMessage,
    message: InboundMessage,
  ): { readonly message: InboundMessage } | { readonly refusal: MessageRefusedError } {
    const inspected = this.#inspect(message);
    for (const text of inspected.texts) {
      const reason = reasonToRefuse(text);
      if (reason !== undefined) return { refusal: new MessageRefusedError("unacceptable", reason) };
    }
    this.#report(stored, inspected.texts);
    return { message: inspected.message };
  }

  /**
   * Returns true if inspection finds nothing in a message and leaves it as it is.
   * @param message - message from a surface
   */
  isClean(message: InboundMessage): boolean {
    return this.#inspect(message).texts.every(
      ({ errors, warnings, findings, modified, needsReview, seen }) =>
        errors.length + warnings.length + findings.length + seen.removed === 0 &&
        !modified &&
        !needsReview,
    );
  }

  #inspect(message: InboundMessage): InspectedMessage {
    const { rules, maxInputLength, forbidden } = this.#dependencies.safety();
    const own = inspectSeen(message.text, { rules, maxLength: maxInputLength, forbidden });
    const { media = [] } = message.client ?? {};
    const isOnlyMedia = message.text === "" && media.length > 0;
    const texts: InspectedText[] = isOnlyMedia ? [] : [{ ...own, part: "text" }];
    const conversation = rewriteConversation(message, (text, part) => {
      // The limit is one of messages; replies, tool output and instructions may be longer.
      const maxLength = Number.POSITIVE_INFINITY;
      const inspection = inspectSeen(text, { rules, maxLength, forbidden });
      texts.push({ ...inspection, part });
      return inspection.content;
    });
    const text = `${own.content}${noteOfUnseen(own.seen)}`;
    return { message: { ...message, ...conversation, text }, texts };
  }

  #report({ row, caller }: StoredMessage, texts: readonly InspectedText[]): void {
    const findings = texts.flatMap((text) => text.findings);
    const warnings = texts.flatMap((text) => text.warnings);
    const found = [...new Set([...findings, ...warnings].map(({ rule }) => rule))];
    if (found.length === 0) return;
    const secrets = [...new Set(findings.filter(isSecret).map(({ rule }) => rule))];
    const isGrave = findings.some(isSecret) || findings.some(isSevere) || warnings.length > 0;
    this.#dependencies.logger[isGrave ? "warn" : "debug"](
      `safety found in a message: ${found.join(", ")}`,
      { code: "MESSAGE_INSPECTED", messageId: row.id },
    );
    if (secrets.length === 0) return;
    const fate = texts.some(({ modified }) => modified)
      ? "was removed from it"
      : "was passed on unchanged";
    caller.onNotice?.(
      `This message contains what looks like a secret (${secrets.join(", ")}), which ${fate}. Replace the secret if it was not meant to be shared.`,
    );
  }
}

/** A message without the ranges that rules redact, and the inspection of each text in it. */
interface InspectedMessage {
  readonly message: InboundMessage;
  readonly texts: readonly InspectedText[];
}

/** Inspection of a text without the characters that a reader does not see, and of these characters. */
interface SeenInspection extends InputInspection {
  readonly seen: SeenText;
}

/** Inspection of one text of a message. */
interface InspectedText extends SeenInspection {
  readonly part: "text" | ConversationPart;
}

/** Inspects the text that the model receives, and what is hidden in the original. */
function inspectSeen(text: string, options: InputOptions): SeenInspection {
  const seen = withoutUnseen(text);
  const inspection = inspectInput(seen.text, options);
  if (seen.removed === 0) return { ...inspection, seen };
  const hidden = inspectInput(text, options);
  return {
    ...inspection,
    seen,
    blocked: inspection.blocked || hidden.blocked,
    needsReview: inspection.needsReview || hidden.needsReview,
    errors: [...inspection.errors, ...hidden.errors],
    findings: [...inspection.findings, ...hidden.findings],
  };
}

function reasonToRefuse({
  part,
  errors,
  findings,
  needsReview,
}: InspectedText): string | undefined {
  const refused = `the message was not accepted: ${part === "text" ? "" : `in its ${part}, `}`;
  const [error] = errors;
  if (error !== undefined) return `${refused}${error.message}`;
  const blocking = findings.find(({ action }) => action === "block");
  // Nobody but its sender reads a message before the turn, so a review has no approver.
  const rule = blocking ?? (needsReview ? findings.find(isReviewed) : undefined);
  return rule && `${refused}the operator's safety rule ${rule.rule} denies it`;
}

function isReviewed({ action }: Finding): boolean {
  return action === "review";
}

function isSecret({ kind, severity }: Finding): boolean {
  return kind === "leak" && (severity === "high" || severity === "critical");
}

function isSevere({ severity }: Finding): boolean {
  return severity === "high" || severity === "critical";
}
