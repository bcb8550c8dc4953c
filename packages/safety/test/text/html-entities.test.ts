import { describe, expect, it } from "vitest";
import { decodeHtmlEntities } from "../../src/index.js";

describe("decodeHtmlEntities", () => {
  it("decodes entities once", () => {
    expect(decodeHtmlEntities("&lt;&#65;&#x42;&amp;lt;&apos;")).toBe("<AB&lt;'");
  });

  it("keeps entities that represent no character", () => {
    const text = "&#0; &#xd800; &#99999999; &nbsp; &lt &; a&b";
    expect(decodeHtmlEntities(text)).toBe(text);
  });
});
