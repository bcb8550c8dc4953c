import type { FormattedContent } from "chat";

/** Node of a text, as far as it is read here. */
interface TextNode {
  readonly type: string;
  readonly value?: string | undefined;
  readonly url?: string | undefined;
  readonly lang?: string | null | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly children?: readonly TextNode[] | undefined;
}

const BLOCKS = new Set(["root", "blockquote", "list", "listItem"]);

/**
 * Returns the text of a message with its links and code, which the plain text of an adapter does not have. Nothing is
 * escaped, so that commands stay as they were written.
 * @param content - content of the message
 * @param plain - plain text, for content without nodes
 */
export function readableText(content: FormattedContent, plain: string): string {
  const text = textOf(content).trim();
  return text === "" ? plain.trim() : text;
}

function textOf(node: TextNode): string {
  const { type, value = "", children = [] } = node;
  switch (type) {
    case "code":
      return `\`\`\`${node.lang ?? ""}\n${value}\n\`\`\``;
    case "inlineCode":
      return `\`${value}\``;
    case "break":
      return "\n";
    case "link":
      return linkText(children.map(textOf).join(""), node.url ?? "");
    case "image":
      return node.url ?? "";
    case "list":
      return children
        .map((item, index) => `${node.ordered === true ? `${index + 1}.` : "-"} ${textOf(item)}`)
        .join("\n");
    case "blockquote":
      return blocks(children)
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "table":
      return children.map(textOf).join("\n");
    case "tableRow":
      return children.map(textOf).join(" | ");
    default:
      if (BLOCKS.has(type)) return blocks(children, type === "listItem" ? "\n" : "\n\n");
      return children.length === 0 ? value : children.map(textOf).join("");
  }
}

function blocks(children: readonly TextNode[], separator = "\n\n"): string {
  return children.map(textOf).join(separator);
}

function linkText(label: string, url: string): string {
  if (url === "" || label === "" || url === label || url === `mailto:${label}`) return label || url;
  return `[${label}](${url})`;
}
