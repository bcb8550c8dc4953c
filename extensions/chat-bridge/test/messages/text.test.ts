import type { FormattedContent } from "chat";
import { expect, it } from "vitest";
import { readableText } from "../../src/messages/text.js";

const text = (value: string) => ({ type: "text" as const, value });
type Paragraph = Extract<FormattedContent["children"][number], { type: "paragraph" }>;
const paragraph = (...children: Paragraph["children"]): Paragraph => ({
  type: "paragraph",
  children,
});

it("keeps links, code, lists and quotes, and escapes nothing", () => {
  const content: FormattedContent = {
    type: "root",
    children: [
      paragraph(text("see "), { type: "link", url: "https://a.example", children: [text("a")] }),
      paragraph({ type: "link", url: "https://b.example", children: [text("https://b.example")] }),
      { type: "code", lang: "js", value: "a_b * c" },
      {
        type: "list",
        ordered: true,
        children: [
          { type: "listItem", children: [paragraph(text("one"))] },
          {
            type: "listItem",
            children: [paragraph({ type: "strong", children: [text("two")] })],
          },
        ],
      },
      {
        type: "blockquote",
        children: [paragraph(text("x"), { type: "break" }, text("y"))],
      },
    ],
  };
  expect(readableText(content, "")).toBe(
    "see [a](https://a.example)\n\nhttps://b.example\n\n```js\na_b * c\n```\n\n1. one\n2. two\n\n> x\n> y",
  );
});

it("takes the plain text of content without nodes", () => {
  expect(readableText({ type: "root", children: [] }, " plain ")).toBe("plain");
});
