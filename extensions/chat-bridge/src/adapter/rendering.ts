import type { Adapter, AdapterPostableMessage } from "chat";

interface Converter {
  renderPostable(message: AdapterPostableMessage): string;
}

/**
 * Returns the text that an adapter makes of a message, as far as it has a converter: tables become columns of code, for
 * example, which are longer than their Markdown.
 * @param message - message without a card
 * @returns undefined for an adapter without a converter
 */
export function renderedText(
  adapter: Adapter,
  message: AdapterPostableMessage,
): string | undefined {
  const converter: unknown = Reflect.get(adapter, "formatConverter");
  return isConverter(converter) ? converter.renderPostable(message) : undefined;
}

function isConverter(value: unknown): value is Converter {
  return (
    typeof value === "object" &&
    value !== null &&
    "renderPostable" in value &&
    typeof value.renderPostable === "function"
  );
}
