import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/index.js";
import { ProtocolTagFilter } from "../../src/reply/protocol-tags.js";
import { reply, request } from "../support/collect.js";

/** Filters a text that arrives in chunks. */
function filtered(...chunks: string[]): string {
  const filter = new ProtocolTagFilter();
  return chunks.map((chunk) => filter.push(chunk)).join("") + filter.flush();
}

const FENCE = "```";

describe("protocol tags of a reply", () => {
  it.each(["thinking", "think", "reflection", "scratchpad", "tool_call", "function_call"])(
    "[LLM-037] are removed with their content: %s",
    (name) => {
      expect(filtered(`a<${name}>secret</${name}>b`)).toBe("ab");
      expect(filtered(`a<${name.toUpperCase()} id="1">secret</${name} >b`)).toBe("ab");
      expect(filtered(`<${name}>\nsecret\n\n</${name}>\n\nHello`)).toBe("Hello");
      expect(filtered(`a<${name}>one<${name}>two</${name}>three</${name}>b`)).toBe("ab");
      expect(filtered(`a</${name}>b<${name}/>c`)).toBe("abc");
    },
  );

  it("[LLM-037] are removed also when they are split over chunks", () => {
    const text = "before <thinking>secret</thinking> after";
    for (let at = 0; at <= text.length; at += 1) {
      expect(filtered(text.slice(0, at), text.slice(at))).toBe("before  after");
    }
    expect(filtered(...text)).toBe("before  after");
  });

  it("[LLM-037] drop the rest of the text when they are not closed", () => {
    expect(filtered("Hello <think>this is", " not closed")).toBe("Hello ");
    expect(filtered("Hello <think")).toBe("Hello ");
    expect(filtered("<tool_call>", '{"name": "read"}')).toBe("");
  });

  it.each([
    [
      `Use this:\n${FENCE}xml\n<think>example</think>\n${FENCE}\nDone<think>x</think>.`,
      `Use this:\n${FENCE}xml\n<think>example</think>\n${FENCE}\nDone.`,
    ],
    ["~~~~\n```\n<think>\n~~~\n~~~~\n<think>x</think>y", "~~~~\n```\n<think>\n~~~\n~~~~\ny"],
    [`${FENCE}\n<think>not closed`, `${FENCE}\n<think>not closed`],
    ["  ```\n<think>a</think>\n  ```\nb", "  ```\n<think>a</think>\n  ```\nb"],
    [
      "The tag `<think>` begins, `` a ` <think> `` ends.",
      "The tag `<think>` begins, `` a ` <think> `` ends.",
    ],
    ["```<think>``` is a span<think>x</think>", "```<think>``` is a span"],
    [`<think>${FENCE}\n</think>a<think>b</think>`, "a"],
  ])("[LLM-037] stay in code: %j", (text, expected) => {
    expect(filtered(text)).toBe(expected);
    expect(filtered(...text)).toBe(expected);
  });

  it.each([
    "a < b and b > c, a<b>c, x <thinker> </thoughts> <thinkings>",
    "one ` backtick\n\nand <b>more</b>",
    `<${"think ".padEnd(400, "x")}> is too long for a tag`,
    "~ approximately ~~ struck ~~",
    "text ``` in the middle of a line",
  ])("leave other text as it is: %s", (text) => {
    expect(filtered(text)).toBe(text);
    expect(filtered(...text)).toBe(text);
  });

  it("deliver plain text at once", () => {
    const filter = new ProtocolTagFilter();
    expect(filter.push("plain text, 1 > 0\n")).toBe("plain text, 1 > 0\n");
    expect(filter.push("a < b")).toBe("a < b");
    expect(filter.push(" <th")).toBe(" ");
    expect(filter.push("e end")).toBe("<the end");
  });

  it("[LLM-037] give the same text for any chunks", () => {
    const part = fc.constantFrom(
      ..."<think> </think> <thinking> </thinking> <tool_call> </tool_call> <think </think < </ > / `".split(
        " ",
      ),
      "```",
      "~~~",
      "``",
      "````",
      "\n",
      "\n\n",
      " ",
      "   ",
      "a",
      "text",
      "js\n",
      "<",
      "x".repeat(300),
      "y`".repeat(600),
    );
    const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
    const cuts = fc.array(fc.nat(400), { maxLength: 30 });
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const sorted = [...new Set(places.filter((place) => place < whole.length))].sort(
          (a, b) => a - b,
        );
        const chunks = [0, ...sorted].map((start, index) => whole.slice(start, sorted[index]));
        expect(chunks.join("")).toBe(whole);
        expect(filtered(...chunks)).toBe(filtered(whole));
        expect(filtered(...whole)).toBe(filtered(whole));
      }),
      { numRuns: 1000 },
    );
  });

  it("are removed only before the text of a reply in JSON", async () => {
    const json = '{"tag": "<think>", "code": "`"}';
    const script = [{ text: `<think>what format?</think>\n${json}` }];
    const responseFormat = { type: "json" } as const;
    expect(await reply(createScriptedModel(script), request({ responseFormat }))).toBe(json);
    expect(await reply(createScriptedModel(script), request())).toBe('{"tag": "');
  });

  it("[LLM-037] are removed from the replies of models", async () => {
    const model = createScriptedModel([{ text: "<think>I should greet</think> Hello you" }]);
    expect(await reply(model, request())).toBe("Hello you");
  });
});
