import type { GatewayMethodResult } from "@openclaw/protocol";

type Content = GatewayMethodResult<"chat.history">["messages"][number]["content"];

/**
 * Returns a stored message as a screen shows it: its text, and the number of its images.
 * @param content - parts of the message
 */
export function shownText(content: Content): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = content.filter(({ type }) => type === "image").length;
  if (images === 0) return text;
  const attached = `(${images} ${images === 1 ? "image" : "images"} attached)`;
  return text === "" ? attached : `${text}\n${attached}`;
}
