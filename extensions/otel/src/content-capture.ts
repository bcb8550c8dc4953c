import type { HookEvent } from "@openclaw/plugin-sdk/hooks";
import { ModelContent, type Redact, toolContent } from "./content.js";
import type { RecordedSpan } from "./recorded-span.js";

/** Adds the content that hooks see to the spans of model calls and tools. */
export class ContentCapture {
  readonly #redact: Redact;
  /** Content of the latest model call by run. */
  readonly #models = new Map<string, { content: ModelContent; span: RecordedSpan | undefined }>();
  /** Spans of tools by run and call. */
  readonly #tools = new Map<string, RecordedSpan>();

  /** @param redact - removes secrets */
  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /**
   * Prepares the content of a span that starts.
   * @param span - span of any channel
   */
  started(span: RecordedSpan): void {
    const { runId, toolCallId } = span.message;
    if (span.definition.channel === "openclaw:tool") {
      this.#tools.set(`${runId} ${toolCallId}`, span);
      span.awaitsContent = true;
    } else if (span.definition.channel === "openclaw:llm") {
      const model = this.#models.get(String(runId));
      if (model === undefined) return;
      model.span = span;
      span.content = model.content;
      span.awaitsContent = true;
    }
  }

  /**
   * Forgets the model call of a turn that ended; a call without output has no further content.
   * @param span - span of any channel
   */
  ended({ definition, message }: RecordedSpan): void {
    if (definition.channel !== "openclaw:turn") return;
    const runId = String(message.runId);
    const span = this.#models.get(runId)?.span;
    if (span !== undefined) span.awaitsContent = false;
    this.#models.delete(runId);
  }

  /** @param event - of `llm_input` */
  input(event: HookEvent<"llm_input">): void {
    const content = new ModelContent(event, this.#redact);
    this.#models.set(event.runId, { content, span: undefined });
  }

  /** @param event - of `llm_output` */
  output(event: HookEvent<"llm_output">): void {
    const model = this.#models.get(event.runId);
    if (model === undefined) return;
    model.content.output = event;
    if (model.span !== undefined) model.span.awaitsContent = false;
    this.#models.delete(event.runId);
  }

  /** @param event - of `after_tool_call` */
  toolEnd(event: HookEvent<"after_tool_call">): void {
    const key = `${event.runId} ${event.toolCallId}`;
    const span = this.#tools.get(key);
    if (span === undefined) return;
    span.content = toolContent(event, this.#redact);
    span.awaitsContent = false;
    this.#tools.delete(key);
  }
}
