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
  it.each([
    ...["thinking", "think", "reasoning", "thought", "reflection", "scratchpad"],
    ...["tool_call", "function_call"],
  ])("[LLM-037] are removed with their content as a block at the start of a line: %s", (name) => {
    expect(filtered(`<${name}>\nsecret\n\n</${name}>\n\nHello`)).toBe("Hello");
    expect(filtered(`<${name.toUpperCase()} id="1">secret</${name} >Hello`)).toBe("Hello");
    expect(filtered(` \n  <${name}>secret</${name}> Hello`)).toBe("Hello");
    expect(filtered(`\ufeff\n\u200b<${name}>secret</${name}>Hello`)).toBe("Hello");
    expect(filtered(`a\n<${name}>secret</${name}>\nb`)).toBe("a\n\nb");
    expect(filtered(`<${name}>one</${name}><${name}>two</${name}>b`)).toBe("b");
    expect(filtered(`<${name}>\n<${name}>\none</${name}>b`)).toBe("b");
    expect(filtered(`<${name}>one</${name}>`)).toBe("");
  });

  it("[LLM-037] are removed also when they are split over chunks", () => {
    const text = "before\n<thinking>secret</thinking> after";
    for (let at = 0; at <= text.length; at += 1) {
      expect(filtered(text.slice(0, at), text.slice(at))).toBe("before\n after");
    }
    expect(filtered(...text)).toBe("before\n after");
  });

  it.each([
    "Put it between <think> and </think>, then answer.",
    "Put it between <think> and the end",
    "- <think>one</think>\n> <think>two</think>\n\t<think>three</think>\n    <think>four</think>",
    "</think> closes it.\n</think>\nDone",
    "The end is </THINKING>",
    "a<think/>b\n<think/>\nc",
    "<thinker>x</thinker> <final>42</final>\n<final>43</final>",
    "In XML: <reasoning effort='high'>deep</reasoning>",
    "Use\n<think> to begin and </think> to end it.\nBoth are needed.",
    "Two tags:\n<think> and </think>, in this order.",
    "| <think>a</think> | b |\n1. <think>a</think>\n# <think>a</think>\n\\<think>a</think>",
    "\ufeff<think>",
    " \n ",
  ])("[LLM-037] stay as text where they are not a block: %j", (text) => {
    expect(filtered(text)).toBe(text);
    expect(filtered(...text)).toBe(text);
  });

  it.each([
    "<think>this is",
    "<think",
    "<think>\nnot closed\n\nHello <think> you",
    '<tool_call>{"name": "read"}',
    "<think>one\n<think>two\n<reasoning>three",
    "Hello\n<think>\nnot closed",
    "<think>other</thinking>",
  ])("[LLM-037] stay as text when they are not closed: %j", (text) => {
    expect(filtered(text)).toBe(text);
    expect(filtered(...text)).toBe(text);
  });

  it("[LLM-037] lose a closed block also behind one that is not closed", () => {
    const text = "<think>open\n<reasoning>closed</reasoning>\nHello";
    expect(filtered(text)).toBe("<think>open\n\nHello");
    expect(filtered(...text)).toBe("<think>open\n\nHello");
  });

  it.each([
    ["<think>I close with `</think>` here.</think>Hello", "Hello"],
    ["<think>\n```\n<think>x</think>\n```\n</think>\nHello", "Hello"],
    ["<think>a stray ` backtick</think>Hello", "Hello"],
    ["<think>```\n</think>a `</think>` b", "a `</think>` b"],
    ["<think>\na\n<think>\nb\n</think>\nc\n</think>\nHello", "Hello"],
    [
      "<think>\n<think>\na\n</think>\nClose it with </think> always.",
      "Close it with </think> always.",
    ],
    ["<think><think>a</think></think>Hello", "Hello"],
    ["<think>I mention <think> here</think>Use </think> then.", "Use </think> then."],
    ["Hi\n<think> a </think>\nThere", "Hi\n\nThere"],
    ["<antThinking>a</antThinking><seed:think>b</seed:think>Hello", "Hello"],
  ])("[LLM-037] end outside the code of their content: %j", (text, expected) => {
    expect(filtered(text)).toBe(expected);
    expect(filtered(...text)).toBe(expected);
  });

  it("[LLM-037] take time in proportion to the text, whatever it contains", () => {
    const many = 100_000;
    expect(filtered("<think>`</think>\n".repeat(many))).not.toContain("think");
    const open = "<think>\n<reasoning>\n`".repeat(many);
    expect(filtered(open)).toBe(open);
  });

  it.each([
    [
      `Use this:\n${FENCE}xml\n<think>example</think>\n${FENCE}\n<think>x</think>Done.`,
      `Use this:\n${FENCE}xml\n<think>example</think>\n${FENCE}\nDone.`,
    ],
    ["~~~~\n```\n<think>\n~~~\n~~~~\n<think>x</think>y", "~~~~\n```\n<think>\n~~~\n~~~~\ny"],
    [`${FENCE}\n<think>not closed`, `${FENCE}\n<think>not closed`],
    ["  ```\n<think>a</think>\n  ```\nb", "  ```\n<think>a</think>\n  ```\nb"],
    [
      "The tag `<think>` begins, `` a ` <think> `` ends.",
      "The tag `<think>` begins, `` a ` <think> `` ends.",
    ],
    ["```<think>``` is a span\n<think>x</think>", "```<think>``` is a span\n"],
    ["a `\n<think>b</think>` c", "a `\n<think>b</think>` c"],
  ])("[LLM-037] stay in code: %j", (text, expected) => {
    expect(filtered(text)).toBe(expected);
    expect(filtered(...text)).toBe(expected);
  });

  it.each([
    "a < b and b > c, a<b>c, x <thinker> </thoughts> <thinkings>",
    "<thinkings>a</thinkings>",
    "one ` backtick\n\nand <b>more</b>",
    `<${"think ".padEnd(400, "x")}> is too long for a tag</think>`,
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
    expect(filter.push(" <think")).toBe(" <think");
    expect(filter.push(">\n<th")).toBe(">\n");
    expect(filter.push("e end")).toBe("<the end");
  });

  it("[LLM-037] give the same text for any chunks", () => {
    const part = fc.constantFrom(
      ..."<think> </think> <thinking> </thinking> <tool_call> </tool_call> \n<think> <think </think < </ > / `".split(
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
    expect(await reply(createScriptedModel(script), request())).toBe(json);
  });

  it("[LLM-037] are removed from the replies of models", async () => {
    const model = createScriptedModel([{ text: "<think>I should greet</think> Hello you" }]);
    expect(await reply(model, request())).toBe("Hello you");
  });
});
