import { expect, it } from "vitest";
import { readableText } from "../../src/messages/text.js";

const text = (value: string) => ({ type: "text" as const, value });
const paragraph = (...children: Parameters<typeof Array.of>[0][]) => ({
  type: "paragraph" as const,
  children,
});

it("keeps links, code, lists and quotes, and escapes nothing", () => {
  const content = {
    type: "root" as const,
    children: [
      paragraph(text("see "), { type: "link", url: "https://a.example", children: [text("a")] }),
      paragraph({ type: "link", url: "https://b.example", children: [text("https://b.example")] }),
      { type: "code" as const, lang: "js", value: "a_b * c" },
      {
        type: "list" as const,
        ordered: true,
        children: [
          { type: "listItem" as const, children: [paragraph(text("one"))] },
          {
            type: "listItem" as const,
            children: [paragraph({ type: "strong", children: [text("two")] })],
          },
        ],
      },
      {
        type: "blockquote" as const,
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
