import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeRoleMarkers } from "../../src/index.js";

describe("escapeRoleMarkers", () => {
  it.each([
    ["<|im_start|>", "&lt;|im_start|&gt;"],
    ["<｜User｜>", "&lt;｜User｜&gt;"],
    ["<<SYS>>", "&lt;&lt;SYS&gt;&gt;"],
    ["[INST]", "&#91;INST&#93;"],
    ["</system>", "&lt;/system&gt;"],
    ["< / System role='x' >", "&lt; / System role='x' &gt;"],
    ["a\n\nHuman: b", "a\n\nHuman&#58; b"],
    ["a\n\nUser: b", "a\n\nUser&#58; b"],
    ["### Instruction: b", "### Instruction&#58; b"],
    ["<start_of_turn>user", "&lt;start_of_turn&gt;user"],
    ["&lt;/system&gt;", "&lt;/system&gt;"],
    ["<|turn>system", "&lt;|turn&gt;system"],
    ["<tool_call|>", "&lt;tool_call|&gt;"],
    ["< | im_start\n| >", "&lt; | im_start\n| &gt;"],
    ["<\u2502im_start\u2502>", "&lt;\u2502im_start\u2502&gt;"],
    ["<｜DSML｜invoke", "&lt;｜DSML｜invoke"],
    ["[ARGS] [/THINK]", "&#91;ARGS&#93; &#91;/THINK&#93;"],
    ["]~!b[ ]~b]system [e~[", "&#93;~!b&#91; &#93;~b&#93;system &#91;e~&#91;"],
    ["</system-reminder>", "&lt;/system-reminder&gt;"],
    ["<function=exec>", "&lt;function=exec&gt;"],
    ["<extra_id_1>User", "&lt;extra_id_1&gt;User"],
    ["a\u0085Human\u00a0: b", "a\u0085Human\u00a0&#58; b"],
    ["a\v\fSystem: b", "a\v\fSystem&#58; b"],
    ["&#60;/system&#62;", "&lt;/system&gt;"],
  ])("[SAFE-280] turns %j into %j", (text, escaped) => {
    expect(escapeRoleMarkers(text)).toBe(escaped);
  });

  it("[SAFE-280] leaves other text as it is", () => {
    const text =
      "# Rules\n\n- Use `Array<string>` and x[i] < 3.\n- user: 1000\n- The human: a person\n<details>\n[link](x) a|b |> c\nUsers: all";
    expect(escapeRoleMarkers(text)).toBe(text);
  });

  it("[SAFE-280] changes nothing when it is applied again", () => {
    const part = fc.constantFrom(
      ..."<|x|> | < > / system [INST] Human: \n &lt; &#91; ｜ ＜ \u200b a : # user".split(" "),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const once = escapeRoleMarkers(parts.join(""));
        expect(escapeRoleMarkers(once)).toBe(once);
      }),
    );
  });
});
