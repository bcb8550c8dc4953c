import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../../src/http/html-markdown.js";

const signal = new AbortController().signal;

async function markdownOf(html: string, maxChars = 1_000_000): Promise<string> {
  const options = { baseUrl: "https://example.com/docs/page.html", maxChars, signal };
  return (await htmlToMarkdown(html, options)).text;
}

describe("HTML as Markdown", () => {
  it("keeps headings, lists, code, tables and quotes", async () => {
    const text = await markdownOf(
      "<h1>Title &amp; more</h1><p>Some <b>bold</b> and <code>a*b</code>.</p>" +
        "<ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol>" +
        '<pre><code class="language-js">if (x) {\n  y();\n}</code></pre>' +
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>" +
        "<blockquote>said</blockquote>",
    );
    expect(text).toContain("# Title & more");
    expect(text).toContain("Some **bold** and `a*b`.");
    expect(text).toMatch(/1\. one\n\s+- inner\n2\. two/);
    expect(text).toContain("```js\nif (x) {\n  y();\n}\n```");
    expect(text).toContain("| A | B |\n| --- | --- |\n| 1 | 2 |");
    expect(text).toContain("> said");
  });

  it("completes relative links with the page's URL", async () => {
    const text = await markdownOf('<a href="other.html">one</a> <a href="/top">two</a>');
    expect(text).toBe("[one](https://example.com/docs/other.html) [two](https://example.com/top)");
  });

  it("omits invisible content", async () => {
    const text = await markdownOf(
      "<head><style>p{}</style><script>steal()</script></head><body><p>seen</p>" +
        "<script>more()</script><template>hidden</template><!-- note --></body>",
    );
    expect(text.trim()).toBe("seen");
  });

  it("stops at the requested amount", async () => {
    const page = "<p>paragraph of text</p>".repeat(20_000);
    const options = { baseUrl: "https://example.com/", maxChars: 1000, signal };
    const { text, complete } = await htmlToMarkdown(page, options);
    expect(complete).toBe(false);
    expect(text.length).toBeGreaterThan(1000);
    expect(text.length).toBeLessThan(100_000);
  });

  it("returns the same for a page in one slice and in many", async () => {
    const block = "<section><h2>Näme 😀</h2><p>text <i>and</i> more</p></section>\n";
    const small = await markdownOf(block.repeat(3));
    const large = await markdownOf(block.repeat(3000));
    expect(large.startsWith(small.trimEnd())).toBe(true);
    expect(large.match(/## Näme 😀/g)).toHaveLength(3000);
    expect(large.match(/text \*and\* more/g)).toHaveLength(3000);
  });

  it.each([
    ["nested elements", "<div>".repeat(100_000)],
    ["nested lists", "<ul><li>x".repeat(5000)],
    ["open tags", "<a".repeat(50_000)],
    ["open comments", "<!--".repeat(50_000)],
    ["open attributes", '<a href="'.repeat(20_000)],
  ])("survives a page of %s", async (_case, page) => {
    await expect(markdownOf(page, 10_000)).resolves.toEqual(expect.any(String));
  });

  it("stops when the signal aborts", async () => {
    const options = {
      baseUrl: "https://example.com/",
      maxChars: 1e9,
      signal: AbortSignal.abort(new Error("enough")),
    };
    await expect(htmlToMarkdown("<p>x</p>".repeat(50_000), options)).rejects.toThrow("enough");
  });
});
