import { type Fields, fieldsOf } from "../../model-servers/rejection.js";
import type { DiscordButton, DiscordMessage } from "./guild.js";

/** Rejection of a request, as the REST API reports it. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Body of the response. */
  get body(): object {
    return { message: this.message, code: this.code };
  }
}

const CONTENT_LIMIT = 2000;
const DESCRIPTION_LIMIT = 4096;
const EMBEDS_LIMIT = 6000;

/**
 * Reads the content of a message, and rejects what Discord rejects.
 * @param body - body of a request that creates or changes a message
 * @param hasFiles - true when the request has files
 * @throws DiscordRefusal
 */
export function readMessage(
  body: Fields,
  hasFiles: boolean,
): Pick<DiscordMessage, "content" | "embeds" | "buttons"> {
  const { content = "", embeds = [], components = [] } = body;
  if (typeof content !== "string" && content !== null) throw invalid("content: must be a string");
  if ((content ?? "").length > CONTENT_LIMIT) {
    throw invalid(`content: must be ${CONTENT_LIMIT} or fewer in length`);
  }
  const descriptions = listOf(embeds, "embeds", 10).map(readEmbed);
  const buttons = listOf(components, "components", 5).flatMap(readRow);
  const ids = buttons.map(({ customId }) => customId);
  if (new Set(ids).size < ids.length) throw invalid("components: custom_id is duplicated");
  if (descriptions.join("").length > EMBEDS_LIMIT) {
    throw invalid(`embeds: all embeds together must be ${EMBEDS_LIMIT} or fewer in length`);
  }
  // Discord removes the space at both ends of a text.
  const isEmpty = (content ?? "").trim() === "" && descriptions.length + buttons.length === 0;
  if (isEmpty && !hasFiles) throw new DiscordRefusal(400, 50006, "Cannot send an empty message");
  return { content: content ?? "", embeds: descriptions, buttons };
}

function readEmbed(value: unknown): string {
  const { description = "", title = "" } = fieldsOf(value) ?? {};
  if (typeof description !== "string" || description.length > DESCRIPTION_LIMIT) {
    throw invalid(`embeds: description must be ${DESCRIPTION_LIMIT} or fewer in length`);
  }
  if (`${title}${description}`.trim() === "") throw invalid("embeds: an embed is empty");
  return [title, description].filter((part) => part !== "").join("\n");
}

function readRow(value: unknown): DiscordButton[] {
  const { type, components } = fieldsOf(value) ?? {};
  if (type !== 1) throw invalid("components: type must be an action row");
  return listOf(components, "components", 5).map((item) => {
    const { type: kind, style, label, custom_id: customId } = fieldsOf(item) ?? {};
    if (kind !== 2 || ![1, 2, 3, 4].includes(Number(style))) throw invalid("components: style");
    if (typeof label !== "string" || label === "" || label.length > 80) {
      throw invalid("components: label must be between 1 and 80 in length");
    }
    if (typeof customId !== "string" || customId === "" || customId.length > 100) {
      throw invalid("components: custom_id must be between 1 and 100 in length");
    }
    return { label, customId };
  });
}

function listOf(value: unknown, field: string, maximum: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maximum) {
    throw invalid(`${field}: must be a list of ${maximum} or fewer`);
  }
  return value;
}

function invalid(problem: string): DiscordRefusal {
  return new DiscordRefusal(400, 50035, `Invalid Form Body\n${problem}`);
}
